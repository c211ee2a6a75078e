import { type Escalation, type Level, noEscalation } from "../model/escalation.ts";
import type { FailureDigest } from "../model/failure.ts";
import { compareSets } from "../model/failure-set.ts";
import { iterationsOn, repairs, repairsLeft, spentOn } from "../model/ledger.ts";
import { type Denial, type Limit, reachedTotal, totalCap, totalSpent } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import {
  type EscalationRung,
  escalates,
  escalationRungs,
  hasLevels,
  isEscalationRung,
  isLevelRung,
  type Rung,
} from "../model/rung.ts";
import type { Considered, Decision, Deliberation, Standing } from "../model/standing.ts";
import { type TaskId, wholeOf } from "../model/task.ts";
import { fixLimit } from "./check-limit.ts";
import { detectStuck, repeatsStrategy } from "./escalation.ts";
import { rulesOf } from "./rules.ts";

/** Which attempt at its level a task is in, and how many there may be; 0 of 0 where a level has none. */
export function countAtLevel(
  { level, pivots, researches, races }: Pick<Escalation, "level" | "pivots" | "researches" | "races">,
  { maxPivotAttempts, maxResearchAttempts, race }: LevelLimits,
): { attempt: number; max: number } {
  switch (level) {
    case "pivot":
      return { attempt: pivots, max: maxPivotAttempts };
    case "research":
      return { attempt: researches, max: maxResearchAttempts };
    case "race":
      return { attempt: races, max: race as number };
    case "normal":
    case "checkpoint":
      return { attempt: 0, max: 0 };
  }
}

type LevelLimits = Pick<Policy, "maxPivotAttempts" | "maxResearchAttempts" | "race">;

/**
 * How many attempts a race has at most: what is left of its own limit, and of the cap on all levels.
 *
 * @param policy With a race, so that it has both.
 */
export const racersLeft = (escalation: Escalation, policy: Policy): number =>
  Math.min((policy.race as number) - escalation.races, (totalCap(policy) as number) - totalSpent(policy, escalation));

/** The task that the next fix is made for, and the fix task whose place it takes; null when it takes none. */
interface FixPlace {
  readonly task: TaskId;
  readonly supersedes: TaskId | null;
}

/**
 * Where the next fix task belongs. One for a planned task is made for that, as is one for a fix that is done on its own:
 * the task above it is done. A fix task that failed with what it was made
 * for, or with a part of that, has not helped enough: another one takes its place, beside it. Only for what the fix has
 * brought itself is there a fix below it.
 */
export function fixFor({
  root,
  current,
  spent,
  failure,
}: Pick<Standing, "root" | "current" | "spent" | "failure">): FixPlace {
  const repaired = repairs(spent, current);
  const { madeFor } = spentOn(spent, current);
  const below = { task: current, supersedes: null };
  if (current === root || repaired === undefined || madeFor === undefined || failure === null) return below;
  const isOld =
    madeFor.failing !== undefined && failure.failing !== undefined
      ? compareSets(madeFor.failing, failure.failing) !== "moved"
      : madeFor.fingerprint === failure.fingerprint;
  return isOld ? { task: repaired, supersedes: current } : below;
}

/** What is looked at for a decision. */
export type DecisionContext = Pick<
  Standing,
  "root" | "current" | "spent" | "policy" | "failure" | "rejection" | "afterWork" | "escalation" | "remedy"
>;

/**
 * What a decision is made from. Without `escalation` nothing was tried before, without `remedy` no remedy, and without
 * `rejection` nothing was rejected before.
 */
export type DecisionInput = Omit<DecisionContext, "rejection" | "escalation" | "remedy"> &
  Partial<Pick<DecisionContext, "rejection" | "escalation" | "remedy">>;

/**
 * The first rung of the policy's ladder that its own budget still allows. What only words are wrong with is retried once,
 * and never given a fix task, nor is one whose prompt was too long; a task that is stuck passes over what is below the rungs for that; one that has climbed does not come down. The limits
 * of the whole run are asked where a delegation is admitted, since one task cannot see them.
 *
 * @see docs/ladder.md
 */
