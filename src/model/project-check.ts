import type { Policy } from "./policy.ts";

/** The command that verifies the tasks without a Verify of their own, and when it is run. */
export interface ProjectCheck {
  readonly command: string;
  /** After each such task, or after all of a phase, or of the plan. */
  readonly every: Policy["checkEvery"];
}

/** The check of the project that a policy asks for; null where it asks for none. */
export const projectCheck = ({ verify, checkEvery }: Pick<Policy, "verify" | "checkEvery">): ProjectCheck | null =>
  verify === null ? null : { command: verify, every: checkEvery };
