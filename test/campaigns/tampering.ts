import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Campaign, Surroundings, Trials } from "./campaign.ts";
import { idEdits, textEdits } from "./tampering/edit-plan.ts";
import { tryPlanEdits } from "./tampering/try-plan-edits.ts";
import {
  singleTrials,
  type Tried,
  tryBetween,
  tryByExecutors,
  tryDuring,
  tryMutation,
} from "./tampering/try-tampering.ts";

/**
 * Campaign in which run data, configuration and plans are tampered with. The judge uses only the programs' log, the
 * printed output and the plan.
 */
export const tamperingCampaign: Campaign = {
  name: "tampering",
  about:
    "run data and configuration that others flip, cut, unlink, link, rename or replace, and plans that executors edit; then starts until the end",
  counts: "tampered",
  trials: [
    kindOf("mutations", singleTrials, 1, tryMutation),
    kindOf("between starts", 500, 1, tryBetween),
    kindOf("during starts", 400, 1, tryDuring),
    kindOf("by executors", 600, 1, tryByExecutors),
    kindOf("edits of the plan", 600, 1, tryPlanEdits(textEdits)),
    kindOf("ids that stand twice", 400, 1, tryPlanEdits(idEdits)),
  ],
  hindrance: () => {
    if (!existsSync("/proc/self/environ")) return "it looks for processes in /proc, which is not there";
    const tools = ["od", "dd", "truncate", "stat", "mkfifo", "sed"];
    const missing = tools.find((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
    return missing === undefined ? null : `\`${missing}\` is not there`;
  },
};

function kindOf(
  name: string,
  full: number,
  short: number,
  tryOne: (seed: number, number: number, surroundings: Surroundings) => Promise<Tried | null>,
): Trials {
  return {
    ...{ name, full, short, batch: 2 },
    run: async ({ seed, from, count }, surroundings) => {
      const counts = { tampered: 0, starts: 0, kills: 0 };
      const violations: string[] = [];
      for (let number = from; number < from + count; number++) {
        const tried = await tryOne(seed, number, surroundings);
        if (tried === null) continue;
        counts.tampered += tried.damage.length;
        counts.starts += tried.starts;
        counts.kills += tried.kills;
        const again = `--only "${name}" --seed ${seed} --from ${number} --runs 1`;
        for (const { kind, what } of tried.violations)
          violations.push(`${kind}: ${what} [${tried.damage.join("; ")}] (${again})`);
      }
      return { counts, violations };
    },
  };
}
