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

/** What a failed attempt shows of being stuck or getting on. Texts have at most 200 characters. */
export const Signs = z.object({
  /** What the executor says it tried; null when it does not. */
  strategy: z.string().nullable(),
  /** What it says it has found out. */
  findings: z.array(z.string()),
  /** The phrase with which it admits to be at a loss; null without one. */
  admission: z.string().nullable(),
  /** Name of the state of the files, commits included; null when it is not known. */
  fileState: z.string().nullable(),
  /** Whether the attempt has changed that; null when it is not known. */
  changed: z.boolean().nullable(),
});
export type Signs = z.infer<typeof Signs>;

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
  /** What was seen of being stuck; not told where the policy has no rung for it. */
  signs: Signs.optional(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;
