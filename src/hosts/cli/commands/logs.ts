import * as z from "zod";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { type AttemptOutput, readAttempt } from "../../node/reading/read-attempt.ts";
import { command, json, runNumber } from "../command.ts";
import { flag } from "../options/read-flag.ts";

export const logs = command({
  options: {
    attempt: flag(z.int().min(1), "--attempt <n>", "which attempt at the task", { unset: "the last" }),
    run: runNumber,
    json,
  },
  example: "fixpoint logs 1.3 my-feature --attempt 2",
  async run({ words: [task = "", named], given, open, print }) {
    const { spec, address } = open(named, `logs ${task}`.trimEnd());
    const output = await readAttempt(spec, task, { run: given.run, attempt: given.attempt, address });
    print(output, () => renderOutput(output));
  },
});

function renderOutput({ task, run, attempt, attempts, message, verify }: AttemptOutput): string {
  const others = attempts.filter((each) => each !== attempt);
  const more =
    others.length === 0 ? "" : `; other ${others.length === 1 ? "attempt" : "attempts"}: ${others.join(", ")}`;
  const checked =
    verify === null
      ? []
      : ["", `Verify: ${escapeText(verify.command)} (exit ${verify.exitCode ?? "by a signal"})`, said(verify.output)];
  return [`Attempt ${attempt} of ${task} in run ${run}${more}`, "", said(message), ...checked, ""].join("\n");
}

const said = (text: string): string => (text.trim() === "" ? "(nothing was printed)" : escapeLines(text.trimEnd()));
