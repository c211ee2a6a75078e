import type { Harm } from "../evidence/guard.ts";
import { nameless } from "../evidence/left-over.ts";
import { readTask } from "../evidence/read-task.ts";
import { type EarlierWork, findUndone } from "../evidence/undone.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Task, TaskId } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { TreeChange, Trees } from "../ports/trees.ts";
import type { WholePorts } from "./with-memory.ts";

/** Title and fields of tasks, and the paths in their Files. */
export const wordsOf = (tasks: readonly Task[]): { readonly task: string; readonly files: readonly string[] } => ({
  task: tasks.map(({ title, fields }) => [title, ...Object.values(fields)].join("\n")).join("\n"),
  files: tasks.flatMap(({ fields }) => readPaths(fields.files ?? "")),
});

/** Maximum number of accepted tasks to check, counted from the last. */
const mostEarlier = 200;

/**
 * Find accepted work of earlier tasks that the attempts at a task undid. A new file that their work does not mention is
 * not part of it. For batch members, who work in parallel, this cannot be determined.
 */
export async function undoneBy(
  { apart, attempts, plan, trees }: WholePorts,
  task: Task,
  planned: readonly Task[],
  changes: readonly TreeChange[],
): Promise<readonly Harm[]> {
  if (trees === undefined || (apart === undefined && attempts.batched().length > 1)) return [];
  const passed = attempts.passed().filter(({ task: id }) => attempts.rootOf(id) !== attempts.rootOf(task.id));
  const { task: text, files } = wordsOf(planned);
  const words = readTask(text, files, "");
  if (passed.length === 0 || changes.every(({ path, before }) => before === null || words.names(path))) return [];
  const done = new Map<TaskId, Span>();
  for (const { task: id, content: to } of passed.slice(-mostEarlier)) {
    const from = attempts.contentBefore(id);
    if (from !== null && to !== null) done.set(id, { from, to });
  }
  const earlier: EarlierWork[] = [];
  for (const [id, span] of done) earlier.push({ task: id, changes: await named(trees, span) });
  const undone = findUndone(changes, earlier, words, hashText);
  const { tasks } = (await plan.known()).plan;
  const isWork = await Promise.all(
    undone.map(async ({ path, undoes }) => {
      const { from, to } = done.get(undoes) as Span;
      const own = (await trees.changes(from, to)) ?? [];
      const loose = nameless(own, wordsOf(tasks.filter(({ id }) => id === undoes)).task);
      return !loose.some((file) => file.path === path);
    }),
  );
  return undone.filter((_, index) => isWork[index]);
}

/** Names of the workspace contents before and after an accepted task. */
interface Span {
  readonly from: string;
  readonly to: string;
}

/** Cache of accepted tasks' changes: each is compared once per start. */
const compared = new WeakMap<Trees, Map<string, readonly TreeChange[]>>();

async function named(trees: Trees, { from, to }: Span): Promise<readonly TreeChange[]> {
  const known = compared.get(trees) ?? new Map<string, readonly TreeChange[]>();
  compared.set(trees, known);
  const key = `${from} ${to}`;
  const changes = known.get(key) ?? ((await trees.changes(from, to)) ?? []).map(nameTexts);
  known.set(key, changes);
  return changes;
}

/** A change with hashes in place of its texts. */
const nameTexts = ({ before, after, ...change }: TreeChange): TreeChange => ({
  ...change,
  before: before === null ? null : hashText(before),
  after: after === null ? null : hashText(after),
});
