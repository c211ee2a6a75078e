import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { findSpec } from "../../node/find-spec.ts";
import { type AttemptOutput, readAttempt } from "../../node/reading/read-attempt.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { parseCount } from "../options/parse-value.ts";
import { readRunNumber, runNumberFlag } from "../options/shared-flags.ts";
import { renderJson } from "../render-json.ts";

/** What an attempt at a task has printed: the final message of its executor, and the output of its Verify. */
export const logs: CliCommand = {
  options: [
    { flags: "--attempt <n>", summary: "which attempt at the task (default: the last)" },
    runNumberFlag,
    { flags: "--json", summary: "one JSON object" },
  ],
  example: "fixpoint logs 1.3 my-feature --attempt 2",
  async run(task = "", values, { terminal, folder }) {
    const { spec, attempt, json } = values;
    const found = findSpec(typeof spec === "string" ? spec : undefined, folder, `logs ${task}`.trimEnd());
    const output = await readAttempt(found, task, {
      run: readRunNumber(values),
      attempt: typeof attempt === "string" ? parseCount("--attempt", attempt, 1) : undefined,
      address: specAddress(found, { from: folder }),
    });
    terminal.out(json === true ? `${renderJson(output)}\n` : renderOutput(output));
    return 0;
  },
};

function renderOutput({ task, run, attempt, attempts, message, verify }: AttemptOutput): string {
  const others = attempts.filter((each) => each !== attempt);
  const more = others.length === 0 ? "" : `; there ${others.length === 1 ? "is" : "are"} ${others.join(", ")} too`;
  const checked =
    verify === null
      ? []
      : ["", `Verify: ${escapeText(verify.command)} (exit ${verify.exitCode ?? "by a signal"})`, said(verify.output)];
  return [`Attempt ${attempt} of ${task} in run ${run}${more}`, "", said(message), ...checked, ""].join("\n");
}

/** What was printed, without line ends behind it. */
const said = (text: string): string => (text.trim() === "" ? "(nothing was printed)" : escapeLines(text.trimEnd()));
