import * as z from "zod";
import type { PolicyInput } from "../src/model/policy.ts";
import { PolicyGiven } from "./check-input.ts";

/** What the coordinator is started with. */
export interface SpecInput {
  readonly policy?: PolicyInput | undefined;
  /** Number of its first turn, so that keys of a continued run do not repeat; 1 when not given. */
  readonly turn?: number | undefined;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean | undefined;
}

/** Its form. */
export const specInput: z.ZodType<SpecInput> = z.strictObject({
  policy: PolicyGiven,
  turn: z.int().min(1).optional(),
  paused: z.boolean().optional(),
});
