import type { Escalation } from "../model/escalation.ts";
import type { Policy } from "../model/policy.ts";

/** Which attempt at its level a task is in, and how many there may be; 0 of 0 where a level has none. */
export function countAtLevel(
  { level, pivots, researches }: Pick<Escalation, "level" | "pivots" | "researches">,
  { maxPivotAttempts, maxResearchAttempts }: Pick<Policy, "maxPivotAttempts" | "maxResearchAttempts">,
): { attempt: number; max: number } {
  if (level === "pivot") return { attempt: pivots, max: maxPivotAttempts };
  return level === "research" ? { attempt: researches, max: maxResearchAttempts } : { attempt: 0, max: 0 };
}
