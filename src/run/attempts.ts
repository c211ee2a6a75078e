import { knownRun } from "../evidence/judge-runs.ts";
import type { Answer } from "../model/effect.ts";
import type { Proof } from "../model/evidence.ts";
import { boxesOf } from "../model/plan-parts.ts";
import type { RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptKey, attemptOf, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { type TaskId, wholeOf } from "../model/task.ts";
import type { Attempt, RaceSoFar } from "../model/turn.ts";
import { noteLeft, noteLost, noteReds, refund, settle } from "./trees.ts";

type Outcome = Pick<
  Extract<RunRecord, { type: "answered" }>,
  "key" | "reply" | "verify" | "reality" | "judgement" | "review"
>;

export function changeAttempt({ turn }: RunState, key: AttemptKey, more: Partial<Attempt>): void {
  const before = at(turn.attempts, key);
  if (before !== undefined) turn.attempts[key] = { ...before, ...more };
}

export function noteOutcome(state: RunState, { key, reply, verify, reality, judgement, review }: Outcome): void {
  const attempt = attemptOf(key);
  if (reply !== undefined) {
    state.turn.attempts[attempt] = {
      reply,
      verify: null,
      reality: null,
      judgement: null,
      review: null,
      concluded: null,
      boxes: null,
      refusal: null,
      failure: null,
    };
  }
  const before = at(state.turn.attempts, attempt);
  // If the verdict was recorded before this answer, the runs of the verdict are noted already.
  if (before === undefined || before.concluded === null) {
    if (verify !== undefined) noteCheck(state, verify);
    if (reality !== undefined) noteCheck(state, reality);
  }
  if (before === undefined) return;
  state.turn.attempts[attempt] = {
    reply: before.reply,
    verify: verify ?? before.verify,
    reality: reality ?? before.reality,
    judgement: judgement ?? before.judgement,
    review: review ?? before.review,
    concluded: null,
    boxes: before.boxes,
    refusal: before.refusal,
    failure: before.failure,
  };
  const content = verify?.tree ?? reply?.tree;
  if (content != null) noteLeft(state, attempt, content);
}

export function noteCheck(state: RunState, run: NonNullable<Outcome["verify"]>): void {
  const { command, name } = run;
  const last = knownRun(run);
  const before = at(state.checks, command);
  state.checks[command] = {
    last,
    passed: last.passed ? name : (before?.passed ?? null),
    failed: last.passed ? (before?.failed ?? null) : name,
    atFirst: before?.atFirst ?? (hasWorked(state) ? [] : last.reds.map((check) => check.name)),
  };
  noteReds(state, taskOf(name), last.reds);
  for (const check of run.flaky ?? []) state.flaky[check] = (at(state.flaky, check) ?? 0) + 1;
}

/**
 * Whether any executor has worked. Delegations that have only begun do not count: all baseline runs of a batch precede
 * its work.
 */
const hasWorked = ({ iterations, turn }: RunState): boolean =>
  iterations > Object.values(turn.claims).filter((stage) => stage === "begun").length;

/** After a verdict, keep only the box changes of tasks that are still in progress. */
export function settleBoxes({ turn }: RunState): void {
  for (const [key, attempt] of Object.entries(turn.attempts)) {
    if (attempt.boxes === null) continue;
    const atWork = new Set(Object.keys(turn.inFlight));
    turn.attempts[key] = { ...attempt, boxes: boxesOf(attempt.boxes, atWork) };
  }
}

interface Pass {
  readonly commit: string | null;
  /** Whether the log lines are still to be written. */
  readonly grouped: boolean;
  /** Null if a start found the task done. */
  readonly proof?: Proof | null;
  /** Whether the box and the log lines are not flushed yet. */
  readonly pending?: boolean;
}

export function pass(state: RunState, task: TaskId, { commit, grouped, proof = null, pending = false }: Pass): void {
  delete state.turn.inFlight[task];
  settle(state, task);
  state.trouble = { what: null, tasks: [] };
  if (wholeOf(task) !== null) return;
  state.accepted[task] = true;
  delete state.parked[task];
  const content = state.turn.contents[task];
  delete state.contents[task];
  if (content !== undefined) state.contents[task] = content;
  if (proof === null) delete state.proofs[task];
  else state.proofs[task] = proof;
  if (grouped) state.owed[task] = commit;
  if (pending) state.unflushed[task] = commit;
}

export function noteRaced({ turn }: RunState, key: AttemptKey, result: RaceSoFar["ended"][AttemptKey]): void {
  const race = at(turn.races, taskOf(key));
  if (race !== undefined) turn.races[taskOf(key)] = { ...race, ended: { ...race.ended, [key]: result } };
}

type Taken = Extract<Answer<"delegate">, { readonly kind: "replied" | "requested" }>;

/**
 * End a race with its chosen attempt. Each other attempt counts as failed, or as not spent if its executor was
 * unavailable. Does nothing if there was no race.
 */
export function endRace(state: RunState, task: TaskId, { attempt, content = null }: Taken): void {
  const { turn } = state;
  const race = at(turn.races, task);
  if (race === undefined) return;
  delete turn.races[task];
  const number = attempt ?? race.first;
  const taken = attemptKey(task, number);
  const others = Array.from({ length: race.of }, (_, index) => attemptKey(task, race.first + index)).filter(
    (key) => key !== taken && Object.hasOwn(turn.executors, key),
  );
  for (const key of others) {
    delete turn.unanswered[key];
    turn.claims[key] = "judged";
    const { outcome, tried } = at(race.ended, key) ?? {};
    if (outcome === "unable") refund(state, task);
    else noteLost(state, task, tried);
  }
  delete turn.unanswered[taken];
  turn.claims[taken] = "claimed";
  turn.taken[task] = number;
  if (content !== null) noteLeft(state, taken, content);
}
