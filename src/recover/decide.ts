import type { Considered, Decision, DecisionState, Deliberation } from "../model/decision.ts";
import { noEscalation } from "../model/escalation.ts";
import { compareSets } from "../model/failure-set.ts";
import { iterationsOn, repairs, repairsLeft, spentOn } from "../model/ledger.ts";
import { type Denial, type Limit, reachedTotal } from "../model/limits.ts";
import {
  type EscalationRung,
  escalates,
  escalationRungs,
  hasLevels,
  isEscalationRung,
  isLevelRung,
  type Rung,
} from "../model/rung.ts";
import { type TaskId, wholeOf } from "../model/task.ts";
import { fixLimit } from "./check-limit.ts";
import { rulesOf } from "./rules.ts";
import { detectStuck, repeatsStrategy } from "./stuck.ts";

/** The task that the next fix task repairs, and the superseded fix task; null if no fix task is superseded. */
interface FixPlace {
  readonly task: TaskId;
  readonly supersedes: TaskId | null;
}

/**
 * Choose the place of the next fix task. A failed planned task gets a fix task, and a failed fix task also gets a fix
 * task if its repaired task is done. If a fix task still fails with its original failure, or with a part of that
 * failure, a new fix task supersedes the failed fix task. Only a new failure, which the fix task itself caused, gets a
 * fix task below that fix task.
 */
export function fixFor({
  root,
  current,
  spent,
  failure,
}: Pick<DecisionState, "root" | "current" | "spent" | "failure">): FixPlace {
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

export type DecisionContext = Pick<
  DecisionState,
  "root" | "current" | "spent" | "policy" | "failure" | "rejection" | "afterWork" | "escalation" | "remedy"
>;

/**
 * Inputs of a decision. Without `escalation`, there were no earlier attempts; without `remedy`, none was tried; without
 * `rejection`, no claim was rejected.
 */
export type DecisionInput = Omit<DecisionContext, "rejection" | "escalation" | "remedy"> &
  Partial<Pick<DecisionContext, "rejection" | "escalation" | "remedy">>;

/**
 * Choose the first rung of the policy's ladder whose budget is not spent. If only the final message is at fault, the
 * task is retried once and gets no fix task. A task whose prompt was too long gets no fix task either. A stuck task
 * skips the lower rungs and does not return to them. The limits of the whole run are checked when a delegation is
 * admitted, not here.
 *
 * @see docs/ladder.md
 */
export const decide = (input: DecisionInput): Decision =>
  deliberate({ rejection: null, escalation: noEscalation, remedy: null, ...input }).decision;

export function deliberate(context: DecisionContext): Deliberation {
  const { policy, failure, escalation } = context;
  const stuck = failure !== null && escalates(policy) ? detectStuck(escalation, policy) : null;
  const reached = reachedTotal(policy, escalation);
  // If the ladder has levels, the limit on attempts applies only to levels: the rungs below the levels have their own
  // limits.
  const isCapped = (rung: Rung): boolean => (hasLevels(policy) ? isLevelRung(rung) : rung !== "checkpoint");
  const considered: Considered[] = [];
  // Ask an unanswered question again.
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
  // Repeating a remedy is better than giving up before a limit is reached.
  const again = considered.find(({ passedOver }) => passedOver === "repeated" || passedOver === "stuck");
  if (again !== undefined) return { decision: { kind: again.rung }, stuck, considered };
  if (asksAtLast(context)) return { decision: { kind: "gate" }, stuck, considered };
  return { decision: { kind: "exhausted", denial: denialIn(considered, context.root, reached) }, stuck, considered };
}

function rungsFor(context: DecisionContext): readonly Rung[] {
  const {
    policy,
    failure,
    escalation: { level },
    current,
  } = context;
  const { recovery } = policy;
  const climbed = recovery.filter((rung) => isEscalationRung(rung) && level !== "normal" && isAtLeast(rung, level));
  // If a changed ladder lacks the rungs for the current level, choose as for a task that is not stuck.
  if (climbed.length > 0) return climbed;
  if (isRepeatedWords(context)) return recovery.filter((rung) => rung !== "fix" && rung !== "retry");
  if (failure === null) return ["retry", ...recovery.filter(isEscalationRung)];
  // Other rungs would lengthen the prompt: only a shorter prompt or a smaller task may help.
  if (failure.kind === "context-exhausted") return ["retry", ...recovery.filter((rung) => asksOthers.has(rung))];
  if (isWords(context)) return ["retry", ...recovery.filter((rung) => rung !== "fix" && rung !== "retry")];
  if (wholeOf(current) === null) return recovery;
  // A part gets no fix task, since it is not in the plan.
  const onParts = recovery.filter((rung) => rung !== "fix");
  return onParts.length > 0 ? onParts : ["retry"];
}

/** Whether only the final message is at fault: neither a check nor the executor reports a failure. */
const isWords = ({ failure, policy }: DecisionContext): boolean =>
  !rulesOf(policy).fixesUnreported &&
  (failure === null || (failure.unreported === true && failure.kind !== "context-exhausted"));

/**
 * Whether the final message is at fault for the second time in a row, and the policy has remedies other than retries.
 */
const isRepeatedWords = (context: DecisionContext): boolean =>
  isWords(context) &&
  context.policy.recovery.some((rung) => rung !== "retry") &&
  (context.failure === null
    ? (context.rejection?.times ?? 1) > 1
    : context.remedy === "retry" && context.afterWork !== true);

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

/** Whether a rung would repeat the last remedy for the same error, after the executor repeated its approach. */
const isRepeated = (rung: Rung, { remedy, escalation, failure }: DecisionContext): boolean =>
  failure !== null &&
  !isEscalationRung(rung) &&
  rung === remedy &&
  escalation.sameErrors > 1 &&
  repeatsStrategy(escalation);

/** @param reached The maximum number of attempts; null if fewer attempts were made. */
function denialIn(considered: readonly Considered[], root: TaskId, reached: number | null): Denial {
  const isTotal = considered.some(({ passedOver }) => passedOver === "total");
  if (isTotal) return { kind: "denied", limit: "maxTotalAttempts", task: root, max: reached as number };
  // The last considered rung has a limit: a rung without a limit is never passed over.
  const { limit, task, max } = considered.at(-1) as Considered;
  return { kind: "denied", limit: limit as Limit, task, max: max as number };
}
