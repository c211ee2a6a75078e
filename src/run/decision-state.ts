import type { DecisionState, SkippedTask } from "../model/decision.ts";
import type { Repair } from "../model/directive.ts";
import { type Climb, type Escalation, noEscalation } from "../model/escalation.ts";
import type { Proof } from "../model/evidence.ts";
import { attemptsOn, fixesOn, partsOf, type SpentByTask, spentOn } from "../model/ledger.ts";
import { reachedTotal } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { attemptKey } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { hasLevels, isLevelRung, Rung } from "../model/rung.ts";
import { partId, type TaskId, wholeOf } from "../model/task.ts";
import type { ChosenTree } from "../model/turn.ts";
import { recallFailure } from "../recover/digest-failure.ts";
import { countAtLevel } from "../recover/levels.ts";
import { isRepaired, rootOf, spentIn } from "./spending.ts";
import { escalationOf, treeOf } from "./trees.ts";

export function decisionState(state: RunState, policy: Policy, { root, current }: Place): DecisionState {
  const { turn } = state;
  const chosen = at(turn.chosen, root);
  const tree = treeOf(state, rootOf(state, root));
  const spent = spentFor(state, root, chosen);
  const own = policyFor(policy, chosen);
  const { question: asked } = tree;
  const isAsked = asked !== undefined && (asked.task === current || wholeOf(asked.task) === current);
  const trouble = at(turn.troubles, root);
  const question =
    trouble !== undefined
      ? ({ about: "environment", text: trouble } as const)
      : isAsked
        ? ({ about: asked.covers === undefined ? "blocked" : "guard", text: asked.text } as const)
        : null;
  const escalation = escalationFor(state, root, isAsked);
  const setback = at(turn.setbacks, current);
  const remedy = at(turn.remedies, current);
  // Whether the next step is undetermined: the turn has no remedy, and the tree has no level and no question.
  const isUp = remedy === undefined && escalation.level === "normal" && !escalation.asked;
  const isDone = isUp && isRepaired(state, current);
  const isNew = setback === undefined && !isDone;
  // Assign the fields one by one: spreading an object and then adding fields costs forty times as much.
  return {
    root,
    current,
    spent,
    policy: own,
    escalation,
    grouped: state.batch.includes(root),
    keepOpen: chosen?.cleanup !== undefined,
    guidance: treeOf(state, root).guidance || null,
    remedy: remedy === undefined ? (isDone ? "fix" : null) : remedy,
    repairs: tree.repairs ?? [],
    leftOut: at(turn.leftOut, root) ?? [],
    question,
    proof: at(turn.proofs, current) ?? unverified,
    failure: isNew ? recallFailure({ current, spent, policy: own, escalation }) : (setback?.failure ?? null),
    rejection: setback?.rejection ?? null,
    afterWork: setback != null && "afterWork" in setback,
  };
}

const unverified: Proof = { kind: "unverified" };

/** A task, and the planned task of its tree. */
export interface Place {
  readonly root: TaskId;
  readonly current: TaskId;
}

function escalationFor(state: RunState, root: TaskId, isAsked: boolean): Escalation {
  if (at(state.turn.chosen, root)?.cleanup !== undefined) return noEscalation;
  const known = escalationOf(state, root);
  const level = at(state.turn.climbs, root) ?? known.level;
  const asked = known.asked || isAsked;
  return level === known.level && asked === known.asked ? known : { ...known, level, asked };
}

function spentFor(state: RunState, root: TaskId, chosen: ChosenTree | undefined): SpentByTask {
  const spent = spentIn(state, root);
  if (chosen?.cleanup === undefined) return spent;
  const { attempts, waits } = chosen.cleanup;
  const own = spentOn(spent, root);
  return { [root]: { ...own, waits: attempts + (own.waits ?? 0) - waits } };
}

/**
 * The policy for a task. A task that always gets fix tasks has the rung `fix` in place of `retry` if the policy lacks
 * `fix`. A cleanup gets one attempt.
 */
