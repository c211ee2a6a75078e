/** What an attempt failed with, and what it shows of being stuck or getting on. Texts are untrusted. */
export interface FailedAttempt {
  readonly error: string;
  /** Stable name of the error; made from it when not given. */
  readonly fingerprint?: string;
  /** What the executor says it tried. */
  readonly strategy?: string | null;
  /** What it says it has found out. */
  readonly findings?: readonly string[];
  /** The phrase with which it admits to be at a loss. */
  readonly admission?: string | null;
  /** Name of the state of the files, commits included. */
  readonly fileState?: string | null;
  /** Whether the attempt has changed that. */
  readonly changed?: boolean | null;
}

/** What an orchestrator that works on tasks itself says of its attempts. Waiting is none, and not said. */
export type EscalationEvent =
  | { readonly type: "attempt.failed"; readonly failure: FailedAttempt }
  /** It claimed to be done, and its claim was not in order. */
  | { readonly type: "attempt.rejected" }
  | { readonly type: "attempt.passed" }
  /** Nothing is left of what the orchestrator tries itself, stuck or not. */
  | { readonly type: "attempts.exhausted" };
