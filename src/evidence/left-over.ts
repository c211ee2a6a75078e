/** A file that attempts have changed: its text before, null for a new one, and after, null for one that is gone. */
export interface WorkedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Sources whose language finds them by what they define, not by their names. */
const implicit = /\.(?:clj|cs|dart|exs?|go|hs|java|kts?|php|rb|scala|sql|swift)$/;

/**
 * Find files that failed attempts have left and that are no part of the work: they are new, the accepted attempt did not
 * touch them, and neither the task nor a file of the work names them, nor do they name one. None where the accepted
 * attempt has changed nothing: then what others left is the work.
 *
 * @param changes What all attempts at the task have changed. @param touched Paths that the accepted one has changed.
 * @param task All that is written of the task.
 */
export function leftOver(
  changes: readonly WorkedFile[],
  touched: ReadonlySet<string>,
  task: string,
): readonly WorkedFile[] {
  return touched.size === 0 ? [] : nameless(changes, task, touched);
}

/** New files, but for those touched, that neither the task nor a file of the work names, nor name one. */
export function nameless<File extends WorkedFile>(
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

/** Whether a text has the name of a file as a word, with or without its ending; for `a/index.ts` that of its folder. */
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
