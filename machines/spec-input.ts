import type { PolicyInput } from "../src/model/policy.ts";

/** What the coordinator is started with. */
export interface SpecInput {
  readonly policy?: PolicyInput;
  /** Number of its first turn, so that keys of a continued run do not repeat; 1 when not given. */
  readonly turn?: number;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean;
}