export const decide = (input: DecisionInput): Decision =>
  deliberate({ rejection: null, escalation: noEscalation, remedy: null, ...input }).decision;

/** Decide, and tell what was looked at. */
export function deliberate(context: DecisionContext): Deliberation {
  const { policy, failure, escalation } = context;
  const stuck = failure !== null && escalates(policy) ? detectStuck(escalation, policy) : null;
  const reached = reachedTotal(policy, escalation);
  // The rungs below the levels have limits of their own.
  const isCapped = (rung: Rung): boolean => (hasLevels(policy) ? isLevelRung(rung) : rung !== "checkpoint");
  const considered: Considered[] = [];
  // A start that finds the question unanswered asks it again.
  const standsAtCheckpoint = escalation.level === "checkpoint" && policy.recovery.includes("checkpoint");
  if (failure === null && escalation.asked && !standsAtCheckpoint) {
    return { decision: { kind: "gate" }, stuck, considered };
  }
  for (const rung of rungsFor(context)) {
    const { refused, ...count } = countFor(rung, context);
    const passedOver = refused
      ? "spent"
      : reached !== null && isCapped(rung)
        ? "total"
        : stuck !== null && !isEscalationRung(rung)
          ? "stuck"
          : isRepeated(rung, context)
            ? "repeated"
            : null;
    considered.push({ rung, ...count, passedOver });
    if (passedOver === null) return { decision: { kind: rung }, stuck, considered };
  }
  // Rather the same once more than to give up before a limit says so.
  const again = considered.find(({ passedOver }) => passedOver === "repeated" || passedOver === "stuck");
  if (again !== undefined) return { decision: { kind: again.rung }, stuck, considered };
  if (asksAtLast(context)) return { decision: { kind: "gate" }, stuck, considered };
  return { decision: { kind: "exhausted", denial: denialIn(considered, context.root, reached) }, stuck, considered };
}

/** The rungs of the ladder that a task can be on. */
function rungsFor(context: DecisionContext): readonly Rung[] {
  const {
    policy,
    failure,
    escalation: { level },
    current,
  } = context;
  const { recovery } = policy;
  const climbed = recovery.filter((rung) => isEscalationRung(rung) && level !== "normal" && isAtLeast(rung, level));
  // A ladder that was changed since may have none of them.
  if (climbed.length > 0) return climbed;
  if (isRepeatedWords(context)) return recovery.filter((rung) => rung !== "fix" && rung !== "retry");
  if (failure === null) return ["retry", ...recovery.filter(isEscalationRung)];
  // Whoever else is told of it is told more: only less may help, or somebody who makes the task smaller.
  if (failure.kind === "context-exhausted") return ["retry", ...recovery.filter((rung) => asksOthers.has(rung))];
  if (isWords(context)) return ["retry", ...recovery.filter((rung) => rung !== "fix" && rung !== "retry")];
  if (wholeOf(current) === null) return recovery;
  // Fixes stand in the plan, which parts of a task do not.
  const onParts = recovery.filter((rung) => rung !== "fix");
  return onParts.length > 0 ? onParts : ["retry"];
}

/** Whether neither a check of the work nor its author says that it has failed: only words are wrong, or missing. */
const isWords = ({ failure, policy }: DecisionContext): boolean =>
  !rulesOf(policy).fixesUnreported &&
  (failure === null || (failure.unreported === true && failure.kind !== "context-exhausted"));

/** Whether that is so for the second time in a row, and the policy has more than retries. */
const isRepeatedWords = (context: DecisionContext): boolean =>
  isWords(context) &&
  context.policy.recovery.some((rung) => rung !== "retry") &&
  (context.failure === null
    ? (context.rejection?.times ?? 1) > 1
    : context.remedy === "retry" && context.afterWork !== true);

