/** A file changed by attempts: text before (null if new), and after (null if removed). */
export interface WorkedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Sources in languages that refer to definitions instead of file names. */
const implicit = /\.(?:clj|cs|dart|exs?|go|hs|java|kts?|php|rb|scala|sql|swift)$/;

/**
 * Find leftovers of failed attempts: new files that the accepted attempt did not touch, and that are not linked to the
 * task. A file is linked if the text of the task or another changed file names it, or if it names another changed file.
 * Returns none if the accepted attempt changed nothing: then the new files are the work.
 *
 * @param changes Changes by all attempts at the task. @param touched Paths changed by the accepted attempt.
 * @param task Full text of the task.
 */
export function findLeftovers(
  changes: readonly WorkedFile[],
  touched: ReadonlySet<string>,
  task: string,
): readonly WorkedFile[] {
  return touched.size === 0 ? [] : findUnlinked(changes, task, touched);
}

/** New, untouched files that have no link to the task, not even through other new files. */
export function findUnlinked<File extends WorkedFile>(
  changes: readonly File[],
  task: string,
  touched: ReadonlySet<string> = new Set(),
): readonly File[] {
  const mayBe = ({ path, before }: WorkedFile): boolean =>
    before === null && !touched.has(path) && !implicit.test(path);
  let [left, work] = [changes.filter(mayBe), changes.filter((file) => !mayBe(file))];
  const isNamed = (file: WorkedFile): boolean =>
    names(task, file) || work.some((other) => names(other.after, file) || names(file.after, other));
  for (;;) {
    const part = left.filter(isNamed);
    if (part.length === 0) return left;
    work = part;
    left = left.filter((file) => !part.includes(file));
  }
}

/**
 * Whether a text has the name of a file as a word, with or without extension; for `a/index.ts`, the name of its folder.
 */
function names(text: string | null, { path }: WorkedFile): boolean {
  if (text === null) return false;
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  const dot = name.indexOf(".", 1);
  const stem = dot === -1 ? name : name.slice(0, dot);
  const isOfFolder = at !== -1 && /^(?:index|mod|__init__)$/.test(stem);
  return hasWord(text, isOfFolder ? path.slice(path.lastIndexOf("/", at - 1) + 1, at) : stem);
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))) return true;
  }
  return false;
}
