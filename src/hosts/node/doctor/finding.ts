import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";

/** What looking at one thing has shown. */
export interface Finding {
  readonly about: "node" | "git" | "sh" | "folder" | "plan" | "settings" | "tool";
  /** An error keeps a run from working; a warning may. */
  readonly level: "ok" | "warning" | "error";
  /** One line. */
  readonly what: string;
  /** What mends it, a line each; null where nothing has to be. */
  readonly remedy: string | null;
}

export const ok = (about: Finding["about"], what: string): Finding => ({ about, level: "ok", what, remedy: null });

/**
 * A finding of what would be thrown at a start of a run.
 *
 * @throws What is no error of fixpoint's.
 */
export function findingOf(about: Finding["about"], error: unknown, address: SpecAddress): Finding {
  if (!(error instanceof FixpointError) || error.blame === "invariant") throw error;
  return { about, level: "error", what: error.message, remedy: adviceOf(error, address) ?? null };
}
