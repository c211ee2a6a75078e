import type { NewTask } from "../model/plan-change.ts";
import { type Book, noBook } from "../model/pull-request.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { afterAdding, afterResult, afterShipping } from "../recover/pull-request-tasks.ts";

/** Length of a final message kept for a reviewer, in characters. */
const keptReply = 4000;

export const bookOf = ({ pullRequest = noBook }: Pick<RunState, "pullRequest">): Book => pullRequest;

/** Note a task before it is written into the plan for a pull request. */
export function addToBook(
  state: RunState,
  { key, cause, checks, plan }: Extract<RunRecord, { type: "addition" }>,
): void {
  const added = plan.tasks[0] as NewTask;
  state.turn.addition = { key, change: plan, checks };
  state.pullRequest = afterAdding(bookOf(state), added.id, { cause, checks });
}

/** Note that a pull-request task has passed and has a result. */
export function noteAdded(state: RunState, attempt: AttemptKey, commit: string | null): void {
  if (state.pullRequest === undefined) return;
  const reply = at(state.turn.attempts, attempt)?.reply.text ?? "";
  state.pullRequest = afterResult(state.pullRequest, taskOf(attempt), { commit, reply: reply.slice(-keptReply) });
}

/** Update the pull-request book by an answer of a forge or remote. */
export function keepBook(state: RunState, record: Answered): void {
  const { answer } = record;
  if (answer.kind === "green") {
    // A green check confirms the tasks made for it.
    for (const [task, { cause }] of Object.entries(bookOf(state).tasks)) {
      if (cause.kind === "check") state.proofs[task] = { kind: "proven" };
    }
  }
  const after = afterShipping(bookOf(state), answer);
  if (after !== bookOf(state)) state.pullRequest = after;
}