function policyFor(policy: Policy, chosen: ChosenTree | undefined): Policy {
  if (chosen?.cleanup !== undefined) return { ...policy, recovery: ["retry"], maxTaskIterations: 1 };
  if (chosen?.alwaysFixed !== true || policy.recovery.includes("fix")) return policy;
  return { ...policy, recovery: ["fix", ...policy.recovery.filter((rung) => rung !== "retry")] };
}

/**
 * Whether a task is delegated without a decision: it has no result yet, its fix task is done, or it is the next part.
 *
 * @param isUntried Whether the task counts as not attempted yet.
 */
export const mayBegin = (standing: DecisionState, isUntried: boolean): boolean =>
  !isTotalReached(standing) &&
  (isUntried ||
    (standing.question === null &&
      standing.rejection === null &&
      (standing.remedy === "fix" || attemptsOn(standing.spent, standing.current) === 0)));

/** Whether the cap on failed attempts is reached. A person's skip does not raise the cap. */
export const isTotalReached = ({ policy, escalation }: DecisionState): boolean =>
  !hasLevels(policy) && reachedTotal(policy, escalation) !== null;

/** The last attempts at those parts of the current task that were not skipped. */
export const attemptsOnParts = (standing: DecisionState): string[] =>
  partsIn(standing)
    .filter((part) => !isLeftOut(standing, part))
    .map((part) => attemptKey(part, spentOn(standing.spent, part).attempts));

export const skippedParts = (standing: DecisionState): number =>
  partsIn(standing).filter((part) => isLeftOut(standing, part)).length;

const partsIn = ({ current, spent }: DecisionState): TaskId[] =>
  partsOf(spent, current).map((_, index) => partId(current, index + 1));

const isLeftOut = ({ leftOut }: DecisionState, part: TaskId): boolean => leftOut.some(({ task }) => task === part);

/** The last skip and its reason; undefined if nothing was skipped. */
export const skipOf = ({ leftOut }: Pick<DecisionState, "leftOut">): SkippedTask => leftOut.at(-1) as SkippedTask;

/** The directive that the last attempt on the current task followed; null without a directive. */
export const repairOf = ({ current, repairs, remedy }: DecisionState): Repair | null =>
  remedy === "repair" ? (repairs.findLast(({ task }) => task === current) ?? null) : null;

/** The repair operator's change for the next attempt; null if the operator was not asked. */
export function adjustmentFor(standing: DecisionState): string | null {
  const directive = repairOf(standing)?.directive;
  return directive?.strategy === "retry" ? directive.adjustment : null;
}

/**
 * Rung of the next attempt: the tree's stuck level, else the remedy that led to the attempt. For a fix task or part,
 * never below the rung that made the task. Null for a first attempt at a planned task.
 */
export function rungOf(standing: DecisionState): Rung | null {
  const { root, current, spent, remedy } = standing;
  const made =
    wholeOf(current) !== null ? "repair" : current !== root && fixesIn(spent).includes(current) ? "fix" : null;
  const led = climbFor(standing)?.level ?? remedy;
  if (made === null || led === null) return led ?? made;
  return Rung.options.indexOf(led) < Rung.options.indexOf(made) ? made : led;
}

export function climbFor({ escalation, policy }: DecisionState): Climb | null {
  const { level } = escalation;
  if (!isLevelRung(level)) return null;
  // The ladder may have been changed since the tree reached this level.
  return policy.recovery.includes(level) ? { level, ...countAtLevel(escalation, policy) } : null;
}

export const fixesIn = (spent: SpentByTask): TaskId[] =>
  Object.keys(spent).flatMap((task) => (fixesOn(spent, task) === 0 ? [] : spentOn(spent, task).fixes));

export const lastErrorOf = ({ failure, rejection }: Pick<DecisionState, "failure" | "rejection">): string | null =>
  failure?.error ?? rejection?.reason ?? null;
