import type { TaskId } from "./task-id.ts";

/** A task generated from a failure. Every text is untrusted and still as it came in; the markdown room encodes it. */
export interface FixTask {
  readonly id: TaskId;
  /** The task it repairs. */
  readonly fixOf: TaskId;
  /** At most 50 characters of the error, one line. */
  readonly summary: string;
  /** At most 500 characters. */
  readonly error: string;
  /** At most 500 characters. */
  readonly attemptedFix: string;
  /** The repaired task's own Files and Verify, as written there, or their fallbacks. */
  readonly files: string;
  readonly verify: string;
  /** Commit message without code marks. */
  readonly commit: string;
}
