import type { Policy } from "./policy.ts";

/** The command that verifies tasks without their own Verify, and when it runs. */
export interface ProjectCheck {
  readonly command: string;
  /** After each task without its own Verify, after each phase, or the whole plan. */
  readonly every: Policy["checkEvery"];
}

/** The project check of a policy; null if there is none. */
export const projectCheck = ({ verify, checkEvery }: Pick<Policy, "verify" | "checkEvery">): ProjectCheck | null =>
  verify === null ? null : { command: verify, every: checkEvery };
