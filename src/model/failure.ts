import { z } from "zod";

/** Coarse class of a failure: what the executor or Verify reported, a time limit, or an end without an answer. */
export const FailureKind = z.enum(["task", "timeout", "crash"]);
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
}

/** The part of a failure that a machine keeps: texts of at most 200 characters, and no output. */
export const FailureDigest = z.object({
  kind: FailureKind,
  error: z.string(),
  attemptedFix: z.string(),
  status: z.string(),
  fingerprint: z.string(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;
