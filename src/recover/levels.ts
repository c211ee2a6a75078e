import type { Escalation, Level } from "../model/escalation.ts";
import type { FailureDigest } from "../model/failure.ts";
import { totalCap, totalSpent } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { hasLevels, isEscalationRung } from "../model/rung.ts";
import { decide } from "./decide.ts";
import { detectStuck } from "./stuck.ts";

/** Number of the last attempt at the current level, and the maximum; 0 of 0 for a level without attempts. */
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
 * Maximum number of attempts in a race: the lower remainder of the limit on races and of the limit on all levels.
 *
 * @param policy A policy with a race, which has both limits.
 */
export const remainingRacers = (escalation: Escalation, policy: Policy): number =>
  Math.min((policy.race as number) - escalation.races, (totalCap(policy) as number) - totalSpent(policy, escalation));

export type Setback = "failed" | "rejected" | "exhausted";

/**
 * Level of the next attempt on a planned task: `normal` while it makes progress, else the first remaining level of the
 * policy's ladder. For callers with remedies of their own; `decide` covers all remedies.
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

/** A failure without content, since the level depends only on the content of the escalation. */
const someFailure: FailureDigest = { kind: "task", error: "", attemptedFix: "", status: "", fingerprint: "" };
