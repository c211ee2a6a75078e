/** What every thrown error carries besides its message. */
export interface FixpointErrorOptions {
  /** Stable kebab-case name of the cause, listed in docs/errors.md. */
  code: string;
  /** One sentence a person can act on. */
  hint?: string;
  cause?: unknown;
}

/** Base of everything fixpoint throws; `blame` says whose move it is. */
export abstract class FixpointError extends Error {
  abstract readonly blame: "input" | "environment" | "invariant";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, { code, hint, cause }: FixpointErrorOptions) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}

/** What was passed in cannot be used; the same call will fail again. */
export class InputError extends FixpointError {
  readonly blame = "input";
}

/** The outside refused (file, process, network); the same call may succeed later. */
export class EnvironmentError extends FixpointError {
  readonly blame = "environment";
}

/** Our own defect. */
export class InvariantError extends FixpointError {
  readonly blame = "invariant";
}

/** Whether an error says that a run does not hold its spec any more: nothing of it may be written from then on. */
export const isLost = (error: unknown): boolean =>
  error instanceof EnvironmentError && (error.code === "spec-taken-over" || error.code === "run-data-removed");
