import type { EffectName } from "../model/effect.ts";
import type { Layer, Proof } from "../model/evidence.ts";
import type { FailureDigest } from "../model/failure.ts";
import { oneTooLong } from "../model/ledger.ts";
import type { Answered } from "../model/record.ts";
import { type AttemptKey, attemptOf, isServiceKind, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { changeAttempt, endRace, noteOutcome, noteRaced, pass, settleBoxes } from "./attempts.ts";
import { newTurn } from "./new-run.ts";
import { keepBook, noteAdded, noteShipping } from "./pull-request.ts";
import { chosenRoot, countUse, rootOf, spend } from "./spending.ts";
import {
  accept,
  ask,
  askAboutAct,
  begin,
  direct,
  fail,
  hear,
  hold,
  refund,
  reject,
  report,
  skip,
  treeOf,
} from "./trees.ts";
import {
  choose,
  chooseCleanup,
  goBack,
  goToFix,
  goToPart,
  goToWhole,
  isParked,
  noteAnswer,
  noteDecision,
  noteDirective,
  noteRefusal,
  noteTrouble,
  park,
  setBack,
  stop,
} from "./turn.ts";

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
  noteShipping(state, record);
  park(state, record);
  if (answer.kind === "denied" && worksOn.has(effect)) stop(state, chosenRoot(state, task));
  switch (effect) {
    case "chooseTask":
      state.batch = answer.kind === "batch" ? answer.members.map(({ root }) => root) : [];
      // The guidance goes to the chosen task.
      if (answer.kind === "task" || answer.kind === "batch") state.advice = null;
      // Choosing a task also wrote the log lines of an earlier batch.
      state.owed = {};
      choose(state, answer);
      break;
    case "decide":
      noteDecision(state, task, answer);
      break;
    case "nextPart":
      if (answer.kind === "part") goToPart(state, answer.task);
      else goToWhole(state, answer.task);
      break;
    case "verify":
      // A parked task stays in flight: its box is reset at the next choice.
      if (answer.kind !== "accepted" && !isParked(answer)) delete turn.inFlight[task];
      if (answer.kind === "rejected" || (answer.kind === "failed" && !shownByVerify.has(answer.layer)))
        hold(state, task);
      settleBoxes(state);
      if (answer.kind === "rejected" && answer.withheld !== true) {
        const { layer, reason } = answer;
        reject(state, task, reason);
        const times = (at(state.turn.setbacks, task)?.rejection?.times ?? 0) + 1;
        setBack(state, task, { failure: null, rejection: { layer, reason, times } });
      }
      if (answer.kind === "blocked") {
        ask(state, task, answer.question, answer.covers);
        // If a person accepts the change, the task is done, but unproven.
        if (answer.covers !== undefined) {
          noteProof(state, task, { kind: "unproven", reason: "its proof was changed" }, record.verify?.tree);
        }
      }
      if (answer.kind === "accepted") {
        accept(state, task, answer.left ?? null);
        if (answer.given !== undefined) state.given = answer.given;
        noteExcused(state, answer.excused ?? []);
        noteProof(state, task, answer.proof ?? { kind: "unverified" }, record.verify?.tree ?? answer.content);
      }
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
      goBack(state, task);
      if (answer.open === true) break;
      noteAdded(state, attempt, answer.commit ?? null);
      pass(state, task, {
        commit: answer.commit ?? null,
        grouped: answer.grouped ?? false,
        proof: answer.proof ?? turn.proofs[task] ?? null,
        pending: answer.pending ?? false,
      });
      break;
    case "mergeProgress":
      state.owed = {};
      break;
    case "askOperator":
      if (answer.kind === "directed") {
        direct(state, task, answer.directive);
        noteDirective(state, task, answer.directive);
      }
      if (answer.kind === "malformed") noteRefusal(state, key, task, answer.reason);
      if (answer.kind === "malformed" && answer.until !== undefined) block(state, key, answer.until, time);
      break;
    case "gatherParts":
      // The combined claim gets an attempt number, but counts as a wait instead of an attempt.
      begin(state, task);
      spend(state, task, ({ attempts, waits = 0 }) => ({ attempts: attempts + 1, waits: waits + 1 }));
      goToWhole(state, task);
      break;
    case "writeStuckReport":
      report(state, task, answer.path);
      break;
    case "recordSkip":
      delete turn.inFlight[task];
      goBack(state, task);
      if (answer.skipped !== undefined) skip(state, answer.skipped.root, answer.skipped.justification);
      break;
    case "askPerson":
      noteAnswer(state, task, answer);
      hear(state, rootOf(state, task), answer);
      // At a gate, keep the environment problem: no person has handled it yet.
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
    case "checkWork":
      if (answer.kind === "broken") {
        state.checked = { before: null, carried: [], ...state.checked, expected: answer.expected };
      }
      if (answer.kind === "checked") {
        Object.assign(state.proofs, answer.proofs);
        noteExcused(state, answer.excused ?? []);
        const { before, carried, expected } = answer;
        state.checked = { before, carried, expected };
      }
      break;
    case "chooseCleanup":
      if (answer.kind === "task") chooseCleanup(state, answer.root);
      break;
    case "insertFix":
      if (answer.kind === "inserted") goToFix(state, answer.fix);
      break;
    case "delegate":
      if (answer.kind === "done") {
        accept(state, task, null);
        noteProof(state, task, answer.proof, record.verify?.tree);
        // Keep the task in flight until its box is ticked, so that tasks judged meanwhile ignore the box.
        turn.inFlight[task] = true;
      }
      if (answer.kind === "raced") noteRaced(state, attempt, answer);
      if (answer.kind === "replied" || answer.kind === "requested") endRace(state, task, answer);
      break;
    case "review":
      if (answer.kind === "failed") hold(state, task);
      break;
    default:
    // Nothing to apply: other effects are recorded before they begin, or in the facts of their answers.
  }
}

