import { readPlanningConfig, readStateLimits } from "../../adapters/settings/settings-file.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { LadderChoices } from "../../model/rung.ts";
import type { SpecFolder } from "./find-spec.ts";
import { readStatus } from "./reading/read-status.ts";

export interface ForeignSettings {
  readonly policy: PolicyInput;
  readonly ladder?: LadderChoices;
}

/**
 * Read the settings for a run from `.planning/config.json` and `state.yaml` of other systems. Options of fixpoint, and
 * the recorded options of a continued run, override these settings.
 *
 * @param workspace Absolute.
 * @param hasLadder Whether an option of fixpoint chooses the ladder. If so, the files neither add nor forbid repair.
 * @throws {InputError} `planning-config-malformed`, `yaml-malformed`, and what `readStatus` throws
 * @throws {EnvironmentError} `file-refused`
 */
export async function readForeignSettings(
  { folder }: SpecFolder,
  workspace: string,
  hasLadder: boolean,
): Promise<ForeignSettings> {
  const { nodeRepair, repairBudget } = readPlanningConfig(workspace);
  const limits = await readStateLimits(folder, workspace);
  const hasLimits = Object.keys(limits).length > 0;
  const mayChoose = nodeRepair !== null && !hasLadder;
  const isFresh = (hasLimits || mayChoose) && !readStatus(folder).resumable;
  const chooses = mayChoose && isFresh;
  return {
    policy: {
      ...(hasLimits && isFresh && limits),
      ...(repairBudget !== null && (chooses || nodeRepair !== false) && { repairBudget }),
    },
    ...(chooses && { ladder: { repair: true } }),
  };
}
