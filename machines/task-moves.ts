import type { Directive, Repair } from "../src/model/directive.ts";
import type { Answer } from "../src/model/effect.ts";
import type { Climb, Level } from "../src/model/escalation.ts";
import { type FailureDigest, madeForOf } from "../src/model/failure.ts";
import {
  afterNewMinimum,
  fixesOn,
  oneRepair,
  oneTooLong,
  partsOf,
  type Spent,
  type SpentByTask,
  spentAfterReset,
  spentOn,
  withFix,
} from "../src/model/ledger.ts";
import { reachedTotal } from "../src/model/limits.ts";
import { attemptKey } from "../src/model/reply.ts";
import { hasLevels, Rung } from "../src/model/rung.ts";
import { leftOutByPerson } from "../src/model/stuck-report.ts";
import type { LeftOut, TaskContext } from "../src/model/task-context.ts";
import { partId, partNumber, plannedTask, type TaskId, wholeOf } from "../src/model/task-id.ts";
import { countAtLevel } from "../src/recover/count-at-level.ts";
import { fixFor } from "../src/recover/fix-for.ts";
import {
  afterAcceptance,
  afterClimb,
  afterFailure,
  afterRefund,
  afterReset,
  afterSkip,
  isNewMinimum,
} from "../src/recover/track-escalation.ts";

/** What the tree has spent after a change for one of its tasks: the current one when none is named. */
export function spend(
  { current, spent }: Pick<TaskContext, "current" | "spent">,
  change: (before: Spent) => Partial<Spent>,
  task = current,
) {
  const before = spentOn(spent, task);
  return { spent: { ...spent, [task]: { ...before, ...change(before) } } };
}

/** An attempt on the current task begins, and counts at its level. */
export function withAttempt(context: TaskContext) {
  const attemptLevel: Level = climbFor(context)?.level ?? "normal";
  const { escalation } = context;
  return {
    ...spend(context, ({ attempts }) => ({ attempts: attempts + 1 })),
    attemptLevel,
    escalation: attemptLevel === "normal" ? escalation : afterClimb(escalation, attemptLevel),
  };
}

/** The last attempt on the current task counts as none. */
export function withRefund(context: TaskContext) {
  return {
    ...spend(context, ({ waits = 0 }) => ({ waits: waits + 1 })),
    attemptLevel: "normal" as const,
    escalation: afterRefund(context.escalation, context.attemptLevel),
  };
}

/** Nothing has happened to the task that is up now. */
const untried = { failure: null, rejection: null } as const;

/** Over to a new fix task: below the current task, or beside it when it takes the place of that. */
export function toFix({ root, current, spent, failure }: TaskContext, fix: TaskId) {
  const { task: fixOf, supersedes } = fixFor({ root, current, spent, failure });
  return {
    spent: withFix(spent, {
      id: fix,
      fixOf,
      ...(failure !== null && { madeFor: madeForOf(failure) }),
      ...(supersedes !== null && { supersedes }),
    }),
    ...untried,
    current: fix,
    remedy: null,
  };
}

/** After a failed attempt. Where fewer checks fail than ever before, the limits on one task count from here. */
export function withFailure(context: TaskContext, failure: FailureDigest) {
  const escalation = afterFailure(context.escalation, context.current, failure, context.attemptLevel);
  const { spent } = failure.kind === "context-exhausted" ? spend(context, oneTooLong) : context;
  return { failure, rejection: null, escalation, spent: isNewMinimum(escalation) ? afterNewMinimum(spent) : spent };
}

/** Up from a fix task that is done. @param repaired The task it was made for. */
export const toRepaired = (repaired: TaskId) => ({ ...untried, current: repaired, remedy: "fix" as const });

/** After a claim was accepted; with a fix fewer checks may fail than ever before. */
export function withAcceptance(
  { spent, escalation: before }: TaskContext,
  { unverified = false, left }: Omit<Extract<Answer<"verify">, { kind: "accepted" }>, "kind" | "reviewDue">,
) {
  const escalation = afterAcceptance(before, left ?? null);
  return {
    unverified,
    escalation,
    ...(left !== undefined && isNewMinimum(escalation) && { spent: afterNewMinimum(spent) }),
  };
}

/** A directive is followed: it is counted, and remembered for the summary and for whoever asks next. */
export function withRepair(context: TaskContext, directive: Directive) {
  const { current, repairs } = context;
  const repair: Repair = { task: current, directive };
  const counted = directive.strategy === "retry" || directive.strategy === "decompose";
  return {
    ...(counted && spend(context, oneRepair)),
    repairs: [...repairs, repair],
    remedy: "repair" as const,
  };
}

/** Down to the first part of the current task. */
export const toFirstPart = (context: TaskContext, { parts }: Decompose) => ({
  ...spend(context, () => ({ parts: [...parts] })),
  ...untried,
  current: partId(context.current, 1),
  remedy: null,
});

export type Decompose = Extract<Directive, { strategy: "decompose" }>;

/** From one part to the next. */
export const toNextPart = ({ current }: TaskContext) => ({
  ...untried,
  current: partId(wholeOfPart(current), partNumber(current) + 1),
  remedy: null,
});