function noteExcused(state: RunState, checks: RunState["excused"]): void {
  const known = new Set(state.excused.map(({ name }) => name));
  const more = checks.filter(({ name }) => !known.has(name));
  if (more.length > 0) state.excused = [...state.excused, ...more];
}

/**
 * Note the proof of a task. @param content Workspace content afterwards; not given if it was not read after the
 * attempts.
 */
function noteProof(state: RunState, task: TaskId, proof: Proof, content: string | null | undefined): void {
  state.turn.proofs[task] = proof;
  state.turn.contents[task] = content ?? treeOf(state, rootOf(state, task)).left?.content ?? null;
}

/**
 * Layers whose failures a green Verify settles before the next delegation. A rejection must be answered by the agent.
 */
const shownByVerify: ReadonlySet<Layer> = new Set(["signal", "verify"]);

/** Effects at which a run limit stops the work on a task. */
const worksOn: ReadonlySet<EffectName> = new Set(["delegate", "review", "insertFix", "askOperator"]);

function applyFailure(state: RunState, attempt: AttemptKey, failure: FailureDigest, time: number | null): void {
  const task = taskOf(attempt);
  if (failure.denied !== undefined || isServiceKind(failure.kind)) {
    refund(state, task);
    if (failure.fallback !== true) setBack(state, task, { failure, rejection: null });
    if (failure.denied !== undefined) askAboutAct(state, task, failure.denied);
    else block(state, attempt, failure.blocked === undefined ? (failure.until ?? null) : failure.blocked, time);
    return;
  }
  fail(state, task, failure);
  const before = at(state.turn.setbacks, task)?.failure ?? null;
  const isAfterWork = failure.unreported === true && before !== null && before.unreported !== true;
  setBack(state, task, { failure, rejection: null, ...(isAfterWork && { afterWork: true }) });
  if (failure.repeated === true) noteTrouble(state, task, failure.environment ?? "");
  const { error, status, unstated } = failure;
  changeAttempt(state, attempt, { failure: { error, status, ...(unstated !== undefined && { unstated }) } });
  if (failure.kind === "context-exhausted") spend(state, task, oneTooLong);
  meet(state, task, failure.environment ?? null);
}

function meet(state: RunState, task: TaskId, what: string | null): void {
  const before = what === state.trouble.what ? state.trouble.tasks : [];
  state.trouble = { what, tasks: what === null ? [] : [...new Set([...before, task])] };
}

/** Mark an executor as unavailable. @param until Null: until a person helps. */
function block(state: RunState, key: AttemptKey, until: number | null, said: number | null): void {
  const name = at(state.turn.executors, key);
  if (name !== undefined) state.blocked[name] = { until, said };
}

function replan(state: RunState, attempt: AttemptKey): void {
  const task = taskOf(attempt);
  delete state.turn.inFlight[task];
  refund(state, task);
  // A split task is done when its parts are done.
  if (at(state.turn.changes, attempt)?.change.tick === true) state.accepted[task] = true;
}
