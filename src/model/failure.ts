import { z } from "zod";
import { serviceKinds } from "./service-problem.ts";

/**
 * Coarse class of a failure: what the executor or Verify reported, a time limit, an end without an answer, or what
 * kept the executor from working at all.
 */
export const FailureKind = z.enum(["task", "timeout", "crash", "context-exhausted", ...serviceKinds]);
export type FailureKind = z.infer<typeof FailureKind>;

/** A line of the failure block that may be missing. */
export type FailureField = "error" | "attemptedFix" | "status";

/** What an executor or a Verify command reported instead of a completion. A value, never thrown. */
export interface Failure {
  readonly taskId: string;
  readonly failed: true;
  readonly kind: FailureKind;
  /** Never empty. */
  readonly error: string;
  readonly attemptedFix: string;
  readonly status: string;
  /** The output the failure was read from, unmodified. */
  readonly rawOutput: string;
  /** Fields the output did not state; they hold the source's fallback texts. */
  readonly unstated: readonly FailureField[];
  /** When a rate limit ends, in milliseconds since 1970, where the executor said so. */
  readonly until?: number;
}

/** The part of a failure that a machine keeps: texts of at most 200 characters, and no output. */
export const FailureDigest = z.object({
  kind: FailureKind,
  error: z.string(),
  attemptedFix: z.string(),
  status: z.string(),
  fingerprint: z.string(),
  /** Until when the executor cannot work, in milliseconds since 1970; null when no wait would help. */
  until: z.number().nullable().optional(),
  /** Another executor stands in at once. */
  fallback: z.boolean().optional(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;
