import type { Repair } from "../model/directive.ts";
import { type Climb, type Escalation, noEscalation } from "../model/escalation.ts";
import type { Proof } from "../model/evidence.ts";
import { attemptsOn, fixesOn, partsOf, type SpentByTask, spentOn } from "../model/ledger.ts";
import { reachedTotal } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { attemptKey } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { hasLevels, isLevelRung, Rung } from "../model/rung.ts";
import type { LeftOut, Standing } from "../model/standing.ts";
import { partId, type TaskId, wholeOf } from "../model/task.ts";
import type { ChosenTree } from "../model/turn.ts";
import { countAtLevel } from "../recover/decide.ts";
import { recallFailure } from "../recover/digest-failure.ts";
import { isRepaired, rootOf, spentIn } from "./spent.ts";
import { escalationOf, treeOf } from "./trees.ts";

/** Where a task stands. @param policy That of the run. */
export function standingOf(state: RunState, policy: Policy, { root, current }: Place): Standing {
  const { turn } = state;
  const chosen = at(turn.chosen, root);
  const tree = treeOf(state, rootOf(state, root));
  const spent = spentFor(state, root, chosen);
  const own = policyFor(policy, chosen);
  const { question: asked } = tree;
  // Parts do not stand in the plan: their whole is chosen.
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
  // What is decided in this turn is known by its remedy.
  const isUp = remedy === undefined && escalation.level === "normal" && !escalation.asked;
  const isDone = isUp && isRepaired(state, current);
  const isNew = setback === undefined && !isDone;
  // Each field by itself: an object that is spread and then grows costs forty times as much.
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

/** A task, and the planned task in whose tree it is. */
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

/** The policy as it holds for a task. Fix tasks take the place of plain retries; a cleanup is carried out once. */
function policyFor(policy: Policy, chosen: ChosenTree | undefined): Policy {
  if (chosen?.cleanup !== undefined) return { ...policy, recovery: ["retry"], maxTaskIterations: 1 };
  if (chosen?.alwaysFixed !== true || policy.recovery.includes("fix")) return policy;
  return { ...policy, recovery: ["fix", ...policy.recovery.filter((rung) => rung !== "retry")] };
}

/**
 * Whether a task is delegated without a decision: nothing has come of it yet, a fix for it is done, or it is another part.
 *
 * @param isUntried Whether it is tried as if it were its first time.
 */
export const mayBegin = (standing: Standing, isUntried: boolean): boolean =>
  !isTotalReached(standing) &&
  (isUntried ||
    (standing.question === null &&
      standing.rejection === null &&
      (standing.remedy === "fix" || attemptsOn(standing.spent, standing.current) === 0)));

/** Whether the cap on failed attempts is reached. A person who leaves something out does not raise it. */
export const isTotalReached = ({ policy, escalation }: Standing): boolean =>
  !hasLevels(policy) && reachedTotal(policy, escalation) !== null;

/** The last attempts of the parts of the current task that were not left out. */
export const attemptsOnParts = (standing: Standing): string[] =>
  partsIn(standing)
    .filter((part) => !isLeftOut(standing, part))
    .map((part) => attemptKey(part, spentOn(standing.spent, part).attempts));

/** How many parts of the current task were left out. */
export const partsLeftOut = (standing: Standing): number =>
  partsIn(standing).filter((part) => isLeftOut(standing, part)).length;

const partsIn = ({ current, spent }: Standing): TaskId[] =>
  partsOf(spent, current).map((_, index) => partId(current, index + 1));

const isLeftOut = ({ leftOut }: Standing, part: TaskId): boolean => leftOut.some(({ task }) => task === part);

/** What was left out last, and why. Only where something was. */
export const skipOf = ({ leftOut }: Pick<Standing, "leftOut">): LeftOut => leftOut.at(-1) as LeftOut;

/** The directive that the last attempt on the current task has followed; null without one. */
export const repairOf = ({ current, repairs, remedy }: Standing): Repair | null =>
  remedy === "repair" ? (repairs.findLast(({ task }) => task === current) ?? null) : null;

/** What the repair operator wants to be done differently in the next attempt; null when it was not asked. */
export function adjustmentFor(standing: Standing): string | null {
  const directive = repairOf(standing)?.directive;
  return directive?.strategy === "retry" ? directive.adjustment : null;
}

/**
 * The rung of the ladder that the next attempt is made on: the level of being stuck, else the remedy that led to it. In a
 * fix task or a part it is never one before that which has made it. Null for a first attempt at a planned task.
 */
export function rungOf(standing: Standing): Rung | null {
  const { root, current, spent, remedy } = standing;
  const made =
    wholeOf(current) !== null ? "repair" : current !== root && fixesIn(spent).includes(current) ? "fix" : null;
  const led = climbFor(standing)?.level ?? remedy;
  if (made === null || led === null) return led ?? made;
  return Rung.options.indexOf(led) < Rung.options.indexOf(made) ? made : led;
}

/** The level that the next attempt is made at; null at none. */
export function climbFor({ escalation, policy }: Standing): Climb | null {
  const { level } = escalation;
  if (!isLevelRung(level)) return null;
  // A ladder that was changed since may not have it.
  return policy.recovery.includes(level) ? { level, ...countAtLevel(escalation, policy) } : null;
}

/** Fix tasks of the whole tree. */
export const fixesIn = (spent: SpentByTask): TaskId[] =>
  Object.keys(spent).flatMap((task) => (fixesOn(spent, task) === 0 ? [] : spentOn(spent, task).fixes));

/** What a task has failed with last, in a line; null where it has not. */
export const lastErrorOf = ({ failure, rejection }: Pick<Standing, "failure" | "rejection">): string | null =>
  failure?.error ?? rejection?.reason ?? null;