/** Whether a person is asked before the task is given up. */
const asksAtLast = (context: DecisionContext): boolean =>
  isRepeatedWords(context) || (context.failure !== null && context.policy.recovery.includes("repair"));

const asksOthers: ReadonlySet<Rung> = new Set(["repair", "checkpoint"]);

const isAtLeast = (rung: EscalationRung, level: EscalationRung): boolean =>
  escalationRungs.indexOf(rung) >= escalationRungs.indexOf(level);

interface Count {
  readonly limit: Limit | null;
  readonly task: TaskId;
  readonly spent: number;
  readonly max: number | null;
  readonly refused: boolean;
}

/** What a rung has spent, of its own budget. */
function countFor(rung: Rung, { root, current, spent, policy, escalation, failure }: DecisionContext): Count {
  const counted = (limit: Limit, task: TaskId, count: number, max: number): Count => ({
    limit,
    task,
    spent: count,
    max,
    refused: count >= max,
  });
  switch (rung) {
    case "retry":
      return counted("maxTaskIterations", current, iterationsOn(spent, current), policy.maxTaskIterations);
    case "fix": {
      const { task } = fixFor({ root, current, spent, failure });
      const fixes = fixLimit(spent, task, policy);
      const max = policy[fixes.limit];
      return counted(fixes.limit, fixes.task, Math.min(fixes.spent, max), max);
    }
    case "repair": {
      const left = repairsLeft(spent, policy.repairBudget);
      return counted("repairBudget", root, policy.repairBudget - left, policy.repairBudget);
    }
    case "pivot":
      return counted("maxPivotAttempts", root, escalation.pivots, policy.maxPivotAttempts);
    case "research":
      return counted("maxResearchAttempts", root, escalation.researches, policy.maxResearchAttempts);
    case "race":
      return counted("race", root, escalation.races, policy.race as number);
    case "checkpoint":
      return { limit: null, task: root, spent: 0, max: null, refused: false };
  }
}

/** The same error is not met with the same remedy again when its executor says that it has tried the same, too. */
const isRepeated = (rung: Rung, { remedy, escalation, failure }: DecisionContext): boolean =>
  failure !== null &&
  !isEscalationRung(rung) &&
  rung === remedy &&
  escalation.sameErrors > 1 &&
  repeatsStrategy(escalation);

/** @param reached The cap on attempts, where that is what says no. */
function denialIn(considered: readonly Considered[], root: TaskId, reached: number | null): Denial {
  const isTotal = considered.some(({ passedOver }) => passedOver === "total");
  if (isTotal) return { kind: "denied", limit: "maxTotalAttempts", task: root, max: reached as number };
  // Rungs without a limit are never passed over.
  const { limit, task, max } = considered.at(-1) as Considered;
  return { kind: "denied", limit: limit as Limit, task, max: max as number };
}

/** What came before: an attempt that failed, a claim that was not in order, or the end of all other remedies. */
export type Setback = "failed" | "rejected" | "exhausted";

/**
 * The level at which the next attempt on a planned task is to be made: `normal` while it copes, else the first one of
 * the policy's ladder that is left. For those who try other remedies themselves; `decide` has all of them.
 *
 * @see docs/ladder.md
 */
export function chooseLevel(escalation: Escalation, policy: Policy, after: Setback = "failed"): Level {
  const stuck = after === "rejected" ? null : detectStuck(escalation, policy);
  const cap = totalCap(policy);
  const isSpent = cap !== null && !hasLevels(policy) && escalation.failures >= cap;
  if (escalation.level === "normal" && after !== "exhausted" && stuck === null && !isSpent) return "normal";
  const failure = after === "rejected" ? null : someFailure;
  const { kind } = decide({ root: "", current: "", spent: {}, policy, failure, escalation });
  return kind !== "gate" && kind !== "exhausted" && isEscalationRung(kind) ? kind : "normal";
}

/** That an attempt failed decides here, not what it failed with: of that the escalation tells. */
const someFailure: FailureDigest = { kind: "task", error: "", attemptedFix: "", status: "", fingerprint: "" };
