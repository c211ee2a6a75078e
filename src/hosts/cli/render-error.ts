import { EnvironmentError, FixpointError, InputError } from "../../model/errors.ts";
import { escapeLines } from "../../wording/escape-text.ts";
import { fitItems } from "../../wording/render-items.ts";
import { nameSources } from "./name-sources.ts";

const heldByAnother = new Set(["spec-locked", "spec-on-other-host", "spec-taken-over", "workspace-held"]);

/**
 * What a person is told of a thrown error, and the exit code that says whose move it is.
 *
 * @param columns Width that lists of what takes consent are fitted to.
 */
export function renderError(error: unknown, columns = 80): { readonly text: string; readonly exitCode: number } {
  if (error instanceof InputError) return { text: fitItems(withHint(error), columns), exitCode: 2 };
  if (error instanceof EnvironmentError) {
    return { text: withHint(error), exitCode: heldByAnother.has(error.code) ? 4 : 5 };
  }
  const what = error instanceof Error ? nameSources(error.stack ?? error.message, import.meta.dirname) : String(error);
  const hint = error instanceof FixpointError && error.hint !== undefined ? `\n${error.hint}` : "";
  return {
    text: escapeLines(
      `ERROR: This is a defect in fixpoint. What was recorded is kept: the run can go on.${hint}\n${what}\n`,
    ),
    exitCode: 70,
  };
}

/** The error of a standard output that takes nothing more. */
export const lostOutput = (cause: NodeJS.ErrnoException): EnvironmentError =>
  new EnvironmentError(`Cannot write to standard output (${cause.code})`, { code: "output-unwritable", cause });

const withHint = ({ message, hint }: FixpointError): string =>
  escapeLines(`ERROR: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);
