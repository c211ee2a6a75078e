import type { Policy } from "../model/policy.ts";

/** Where the rules of a run can depart from those of the source system. */
export interface Rules {
  /** Words alone fail or reject a claim, whatever Verify would say. */
  readonly wordsDecide: boolean;
  /** A fix task is also written where neither a check nor the executor says what failed. */
  readonly fixesUnreported: boolean;
  /** After a fix its original is delegated again only if its Verify is not green. */
  readonly reverifiesAfterFix: boolean;
  /** A red final check is repaired like a failed task. */
  readonly repairsFinal: boolean;
  /** Failures in a row with the same error that mean stuck, whatever the policy allows; null where it decides. */
  readonly mostSameErrors: number | null;
}

/** Each departure from the source system, which docs/coordinator.md gives the reasons for. */
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

/** The rules of a run. */
export const rulesOf = ({ rules = "evidence" }: Partial<Pick<Policy, "rules">>): Rules => departures[rules];

/** Failures in a row without progress that mean stuck. */
export const mostSameErrors = (policy: Pick<Policy, "stuckAfterSameErrors"> & Partial<Pick<Policy, "rules">>): number =>
  Math.min(policy.stuckAfterSameErrors, rulesOf(policy).mostSameErrors ?? policy.stuckAfterSameErrors);
