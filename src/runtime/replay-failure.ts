import { failureOf } from "../effects/failure-of.ts";
import type { Failure } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { TaskId } from "../model/task-id.ts";
import type { AttemptRecord } from "../ports.ts";
import { digestFailure } from "../recover/digest-failure.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import type { RecordedAttempt } from "./replay-evidence.ts";
import type { Decision } from "./replayed.ts";

/** What an attempt has failed with, from what is recorded of it; null when the journal does not hold enough. */
export function failureIn(task: TaskId, { reply, verify, judgement, review }: RecordedAttempt, at: number) {
  const failed = judgement?.layers.find(({ kind }) => kind === "failed");
  if (review === null && (failed === undefined || (failed.layer === "signal" && reply === null))) return null;
  const known = { reply: reply ?? { text: "" }, verify, judgement, review } satisfies Partial<AttemptRecord>;
  return failureOf(task, known as AttemptRecord, at);
}

/** What is read from a failed attempt. When an executor can work again, and whether another stands in, is told by the clock. */
export function digestDecisions(failure: Failure, answer: unknown): Decision[] {
  const { until: _until, ...expected } = digestFailure(failure);
  const given = answer as Record<string, unknown>;
  const recorded = Object.fromEntries(Object.keys(expected).map((field) => [field, given[field]]));
  return [{ what: "what an attempt has failed with", expected, recorded }];
}

/** The fix task for a failure. Its Files and Verify are those of the plan, and so is the scope of its commit message. */
export function fixDecisions(
  failure: Failure | null,
  fix: FixTask,
  { task, made, scope }: { readonly task: TaskId; readonly made: number; readonly scope: string | null },
): Decision[] {
  const { files, verify, commit } = fix;
  const attempt = Number(fix.id.slice(fix.id.lastIndexOf(".") + 1));
  const isNext = fix.id === `${task}.${attempt}` && attempt > made;
  const numbered = {
    what: "the id of a fix task",
    expected: isNext ? fix.id : `${task}.${made + 1}`,
    recorded: fix.id,
  };
  if (failure === null) return [numbered];
  const source = { id: task, title: "", fields: { files, verify, commit } };
  const expected = writeFixTask({ task: source, failure, attempt, scope });
  return [numbered, { what: "the fix task for a failure", expected, recorded: { ...fix } }];
}
