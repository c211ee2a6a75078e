import type { TaskId } from "../model/task.ts";
import type { FileChange, Harm } from "./guard.ts";
import type { TaskWords } from "./read-task.ts";
import { baseOf } from "./test-files.ts";

export interface EarlierWork {
  readonly task: TaskId;
  readonly changes: readonly FileChange[];
}

/** Files that tools write when they run, so that no task owns them. */
const byTools =
  /(?:^|\/)(?:dist|build|out|target|coverage|test-results|playwright-report|node_modules|vendor|__pycache__|\.(?:cache|next|nuxt|pytest_cache|tox|venv|gradle))\/|\.(?:log|lock|pyc|tsbuildinfo|snap|ambr|map)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|\.coverage)$/;

/**
 * Find files that attempts reset to their state before an accepted task changed or made them. Excluded: files named by
 * the task, moved files, files with half of their lines now in other files, and files written by tools.
 *
 * @param changes Changes by the attempts. @param earlier Oldest first, with hashes in place of texts.
 * @param words Text of the task. @param nameOf Hashes a text.
 */
export function findUndone(
  changes: readonly FileChange[],
  earlier: readonly EarlierWork[],
  words: Pick<TaskWords, "names" | "takesBack">,
  nameOf: (text: string) => string,
): (Harm & { readonly undoes: TaskId })[] {
  return changes.flatMap(({ path, before, after, unread }) => {
    if (before === null || unread === true || byTools.test(path)) return [];
    if (words.names(path) || words.takesBack(path)) return [];
    const now = after === null ? null : nameOf(after);
    const undone = earlier.findLast((work) => isBackBefore(work, path, now));
    if (undone === undefined || (after === null && isElsewhere(path, before, changes))) return [];
    const what =
      after === null
        ? `was created by task ${undone.task}, and is gone`
        : `is back to its state before task ${undone.task}`;
    return [{ path, what, undoes: undone.task }];
  });
}

/**
 * Whether a removed file exists elsewhere: as a new file of the same name, or with half of its lines in new and changed
 * files.
 */
function isElsewhere(path: string, text: string, changes: readonly FileChange[]): boolean {
  if (changes.some((other) => other.before === null && baseOf(other.path) === baseOf(path))) return true;
  const now = new Set(changes.flatMap(({ after }) => (after === null ? [] : linesOf(after))));
  const lines = linesOf(text);
  return lines.length > 0 && 2 * lines.filter((line) => now.has(line)).length >= lines.length;
}

const linesOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

/** Whether a file has the content from before earlier work that changed it. */
function isBackBefore({ changes }: EarlierWork, path: string, now: string | null): boolean {
  const own = changes.find((change) => change.path === path);
  return own !== undefined && own.unread !== true && own.before === now && own.after !== now;
}
