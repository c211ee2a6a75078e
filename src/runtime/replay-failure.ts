import { failureOf } from "../effects/failure-of.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Failure, FailureDigest } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { Role } from "../model/role.ts";
import { fixId, fixNumber, type TaskId } from "../model/task-id.ts";
import { digestFailure } from "../recover/digest-failure.ts";
import { lastLine } from "../recover/last-line.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import type { RecordedAttempt } from "./recorded-attempt.ts";
import type { Decision } from "./replayed.ts";

/** What an attempt has failed with, from what is recorded of it; null when the journal does not hold enough. */
export function failureIn(
  task: TaskId,
  { reply, verify, reality, judgement, review }: RecordedAttempt,
  role: Role | undefined,
  at: number,
): Failure | null {
  const failed = judgement?.layers.find(({ kind }) => kind === "failed");
  if (review === null && (failed === undefined || (failed.layer === "signal" && reply === null))) return null;
  return failureOf(task, { reply: reply ?? { text: "" }, verify, reality, judgement, review }, role, at);
}

/** What is read from a failed attempt. When an executor can work again, and whether another stands in, is told by the clock. */
export function digestDecisions(
  failure: Failure,
  answer: FailureDigest,
  { reply, judgement }: RecordedAttempt,
): Decision[] {
  const isClaim = judgement?.layers.some(({ layer, reason }) => layer === "signal" && reason === failure.error);
  // Older versions recorded the text of the claim as the error.
  const isOlder = isClaim === true && reply !== null && lastLine(reply.text) === answer.error;
  const { until: _until, evidence, ...told } = digestFailure(isOlder ? { ...failure, error: answer.error } : failure);
  // Of a reply that is too long to stand in the journal nobody knows how it ended.
  const expected = reply !== null && evidence !== undefined ? { ...told, evidence } : told;
  const recorded = Object.fromEntries(
    Object.keys(expected).map((field) => [field, answer[field as keyof FailureDigest]]),
  );
  return [{ what: "what an attempt has failed with", expected, recorded }];
}

/** The fix task for a failure. Its Files and Verify are those of the plan, and so is the scope of its commit message. */
export function fixDecisions(
  fix: FixTask,
  { failure, fixOf: task, supersedes, made, scope }: EffectInput<"insertFix">,
): Decision[] {
  const { files, verify, commit } = fix;
  const attempt = fixNumber(fix.id);
  const isNext = fix.id === fixId(task, attempt) && attempt > made;
  const numbered = {
    what: "the id of a fix task",
    expected: isNext ? fix.id : fixId(task, made + 1),
    recorded: fix.id,
  };
  const source = { id: task, title: "", fields: { files, ...(verify !== null && { verify }), commit } };
  const expected = writeFixTask({ task: source, failure, attempt, scope, supersedes });
  return [numbered, { what: "the fix task for a failure", expected, recorded: { ...fix } }];
}
