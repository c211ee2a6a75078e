import type { Policy } from "./policy.ts";

export interface ProjectCheck {
  readonly command: string;
  /** Time of the check: after each task without a Verify, after each phase, or at the end of the plan. */
  readonly every: Policy["checkEvery"];
}

export const projectCheck = ({ verify, checkEvery }: Pick<Policy, "verify" | "checkEvery">): ProjectCheck | null =>
  verify === null ? null : { command: verify, every: checkEvery };
