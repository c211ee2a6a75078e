import { resolve } from "node:path";
import { type PlanReport, reportOn } from "../../../markdown/lint-plan.ts";
import { InputError } from "../../../model/errors.ts";
import type { Explanation } from "../../../model/explanation.ts";
import type { RunStatus } from "../../../model/status.ts";
import { renderReceipt } from "../../../wording/render-receipt.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec, specAddress } from "../../node/find-spec.ts";
import { readExplanation } from "../../node/reading/read-explanation.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { type OutgoingMessage, sendToRun } from "../../node/send-message.ts";
import { findProblems } from "../commands/lint.ts";
import { readConfig } from "../options/config.ts";
import { checkGuidance } from "../options/run-flags.ts";

/** Queries about a spec, and messages to its run. The spec is read again for each call, since it may change. */
export interface Place {
  status(): RunStatus;
  why(task: string): Explanation;
  say(said: OutgoingMessage): Promise<string>;
  lint(): Promise<PlanReport>;
}

export function placeOf(
  named: string | undefined,
  { folder, cwd = ".", signal }: { readonly folder: string; readonly cwd?: string; readonly signal: AbortSignal },
): Place {
  const open = () => {
    const spec = findSpec(named, resolve(folder, cwd), "mcp");
    return { spec, address: specAddress(spec, { from: folder }) };
  };
  return {
    status: () => {
      const { spec, address } = open();
      return readStatus(spec.folder, { address });
    },
    why: (task) => {
      const { spec, address } = open();
      const found = readExplanation(spec.folder, task, { address });
      if (found !== null) return found;
      throw new InputError(`Cannot find task \`${task}\`, expected one of the plan or of its last run`, {
        code: "task-not-found",
        hint: "The tool status lists the tasks",
      });
    },
    say: async (said) => {
      const { spec, address } = open();
      const { word, text = "" } = said;
      const checked = word === "guidance" ? { ...said, text: checkGuidance(text, "guidance") } : said;
      const by = senderOf(spec, `say ${word}`);
      return renderReceipt(await sendToRun(spec, checked, { by, address, signal }), address);
    },
    lint: async () => {
      const { spec } = open();
      const read = readPlanFile(spec.tasksPath);
      const config = await readConfig([spec.folder, resolve(folder, cwd)]);
      return reportOn(await findProblems({ ...read, config, cwd, folder }, signal), read);
    },
  };
}
