import type { NewTask } from "../model/plan-change.ts";
import { type Book, noBook } from "../model/pull-request.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { afterAdding, afterResult, afterShipping } from "../recover/pull-request-tasks.ts";

/** Characters of a final message that are kept for a reviewer. */
const keptReply = 4000;

export const bookOf = ({ pullRequest = noBook }: Pick<RunState, "pullRequest">): Book => pullRequest;

/** A task is about to be written into the plan for a pull request. */
export function addToBook(
  state: RunState,
  { key, cause, checks, plan }: Extract<RunRecord, { type: "addition" }>,
): void {
  const added = plan.tasks[0] as NewTask;
  state.turn.addition = { key, change: plan, checks };
  state.pullRequest = afterAdding(bookOf(state), added.id, { cause, checks });
}

/** A task has passed: one that was added for a pull request has a result from then on. */
export function noteAdded(state: RunState, attempt: AttemptKey, commit: string | null): void {
  if (state.pullRequest === undefined) return;
  const reply = at(state.turn.attempts, attempt)?.reply.text ?? "";
  state.pullRequest = afterResult(state.pullRequest, taskOf(attempt), { commit, reply: reply.slice(-keptReply) });
}

/** What an answer of a forge or a remote means for the book. */
export function keepBook(state: RunState, record: Answered): void {
  const { answer } = record;
  if (answer.kind === "green") {
    // A green check is the verdict on what was done for it.
    for (const [task, { cause }] of Object.entries(bookOf(state).tasks)) {
      if (cause.kind === "check") state.proofs[task] = { kind: "proven" };
    }
  }
  const after = afterShipping(bookOf(state), answer);
  if (after !== bookOf(state)) state.pullRequest = after;
}
