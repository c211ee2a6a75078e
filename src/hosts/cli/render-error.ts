import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { EnvironmentError, FixpointError, InputError } from "../../model/errors.ts";
import { escapeLines } from "../../wording/escape-text.ts";
import { fitItems } from "../../wording/render-items.ts";

const heldByAnother = new Set(["spec-locked", "spec-on-other-host", "spec-taken-over", "workspace-held"]);

/**
 * Render a thrown error, and choose the exit code: 2 for bad input, 4 for a lease of another process, 5 for the
 * environment, 70 for a defect.
 *
 * @param columns Width for lists of items that need consent.
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
      `ERROR: This is a defect in fixpoint. All records are kept: the run can be resumed.${hint}\n${what}\n`,
    ),
    exitCode: 70,
  };
}

export const lostOutput = (cause: NodeJS.ErrnoException): EnvironmentError =>
  new EnvironmentError(`Cannot write to standard output (${cause.code})`, { code: "output-unwritable", cause });

const withHint = ({ message, hint }: FixpointError): string =>
  escapeLines(`ERROR: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);

/** Line and column at the end of a stack frame. */
const position = /:(\d{1,9}):\d{1,9}\)?$/;
/** Comment line of the bundler above the code of each source file. */
const heading = /^\/\/ ((?:src|machines|node_modules)\/\S+)$/;

/**
 * Prefix each stack frame in the bundle with its source file: `src/parse/x.ts in /…/chunk.js:1:2`.
 *
 * @param folder Folder of the bundle; stack frames of other files stay unchanged.
 */
function nameSources(stack: string, folder: string): string {
  return stack
    .split("\n")
    .map((line) => {
      const found = position.exec(line);
      const start = Math.max(line.lastIndexOf("("), line.lastIndexOf(" ")) + 1;
      const file = line.slice(start, found?.index);
      const source = found === null || dirname(file) !== folder ? undefined : sourceOf(file, Number(found[1]));
      return source === undefined ? line : `${line.slice(0, start)}${source} in ${line.slice(start)}`;
    })
    .join("\n");
}

function sourceOf(file: string, line: number): string | undefined {
  try {
    const lines = readFileSync(file, "utf8").split("\n").slice(0, line);
    return heading.exec(lines.findLast((each) => heading.test(each)) ?? "")?.[1];
  } catch {
    // If the bundle was removed, print the stack without sources.
    return undefined;
  }
}
