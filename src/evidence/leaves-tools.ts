import type { FileChange, Known } from "./guard.ts";
import { linesOf, writingOf } from "./source-text.ts";
import { baseOf, fileRole, isForOther, isHelper } from "./test-files.ts";

/**
 * Describe how a file with a finding left the files that tools read: it is gone, empty, a link, or built for another
 * system. Null if it did not, or if the task asks for that.
 */
export function leavesTools(change: FileChange, known: Known): string | null {
  const { path, before, after } = change;
  const { behind, reds, words, files } = known;
  const searches = ["grep", "egrep", "rg"].some((program) => behind.programs.has(program));
  if (after !== null && searches && isLinkNow(after, known)) return "was replaced by a link, which searches skip";
  if (fileRole(path) !== "code" || isHelper(path) || words.takesBack(path)) return null;
  const isRed = reds.some(({ file }) => file === path);
  if (after === null && !isRed) return null;
  if (after === null) return leavesExtension(path, known) ?? (isAsideNow(known) ? "is gone, with its finding" : null);
  const isOwn = isRed || files.includes(path);
  return isOwn && hasCode(path, String(before)) && !hasCode(path, after) ? "was emptied, with its finding" : null;
}

/** Whether a text is the target of a link: the path of another file. */
function isLinkNow(text: string, { changes, read }: Known): boolean {
  const target = text.replace(/^(?:\.{1,2}\/)+/, "");
  const isPath = /^[\w@-][\w@./-]*$/.test(target);
  return (
    isPath && (changes.some(({ path, after }) => after !== null && path.endsWith(target)) || read(target) !== null)
  );
}

const hasCode = (path: string, text: string): boolean =>
  linesOf(text, writingOf(path)).some(({ bare }) => bare.trim() !== "");

/** Whether a new file, which tools do not read, is in the place of a removed one. */
const isAsideNow = ({ changes }: Known): boolean =>
  changes.some(({ path, before, after }) => before === null && after !== null && isAside(path, after, changes));

const isAside = (path: string, text: string, changes: readonly FileChange[]): boolean =>
  isForOther.test(path) ||
  /^\/\/go:build /m.test(text) ||
  changes.some(
    (other) =>
      other.after === null &&
      (extensionOf(other.path) === extensionOf(path)
        ? baseOf(other.path) === baseOf(path) && other.path.split("/", 1)[0] !== path.split("/", 1)[0]
        : other.before === text),
  );

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Report a new stub by which a type checker does not read the code of the same name; null if there is none. */
export function hidesTypes(path: string, { files, reds, read, words }: Known): string | null {
  const code = path.slice(0, -1);
  if (!path.endsWith(".pyi") || read(code) === null || words.names(path)) return null;
  const isRed = files.includes(code) || reds.some(({ file }) => file === code);
  return isRed ? `hides the types of ${code}` : null;
}

/** Report that a file with findings was replaced by one of another extension; null if it was not replaced. */
function leavesExtension(path: string, { changes, words }: Known): string | null {
  const stem = path.replace(/\.[^./]*$/, "");
  const other = changes.find(({ path: now, before }) => before === null && now.startsWith(`${stem}.`));
  if (other === undefined || words.names(other.path)) return null;
  return `was replaced by ${other.path}, which the tool may not check`;
}