/** The task that a part belongs to, where the current task is known to be one. */
const wholeOfPart = (part: TaskId): TaskId => wholeOf(part) as TaskId;

/** Up from the last part. Its whole is checked without a delegation: the attempt counts as none. */
export function toWhole(context: TaskContext) {
  const current = wholeOfPart(context.current);
  const counted = ({ attempts, waits = 0 }: Spent) => ({ attempts: attempts + 1, waits: waits + 1 });
  return {
    ...spend(context, counted, current),
    ...toWholeUntried(context),
    attemptLevel: "normal" as const,
  };
}

/** Whether the current part is not the last of its whole. */
export const partsRemain = ({ current, spent }: TaskContext): boolean =>
  partNumber(current) < partsOf(spent, wholeOfPart(current)).length;

/** Up from the last part when no further attempt is allowed: the whole is not checked. */
export const toWholeUntried = ({ current }: TaskContext) => ({
  ...untried,
  current: wholeOfPart(current),
  remedy: "repair" as const,
});

/** Whether the cap on failed attempts is reached. A person who leaves something out does not raise it. */
export const isTotalReached = ({ policy, escalation }: TaskContext): boolean =>
  !hasLevels(policy) && reachedTotal(policy, escalation) !== null;

/** The last attempts of the parts of the current task that were not left out. */
export const attemptsOnParts = (context: TaskContext): string[] =>
  partsIn(context)
    .filter((part) => !isLeftOut(context, part))
    .map((part) => attemptKey(part, spentOn(context.spent, part).attempts));

/** How many parts of the current task were left out. */
export const partsLeftOut = (context: TaskContext): number =>
  partsIn(context).filter((part) => isLeftOut(context, part)).length;

const partsIn = ({ current, spent }: TaskContext): TaskId[] =>
  partsOf(spent, current).map((_, index) => partId(current, index + 1));

const isLeftOut = ({ leftOut }: TaskContext, part: TaskId): boolean => leftOut.some(({ task }) => task === part);

/**
 * Go on without a task: the question about it is answered.
 *
 * @param pruned Why a repair operator has pruned it; a person has decided it when not given.
 */
export const leaveOut = ({ leftOut, escalation }: TaskContext, task: TaskId, pruned?: string) => ({
  leftOut: [
    ...leftOut,
    { task, justification: pruned ?? leftOutByPerson, by: pruned === undefined ? "person" : "operator" } as const,
  ],
  question: null,
  escalation: pruned === undefined ? afterSkip(escalation) : { ...escalation, asked: false },
});

/** What a repair operator has pruned: a part alone, but never a fix without its planned task. */
export const prunedIn = ({ root, current }: TaskContext): TaskId => (wholeOf(current) === null ? root : current);

/** What was left out last, and why. Only where something was. */
export const skipOf = ({ leftOut }: TaskContext): LeftOut => leftOut.at(-1) as LeftOut;

/** The directive that the last attempt on the current task has followed; null without one. */
export const repairOf = ({ current, repairs, remedy }: TaskContext): Repair | null =>
  // The remedy is that of the current task.
  remedy === "repair" ? (repairs.findLast(({ task }) => task === current) as Repair) : null;

/** What the repair operator wants to be done differently in the next attempt; null when it was not asked. */
export function adjustmentFor(context: TaskContext): string | null {
  const directive = repairOf(context)?.directive;
  return directive?.strategy === "retry" ? directive.adjustment : null;
}

/**
 * The rung of the ladder that the next attempt is made on: the level of being stuck, else the remedy that led to it. In a
 * fix task or a part it is never one before that which has made it. Null for a first attempt at a planned task.
 */
export function rungOf(context: TaskContext): Rung | null {
  const { root, current, spent, remedy } = context;
  const made =
    wholeOf(current) !== null ? "repair" : current !== root && fixesIn(spent).includes(current) ? "fix" : null;
  const led = climbFor(context)?.level ?? remedy;
  if (made === null || led === null) return led ?? made;
  return Rung.options.indexOf(led) < Rung.options.indexOf(made) ? made : led;
}

/** The level that the next attempt is made at; null at none. */
export function climbFor({ escalation, policy }: TaskContext): Climb | null {
  const { level } = escalation;
  if (level !== "pivot" && level !== "research") return null;
  // A ladder that was changed since may not have it.
  return policy.recovery.includes(level) ? { level, ...countAtLevel(escalation, policy) } : null;
}

/** A person resets the planned task: fix tasks and numbers of attempts stay, all else is given again. */
export function reset({ current, spent, escalation }: TaskContext) {
  return {
    ...untried,
    current: plannedTask(current),
    spent: Object.fromEntries(Object.entries(spent).map(([task, before]) => [task, spentAfterReset(before)])),
    escalation: afterReset(escalation),
    repairs: [],
    leftOut: [],
    remedy: null,
    question: null,
  };
}

/** Fix tasks of the whole tree. */
export const fixesIn = (spent: SpentByTask): TaskId[] =>
  Object.keys(spent).flatMap((task) => (fixesOn(spent, task) === 0 ? [] : spentOn(spent, task).fixes));
