import type { Escalation, Level } from "../model/escalation.ts";
import type { FailureDigest } from "../model/failure.ts";
import { totalCap } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { hasLevels } from "../model/rung.ts";
import { decide } from "./decide.ts";
import { detectStuck } from "./detect-stuck.ts";

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
  const { kind } = decide({ root: "", current: "", spent: {}, policy, failure, escalation, remedy: null });
  return kind === "pivot" || kind === "research" || kind === "checkpoint" ? kind : "normal";
}

/** That an attempt failed decides here, not what it failed with: of that the escalation tells. */
const someFailure: FailureDigest = { kind: "task", error: "", attemptedFix: "", status: "", fingerprint: "" };
