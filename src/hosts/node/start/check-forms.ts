import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { renderIssues } from "../../../model/parse-json.ts";
import { longestGuidance, PersonDecision, PersonEvent } from "../../../model/person-event.ts";
import { LadderChoices } from "../../../model/rung.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import { answeredQuestion } from "../../../run/user-input.ts";
import type { OwnerRecord } from "../consent/owner-record.ts";
import type { SpecFolder } from "../find-spec.ts";
import { readStatus } from "../reading/read-status.ts";
import { hasOpenQuestion } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Check the form of options that nothing else validates early, since no compiler may have checked the caller's types.
 *
 * @throws {InputError} `bad-option`
 */
export function checkForms({ decision, guidance, ladder }: Pick<RunOptions, "decision" | "guidance" | "ladder">): void {
  if (decision !== undefined && !PersonDecision.safeParse(decision).success) {
    throw bad("decision", JSON.stringify(decision), `one of ${PersonDecision.options.join(", ")}`);
  }
  if (guidance !== undefined && !PersonEvent.safeParse({ type: "guidance.given", text: guidance }).success) {
    const given = typeof guidance === "string" ? `of ${(guidance as string).length} characters` : typeof guidance;
    throw bad("guidance", given, `a text of at most ${longestGuidance} characters`);
  }
  const choices = LadderChoices.safeParse(ladder ?? {});
  if (!choices.success) {
    const names = Object.keys(LadderChoices.shape).join(", ");
    throw bad("ladder", JSON.stringify(ladder), `true or false for ${names} (${renderIssues(choices.error)})`);
  }
}

const bad = (name: string, given: string, expected: string): InputError =>
  new InputError(`Cannot use \`${name}\` ${given}, expected ${expected}`, {
    code: "bad-option",
    hint: `Correct \`${name}\`, or omit it`,
  });

type Answer = Pick<RunOptions, "decision" | "guidance" | "task">;

/**
 * Check that a stopped run waits for the answer; otherwise the answer would be ignored.
 *
 * @throws {InputError} `nothing-to-decide`
 */
export function checkAnswer(
  spec: SpecFolder,
  { decision, guidance, task }: Answer,
  address: SpecAddress,
  { past }: Pick<StartPoint, "past">,
): void {
  const isNamed = task !== undefined;
  if (decision === undefined && guidance === undefined) {
    if (isNamed) throw bad("task", task, "a decision or guidance for that task");
    return;
  }
  // After a kill the question is asked again, and the answer goes to the task that asks then.
  if ((isNamed || past.parked.length > 1) && past.asked === null && past.ended !== null) {
    if (answeredQuestion({ task }, past) === null) throw notMeant(task, past.parked);
    return;
  }
  if (past.parked.length > 0) return;
  const { outcome, resumable } = readStatus(spec.folder);
  if (guidance !== undefined && outcome === "skipped") throw nothingToDo(spec, address);
  if (decision === undefined || (resumable && (outcome === "gate" || outcome === "checkpoint"))) return;
  // `retry` resumes skipped tasks.
  if (resumable && (outcome === "skipped" ? decision === "retry" : hasOpenQuestion(spec))) return;
  throw new InputError(
    `Cannot decide \`${decision}\` for \`${spec.name}\`, expected a run that stopped with a question`,
    {
      code: "nothing-to-decide",
      hint: `Resume without a decision: ${commandLine(address, resumable ? "resume" : "run")}`,
    },
  );
}

/** Error for an answer that names no task while several questions are open, or a task without an open question. */
function notMeant(task: string | undefined, parked: StartPoint["past"]["parked"]): InputError {
  const tasks = parked.map(({ current }) => current).join(", ");
  const named = task === undefined ? "an answer that names no task" : `an answer about task ${task}`;
  const code = "nothing-to-decide";
  if (parked.length === 0) return new InputError(`Cannot take ${named}: no task waits for an answer`, { code });
  return new InputError(`Cannot take ${named}, expected --task with a task that waits: ${tasks}`, { code });
}

const nothingToDo = ({ name }: SpecFolder, address: SpecAddress): InputError =>
  new InputError(`Cannot take guidance for \`${name}\`, expected a run with a task that is still to be done`, {
    code: "nothing-to-decide",
    hint: `First resume the skipped tasks: ${commandLine(address, "resume", { options: ["--decision", "retry"] })}`,
  });

/**
 * Refuse a start with `permissions: full` unless a person has set it on the command line, now or at an earlier start of
 * this spec.
 *
 * @throws {InputError} `full-not-said`
 */
export function refuseFull(
  { policy: { permissions } }: Pick<StartPoint, "policy">,
  { agreement }: Pick<OwnerRecord, "agreement">,
  { policy = {}, fromFiles = {} }: Pick<RunOptions, "policy" | "fromFiles">,
): void {
  if (permissions !== "full") return;
  const isSaid = policy.permissions === "full" && !Object.hasOwn(fromFiles, "permissions");
  if (isSaid || agreement?.options["permissions"] === "full") return;
  throw new InputError("Cannot take `permissions: full` from a file, expected it on the command line", {
    code: "full-not-said",
    ways: [
      { say: "Allow the tool to do everything", words: ["--permissions", "full"] },
      { say: "Or only to write files, run Verify and commit", words: ["--permissions", "edit"] },
    ],
  });
}
