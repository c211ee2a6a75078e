import type { DecisionState } from "../model/decision.ts";
import type { Effect, EffectInput, EffectName } from "../model/effect.ts";
import type { FailureDigest } from "../model/failure.ts";
import { fixesOn, repairsLeft, spentOn, tooLongIn } from "../model/ledger.ts";
import { runLimits } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { attemptKey, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { escalates } from "../model/rung.ts";
import { wholeOf } from "../model/task.ts";
import { fixFor } from "../recover/decide.ts";
import { afterClimb } from "../recover/escalation.ts";
import { remainingRacers } from "../recover/levels.ts";
import { rulesOf } from "../recover/rules.ts";
import { detectStuck } from "../recover/stuck.ts";
import {
  adjustmentFor,
  attemptsOnParts,
  climbFor,
  decisionState,
  fixesIn,
  repairOf,
  rungOf,
  skipOf,
  skippedParts,
} from "./decision-state.ts";
import { inputOnPullRequest, isShipping } from "./pull-request.ts";
import { inputOnRun, type RunRequest, repairLimits } from "./run-requests.ts";
import { rootOf } from "./spending.ts";
import { treeOf } from "./trees.ts";

/** A request of a chart for an effect. */
export interface Requested {
  readonly name: EffectName;
  /** The planned task of the tree; not given for a request about the run. */
  readonly root?: string | undefined;
  /** The task in question; not given for a request about the run. */
  readonly current?: string | undefined;
  readonly input: object;
}

/** Complete a requested effect from the state. */
export function effectFor(state: RunState, policy: Policy, { name, root, current, input }: Requested): Effect {
  const full = isShipping(name)
    ? inputOnPullRequest(state, policy, name)
    : root === undefined || current === undefined
      ? inputOnRun(state, policy, { name, ...input } as RunRequest)
      : inputOnTask(state, policy, { name, root, current } as TaskRequest);
  return { name, key: full.key, input: full } as Effect;
}

interface TaskRequest {
  readonly name: TaskEffectName;
  readonly root: string;
  readonly current: string;
}
type TaskEffectName = keyof typeof requests;

function inputOnTask(state: RunState, policy: Policy, request: TaskRequest): EffectInput<TaskEffectName> {
  const standing = decisionState(state, policy, request);
  const name = request.name;
  const attempt = attemptNumber(state, standing, name);
  const asking: Asking = { state, standing, attempt };
  const key = `${attemptKey(standing.current, attempt)}/${isSecondRound(asking, name) ? "askAgain" : name}`;
  return { key, task: standing.current, ...requests[name](asking) } as EffectInput<TaskEffectName>;
}

interface Asking {
  readonly state: RunState;
  readonly standing: DecisionState;
  readonly attempt: number;
}

/**
 * Number of the unanswered attempt; without an unanswered attempt, number of the next attempt. In a race, number of the
 * first attempt of the race.
 */
function attemptNumber({ turn }: RunState, { spent, current }: DecisionState, name: TaskEffectName): number {
  const { attempts } = spentOn(spent, current);
  if (name === "gatherParts") return attempts + 1;
  if (name !== "delegate") return at(turn.taken, current) ?? attempts;
  const race = at(turn.races, current);
  if (race !== undefined) return race.first;
  return at(turn.unanswered, attemptKey(current, attempts)) === true ? attempts : attempts + 1;
}

/**
 * Whether the next attempt starts without the changes of earlier attempts. False while other tasks run in the same
 * workspace.
 */
function beginsFresh(state: RunState, standing: DecisionState): boolean {
  const { policy, grouped, root, current } = standing;
  if ((grouped && !policy.worktrees) || policy.fresh === "never") return false;
  // Keep the changes of a fix task that ran since the last attempt.
  const { left } = treeOf(state, root);
  const isAgain = left !== undefined && taskOf(left.key) === current;
  return climbFor(standing) !== null || (policy.fresh === "always" && isAgain);
}

const isSecondRound = ({ state, standing, attempt }: Asking, name: TaskEffectName): boolean =>
  name === "askOperator" && Object.hasOwn(state.turn.refusals, attemptKey(standing.current, attempt));

const requests = {
  delegate: ({ state, standing, attempt }: Asking) => {
    const { current, policy, spent } = standing;
    const { attempts, retries } = spentOn(spent, current);
    const underWay = at(state.turn.races, current);
    const isBegun = underWay !== undefined || attempt === attempts;
    const level = climbFor(standing)?.level ?? null;
    // A delegation is counted at its level when it begins.
    const escalation = level === null || isBegun ? standing.escalation : afterClimb(standing.escalation, level);
    const begun = { ...standing, escalation };
    // A part gets no race: parts are combined by the numbers of their last attempts.
    const racers = level !== "race" || wholeOf(current) !== null ? 1 : remainingRacers(standing.escalation, policy);
    const race = underWay?.of ?? racers;
    return {
      root: standing.root,
      attempt,
      retries: retries + (at(state.turn.retried, current) === true ? 1 : 0),
      requireExecutorTick: requiresTick(standing),
      limits: runLimits(policy),
      grouped: standing.grouped,
      climb: climbFor(begun),
      escalation,
      escalates: escalates(policy),
      remedy: rungOf(standing),
      maxEvidence: policy.maxEvidence,
      adjustment: adjustmentFor(standing),
      // A restarted attempt gets the same guidance again.
      guidance: isBegun ? (at(state.turn.advised, attemptKey(current, attempt)) ?? null) : standing.guidance,
      tooLong: tooLongIn(spent),
      permissions: policy.permissions,
      committed: policy.commit === "all",
      verifyBefore:
        policy.verifyBefore &&
        rulesOf(policy).reverifiesAfterFix &&
        !policy.trustExecutor &&
        at(treeOf(state, standing.root).held ?? {}, current) !== true &&
        !(current === standing.root && treeOf(state, current).passed === true)
          ? policy.verifyTimeout
          : null,
      guard: policy.guard,
      ...(beginsFresh(state, standing) && { fresh: true }),
      ...(race > 1 && { race: { of: race, judging: judgingFor(standing) } }),
      ...(standing.grouped && { members: membersOf(state) }),
    };
  },
  changePlan: ({ standing: { root } }: Asking) => ({ root }),
  verify: ({ standing }: Asking) => judgingFor(standing),
  review: ({ state, standing: { spent, current, policy }, attempt }: Asking) => ({
    // A round that has begun and is unanswered keeps its number.
    round:
      at(state.turn.rounds, `${attemptKey(current, attempt)}/review`) ?? (spentOn(spent, current).reviews ?? 0) + 1,
    limits: runLimits(policy),
  }),
  readFailure: ({ standing }: Asking) => {
    const { policy, spent, current } = standing;
    return {
      waits: spentOn(spent, current).waits ?? 0,
      // Watch for signs of being stuck only if the policy uses them: to skip a rung, or to describe at a level what was
      // tried.
      watch: escalates(policy) || policy.recovery.length > 1,
      waiting: waitedFor(standing),
      maxWait: policy.maxWait,
      tooLong: tooLongIn(spent),
      rung: rungOf(standing),
    };
  },
  wait: ({ standing }: Asking) => ({ ...hindrance(standing), rung: rungOf(standing) }),
  decide: ({ standing: { root } }: Asking) => ({ root }),
  nextPart: ({ standing: { root } }: Asking) => ({ root }),
  insertFix: ({ standing }: Asking) => {
    const { task: fixOf, supersedes } = fixFor(standing);
    return {
      fixOf,
      supersedes,
      // Only a failed attempt leads here.
      failure: standing.failure as FailureDigest,
      made: fixesOn(standing.spent, fixOf),
      scope: standing.policy.scope,
      limits: runLimits(standing.policy),
    };
  },
  askOperator: (asking: Asking) => {
    const { state, standing, attempt } = asking;
    const { root, current, policy, repairs, escalation, spent } = standing;
    return {
      root,
      round: isSecondRound(asking, "askOperator") ? 2 : 1,
      refusal: at(state.turn.refusals, attemptKey(current, attempt)) ?? null,
      budget: repairsLeft(spent, policy.repairBudget),
      repairs: [...repairs],
      escalation,
      maxEvidence: policy.maxEvidence,
      limits: runLimits(policy),
    };
  },
  gatherParts: ({ standing }: Asking) => ({
    parts: attemptsOnParts(standing),
    leftOut: skippedParts(standing),
    trustExecutor: standing.policy.trustExecutor,
  }),
  writeStuckReport: ({ standing }: Asking) => {
    const { root, escalation, policy, rejection, repairs, spent } = standing;
    return {
      root,
      escalation,
      // A rejected claim does not show that the task is stuck.
      stuck: rejection === null ? detectStuck(escalation, policy) : null,
      repairs: [...repairs],
      fixes: fixesIn(spent),
      path: policy.stuckReport,
    };
  },
  askPerson: ({ state, standing }: Asking) => {
    const { root, escalation, repairs, question, failure } = standing;
    const isStuck = escalation.level === "checkpoint";
    return {
      root,
      about: isStuck ? ("checkpoint" as const) : (question?.about ?? ("repair" as const)),
      escalation,
      repairs: [...repairs],
      question: question?.text ?? null,
      ...(failure?.kind === "context-exhausted" && { tooLong: true }),
      report: isStuck ? (at(state.reports, rootOf(state, root)) ?? null) : null,
      ...(standing.policy.unattended && { unattended: true }),
    };
  },
  recordSkip: ({ standing }: Asking) => ({ root: standing.root, ...skipOf(standing) }),
  recordPass: ({ standing }: Asking) => ({
    fixes: [...spentOn(standing.spent, standing.current).fixes],
    grouped: standing.grouped,
    keepOpen: standing.keepOpen,
    commit: standing.policy.commit,
    repair: repairOf(standing),
    leftOut: skippedParts(standing),
    proof: standing.proof,
    ...(standing.policy.knownFailures === "repair" &&
      !standing.grouped && { repairKnown: repairLimits(standing.policy) }),
  }),
};

function judgingFor(standing: DecisionState) {
  const { policy, grouped, spent, current, rejection } = standing;
  return {
    ...(rejection !== null && { rejections: rejection.times }),
    ...(policy.rules === "source" && { rules: policy.rules }),
    trustExecutor: policy.trustExecutor,
    requireExecutorTick: requiresTick(standing),
    // Require no commit in a batch, whose members change the plan concurrently.
    requireCommit: policy.requireCommit && !grouped,
    timeoutMs: policy.verifyTimeout,
    ...{ knownFailures: policy.knownFailures, guard: policy.guard, grouped },
    guarded: rejection?.layer === "guard",
    reviews: spentOn(spent, current).reviews ?? 0,
    ...(policy.pullRequest !== undefined &&
      !grouped && { ships: policy.commit === "all" ? ("all" as const) : ("own" as const) }),
  };
}

const membersOf = ({ batch, turn }: RunState): string[] => batch.map((root) => at(turn.chosen, root)?.current ?? root);

/** Parts have no box of their own, and their executors are not asked to tick the box of the whole task. */
const requiresTick = (standing: DecisionState): boolean =>
  standing.policy.requireExecutorTick &&
  wholeOf(standing.current) === null &&
  repairOf(standing)?.directive.strategy !== "decompose";

/** Why the executor cannot work. Called only after a failure. */
function hindrance({ failure }: DecisionState) {
  const { kind: reason, error, until = null, since = null, denied } = failure as FailureDigest;
  return { reason, error, until, since, ...(denied !== undefined && { denied }) };
}

/** Why and since when an executor is unavailable; null if the executor said for how long. */
const waitedFor = ({ failure }: DecisionState) =>
  failure?.since === undefined ? null : { reason: failure.kind, since: failure.since };
