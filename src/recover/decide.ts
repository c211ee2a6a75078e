import type { Considered } from "../model/considered.ts";
import { noEscalation } from "../model/escalation.ts";
import { emptyLedger, fixesSinceProgress, iterationsOn, repairsLeft } from "../model/ledger.ts";
import { type Denial, type Limit, reachedTotal } from "../model/limits.ts";
import { type EscalationRung, escalates, escalationRungs, hasLevels, isLevelRung, type Rung } from "../model/rung.ts";
import type { Decision, Deliberation, TaskContext } from "../model/task-context.ts";
import { type TaskId, wholeOf } from "../model/task-id.ts";
import { checkLimit } from "./check-limit.ts";
import { detectStuck, repeatsStrategy } from "./detect-stuck.ts";
import { fixFor } from "./fix-for.ts";

/** What is looked at for a decision. */
export type DecisionContext = Pick<
  TaskContext,
  "root" | "current" | "spent" | "policy" | "failure" | "escalation" | "remedy"
>;

/** What a decision is made from. Without `escalation` nothing was tried before, without `remedy` no remedy. */
export type DecisionInput = Omit<DecisionContext, "escalation" | "remedy"> &
  Partial<Pick<DecisionContext, "escalation" | "remedy">>;

/**
 * The first rung of the policy's ladder that its own budget still allows. A rejected claim is only ever retried, and
 * so is, once, an answer that may have been cut off; one whose prompt was too long is never given a fix task; a
 * task that is stuck passes over what is below the rungs for that; one that has climbed does not come down. The limits
 * of the whole run are asked where a delegation is admitted, since one task cannot see them.
 *
 * @see docs/ladder.md
 */
export const decide = (input: DecisionInput): Decision =>
  deliberate({ escalation: noEscalation, remedy: null, ...input }).decision;

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
        : stuck !== null && !isClimb(rung)
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
  if (failure !== null && policy.recovery.includes("repair")) return { decision: { kind: "gate" }, stuck, considered };
  return { decision: { kind: "exhausted", denial: denialIn(considered, context.root, reached) }, stuck, considered };
}

const isClimb = (rung: Rung): rung is EscalationRung => (escalationRungs as readonly Rung[]).includes(rung);

/** The rungs of the ladder that a task can be on. */
function rungsFor({ policy, failure, escalation: { level }, current, remedy }: DecisionContext): readonly Rung[] {
  const { recovery } = policy;
  const climbed = recovery.filter((rung) => isClimb(rung) && level !== "normal" && isAtLeast(rung, level));
  // A ladder that was changed since may have none of them.
  if (climbed.length > 0) return climbed;
  if (failure === null) return ["retry", ...recovery.filter(isClimb)];
  // Whoever else is told of it is told more: only less may help, or somebody who makes the task smaller.
  if (failure.kind === "context-exhausted") return ["retry", ...recovery.filter((rung) => asksOthers.has(rung))];
  // What may have been cut off is asked for once more before anything is repaired.
  const again = failure.cutOff === true && remedy !== "retry";
  const rungs = again ? (["retry", ...recovery.filter((rung) => rung !== "retry")] as const) : recovery;
  if (wholeOf(current) === null) return rungs;
  // Fixes stand in the plan, which parts of a task do not.
  const onParts = rungs.filter((rung) => rung !== "fix");
  return onParts.length > 0 ? onParts : ["retry"];
}

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
      const denial = checkLimit({ ...emptyLedger, tasks: spent }, task, policy);
      if (denial !== null) return counted(denial.limit, denial.task, denial.max, denial.max);
      return counted("maxFixTasksPerOriginal", task, fixesSinceProgress(spent, task), policy.maxFixTasksPerOriginal);
    }
    case "repair": {
      const left = repairsLeft(spent, policy.repairBudget);
      return counted("repairBudget", root, policy.repairBudget - left, policy.repairBudget);
    }
    case "pivot":
      return counted("maxPivotAttempts", root, escalation.pivots, policy.maxPivotAttempts);
    case "research":
      return counted("maxResearchAttempts", root, escalation.researches, policy.maxResearchAttempts);
    case "checkpoint":
      return { limit: null, task: root, spent: 0, max: null, refused: false };
  }
}

/** The same error is not met with the same remedy again when its executor says that it has tried the same, too. */
const isRepeated = (rung: Rung, { remedy, escalation, failure }: DecisionContext): boolean =>
  failure !== null && !isClimb(rung) && rung === remedy && escalation.sameErrors > 1 && repeatsStrategy(escalation);

/** @param reached The cap on attempts, where that is what says no. */
function denialIn(considered: readonly Considered[], root: TaskId, reached: number | null): Denial {
  const isTotal = considered.some(({ passedOver }) => passedOver === "total");
  if (isTotal) return { kind: "denied", limit: "maxTotalAttempts", task: root, max: reached as number };
  // Rungs without a limit are never passed over.
  const { limit, task, max } = considered.at(-1) as Considered;
  return { kind: "denied", limit: limit as Limit, task, max: max as number };
}
