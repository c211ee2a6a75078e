import type { Policy } from "../model/policy.ts";

/** Rules of a run that may differ from the rules of the source system. */
export interface Rules {
  /** Whether the final message alone can fail or reject a claim, whatever Verify reports. */
  readonly wordsDecide: boolean;
  /** Whether a fix task is written even if neither a check nor the executor says what failed. */
  readonly fixesUnreported: boolean;
  /** Whether the original task is delegated again after a fix only if its Verify is not green. */
  readonly reverifiesAfterFix: boolean;
  /** Whether a red final check is repaired like a failed task. */
  readonly repairsFinal: boolean;
  /**
   * Number of consecutive equal errors from which a task is stuck, even if the policy has a higher number; null: only
   * the policy counts.
   */
  readonly mostSameErrors: number | null;
}

/** Differences from the source system; docs/coordinator.md gives the reasons. */
const departures: Readonly<Record<Policy["rules"], Rules>> = {
  evidence: {
    wordsDecide: false,
    fixesUnreported: false,
    reverifiesAfterFix: true,
    repairsFinal: true,
    mostSameErrors: null,
  },
  source: {
    wordsDecide: true,
    fixesUnreported: true,
    reverifiesAfterFix: false,
    repairsFinal: false,
    mostSameErrors: 3,
  },
};

export const rulesOf = ({ rules = "evidence" }: Partial<Pick<Policy, "rules">>): Rules => departures[rules];

/** Number of consecutive failures without progress from which a task is stuck. */
export const mostSameErrors = (policy: Pick<Policy, "stuckAfterSameErrors"> & Partial<Pick<Policy, "rules">>): number =>
  Math.min(policy.stuckAfterSameErrors, rulesOf(policy).mostSameErrors ?? policy.stuckAfterSameErrors);
