import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";

/** The result of one check. */
export interface Finding {
  readonly about: "node" | "git" | "sh" | "folder" | "plan" | "settings" | "tool";
  /** An error keeps a run from working; a warning may. */
  readonly level: "ok" | "warning" | "error";
  /** One line. */
  readonly what: string;
  /** What mends it, a line each; null when nothing is wrong. */
  readonly remedy: string | null;
}

export const ok = (about: Finding["about"], what: string): Finding => ({ about, level: "ok", what, remedy: null });

/**
 * The finding for an error that a start of a run would throw.
 *
 * @throws What is no error of fixpoint's.
 */
export function findingOf(about: Finding["about"], error: unknown, address: SpecAddress): Finding {
  if (!(error instanceof FixpointError) || error.blame === "invariant") throw error;
  return { about, level: "error", what: error.message, remedy: adviceOf(error, address) ?? null };
}
