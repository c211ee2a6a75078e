import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import type { SpecFolder } from "../find-spec.ts";
import { readStatus } from "../reading/read-status.ts";
import { hasOpenQuestion } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";

type Answer = Pick<RunOptions, "decision" | "guidance">;

/**
 * Check that a stopped run waits for the answer. A run that does not would ignore it.
 *
 * @throws {InputError} `nothing-to-decide`
 */
export function checkAnswer(spec: SpecFolder, { decision, guidance }: Answer, address: SpecAddress): void {
  if (decision === undefined && guidance === undefined) return;
  const { outcome, resumable } = readStatus(spec.folder);
  if (guidance !== undefined && outcome === "skipped") throw nothingToDo(spec, address);
  if (decision === undefined || (resumable && (outcome === "gate" || outcome === "checkpoint"))) return;
  // What was left out is taken up again.
  if (resumable && (outcome === "skipped" ? decision === "retry" : hasOpenQuestion(spec))) return;
  throw new InputError(
    `Cannot decide \`${decision}\` for \`${spec.name}\`, expected a run that stopped with a question`,
    {
      code: "nothing-to-decide",
      hint: `Go on without a decision: ${commandLine(address, resumable ? "resume" : "run")}`,
    },
  );
}

const nothingToDo = ({ name }: SpecFolder, address: SpecAddress): InputError =>
  new InputError(`Cannot take guidance for \`${name}\`, expected a run with a task that is still to be done`, {
    code: "nothing-to-decide",
    hint: `First have what was left out done after all: ${commandLine(address, "resume", { options: ["--decision", "retry"] })}`,
  });
