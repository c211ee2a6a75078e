import type { TaskId } from "../model/task.ts";
import type { FileChange, Harm } from "./guard.ts";
import type { TaskWords } from "./read-task.ts";

/** What an accepted task has changed. */
export interface EarlierWork {
  readonly task: TaskId;
  readonly changes: readonly FileChange[];
}

/** Files that tools write as they run: nobody's work. */
const byTools =
  /(?:^|\/)(?:dist|build|out|target|coverage|test-results|playwright-report|node_modules|vendor|__pycache__|\.(?:cache|next|nuxt|pytest_cache|tox|venv|gradle))\/|\.(?:log|lock|pyc|tsbuildinfo|snap|ambr|map)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|\.coverage)$/;

/**
 * Find files that the attempts at a task have put back to what they were before an accepted task changed or made them.
 * Not meant are files that the task names, moved ones, and those that tools write. In place of texts may stand their
 * names: only whether they are equal counts.
 *
 * @param changes What the attempts have changed. @param earlier Oldest first. @param words What is written of the task.
 */
export function findUndone(
  changes: readonly FileChange[],
  earlier: readonly EarlierWork[],
  words: Pick<TaskWords, "names" | "takesBack">,
): (Harm & { readonly undoes: TaskId })[] {
  const made = changes.filter(({ before }) => before === null);
  const isMoved = ({ path, before, after }: FileChange): boolean =>
    after === null && made.some((file) => file.after === before || nameIn(file.path) === nameIn(path));
  return changes.flatMap((change) => {
    const { path, before, after, unread } = change;
    if (before === null || unread === true || byTools.test(path)) return [];
    if (words.names(path) || words.takesBack(path) || isMoved(change)) return [];
    const undone = earlier.findLast((work) => isBackBefore(work, path, after));
    if (undone === undefined) return [];
    const what = after === null ? `is gone, which ${undone.task} made` : `is as before ${undone.task}`;
    return [{ path, what, undoes: undone.task }];
  });
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether a file is as it was before a piece of work, which has changed it. */
function isBackBefore({ changes }: EarlierWork, path: string, now: string | null): boolean {
  const own = changes.find((change) => change.path === path);
  return own !== undefined && own.unread !== true && own.before === now && own.after !== now;
}
