import type { FailureDigest } from "../model/failure.ts";
import { oneTooLong } from "../model/ledger.ts";
import type { Answered } from "../model/record.ts";
import { type AttemptKey, attemptOf, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { isServiceKind } from "../model/service-problem.ts";
import type { TaskId } from "../model/task-id.ts";
import { changeAttempt, noteOutcome, pass, settleBoxes } from "./attempts.ts";
import { countUse } from "./costs.ts";
import { keepBook, noteAdded } from "./keep-book.ts";
import { newTurn } from "./new-run.ts";
import { rootOf, spend } from "./spent.ts";
import { accept, ask, askAboutAct, begin, direct, fail, hear, refund, report, skip } from "./trees.ts";

/** What an answer means for the run. */
export function applyAnswer(state: RunState, record: Answered & { readonly at?: number }): void {
  const { key, at: time = null } = record;
  const attempt = attemptOf(key);
  const task = taskOf(key);
  if (record.effect === "chooseTask") {
    state.turns += 1;
    state.turn = newTurn();
  }
  noteOutcome(state, record);
  countUse(state, record);
  const { turn } = state;
  const { effect, answer } = record;
  switch (effect) {
    case "chooseTask":
      state.batch = answer.kind === "batch" ? answer.members.map(({ root }) => root) : [];
      // Who was chosen is told it.
      if (answer.kind === "task" || answer.kind === "batch") state.advice = null;
      // It writes the lines that a batch before has left.
      state.owed = {};
      break;
    case "verify":
      if (answer.kind !== "accepted") delete turn.inFlight[task];
      settleBoxes(state);
      if (answer.kind === "rejected" && answer.withheld !== true) fail(state, task, null);
      if (answer.kind === "blocked") ask(state, task, answer.question);
      if (answer.kind === "accepted") accept(state, task, answer.left ?? null);
      break;
    case "readFailure":
      applyFailure(state, attempt, answer, time);
      break;
    case "changePlan":
      if (answer.kind === "refused") changeAttempt(state, attempt, { refusal: answer.reason });
      if (answer.kind === "replanned" || answer.kind === "extended") {
        for (const member of state.batch) state.sequential[member] = true;
      }
      if (answer.kind === "replanned") replan(state, attempt);
      break;
    case "recordPass":
      if (answer.open === true) break;
      noteAdded(state, attempt, answer.commit ?? null);
      pass(state, task, {
        commit: answer.commit ?? null,
        grouped: answer.grouped ?? false,
        unverified: answer.unverified ?? false,
        pending: answer.pending ?? false,
      });
      break;
    case "mergeProgress":
      state.owed = {};
      break;
    case "askOperator":
      if (answer.kind === "directed") direct(state, task, answer.directive);
      if (answer.kind === "malformed" && answer.until !== undefined) block(state, key, answer.until, time);
      break;
    case "gatherParts":
      // It has the number of an attempt, but is none.
      begin(state, task);
      spend(state, task, ({ attempts, waits = 0 }) => ({ attempts: attempts + 1, waits: waits + 1 }));
      break;
    case "writeStuckReport":
      report(state, task, answer.path);
      break;
    case "recordSkip":
      delete turn.inFlight[task];
      if (answer.skipped !== undefined) skip(state, answer.skipped.root, answer.skipped.justification);
      break;
    case "askPerson":
      hear(state, rootOf(state, task), answer);
      // At a gate nobody has seen to it.
      if (answer.kind !== "gate") state.trouble = { what: null, tasks: [] };
      break;
    case "addPullRequestTask":
      delete turn.addition;
      break;
    case "adoptHead":
    case "answerThread":
    case "confirmPullRequest":
    case "openPullRequest":
    case "pushBranch":
    case "readPullRequest":
    case "rerunCheck":
      keepBook(state, record);
      break;
    // What they are about was recorded before they began, or shows in their facts alone.
    case "chooseCleanup":
    case "confirmCompletion":
    case "delegate":
    case "insertFix":
    case "review":
    case "updateBranch":
    case "awaitChange":
    case "awaitTime":
    case "wait":
      break;
  }
}

function applyFailure(state: RunState, attempt: AttemptKey, failure: FailureDigest, time: number | null): void {
  const task = taskOf(attempt);
  if (failure.denied !== undefined || isServiceKind(failure.kind)) {
    refund(state, task);
    if (failure.denied !== undefined) askAboutAct(state, task, failure.denied);
    else block(state, attempt, failure.blocked === undefined ? (failure.until ?? null) : failure.blocked, time);
    return;
  }
  fail(state, task, failure);
  const { error, status, unstated } = failure;
  changeAttempt(state, attempt, { failure: { error, status, ...(unstated !== undefined && { unstated }) } });
  if (failure.kind === "context-exhausted") spend(state, task, oneTooLong);
  meet(state, task, failure.environment ?? null);
}

/** A task has failed with a trouble of the environment; null: with something else. */
function meet(state: RunState, task: TaskId, what: string | null): void {
  const before = what === state.trouble.what ? state.trouble.tasks : [];
  state.trouble = { what, tasks: what === null ? [] : [...new Set([...before, task])] };
}

/** Who was given an attempt cannot work. @param until Null: not before a person has seen to it. */
function block(state: RunState, key: AttemptKey, until: number | null, said: number | null): void {
  const name = at(state.turn.executors, key);
  if (name !== undefined) state.blocked[name] = { until, said };
}

/** The change that an attempt was granted puts other tasks first. */
function replan(state: RunState, attempt: AttemptKey): void {
  const task = taskOf(attempt);
  delete state.turn.inFlight[task];
  refund(state, task);
  // A task that was split is done when its parts are.
  if (at(state.turn.changes, attempt)?.change.tick === true) state.accepted[task] = true;
}
