import type { Harm } from "../evidence/guard.ts";
import { fileRole } from "../evidence/test-files.ts";
import type { Before } from "../model/check-run.ts";
import { isChecking, type Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { TreeChange } from "../ports/git.ts";
import { changesIn, findIn, wordsOf } from "./find-in-content.ts";
import type { WholePorts } from "./with-memory.ts";
import { filesMade } from "./work-so-far.ts";

export interface Guarding {
  readonly run: Pick<VerifyRun, "command" | "counts" | "tree"> | null;
  readonly changes: readonly TreeChange[];
  readonly before: Pick<Before, "counts" | "failing" | "red"> | null;
}

/** Maximum number of accepted tasks to check, the most recent ones. */
export const mostEarlier = 200;

/**
 * Earlier damage to the proof of a task. `harms`: the damage that remains. `earlier`: the damaged paths before the work
 * on the task.
 */
interface Prepared {
  readonly harms: readonly Harm[];
  readonly earlier: ReadonlySet<string>;
}

/**
 * Find changes by earlier tasks that may have made the Verify of a task green before its work. Returns none if an
 * earlier task was judged by the same command. Only files from before the run count, since earlier tasks may set up
 * what the command needs.
 */
export async function preparedHarm(
  { apart, attempts, plan, trees }: WholePorts,
  task: Task,
  planned: readonly Task[],
  { run, before }: Guarding,
): Promise<Prepared> {
  const none = { harms: [], earlier: new Set<string>() };
  const ids = attempts.passed().map(({ task: id }) => attempts.rootOf(id));
  const [from, to] = [ids[0] === undefined ? null : attempts.contentBefore(ids[0]), attempts.contentBefore(task.id)];
  if (before?.red !== false || isChecking(task) || apart !== undefined || attempts.batched().length > 1) return none;
  if (run?.tree == null || from === null || to === null || from === to || trees === undefined) return none;
  if (ids.some((id) => attempts.before(id)?.command === run.command)) return none;
  const { tasks } = (await plan.known()).plan;
  const words = wordsOf([...planned, ...tasks.filter(({ id }) => ids.includes(id))]);
  const harmsIn = async (tree: string): Promise<readonly Harm[]> => {
    const changes = (await trees.changes(from, tree)) ?? [];
    const made = new Set(filesMade(changes));
    const { harms } = await findIn(trees, from, { command: run.command, changes, reds: [], ...words });
    return harms.filter(({ path }) => !made.has(path));
  };
  const earlier = new Set((await harmsIn(to)).map(({ path }) => path));
  return {
    harms: earlier.size === 0 ? [] : (await harmsIn(run.tree)).filter(({ path }) => earlier.has(path)),
    earlier,
  };
}

/** Find red checks of a task that earlier tasks have weakened without naming them. */
export async function weakenedBefore(
  { apart, attempts, plan, trees }: WholePorts,
  task: Task,
  planned: readonly Task[],
  { run }: Guarding,
): Promise<readonly Harm[]> {
  const reds = attempts.reds(task.id).map(({ id, file }) => ({ name: id, file }));
  if (run?.tree == null || reds.length === 0 || trees === undefined) return [];
  if (apart !== undefined || attempts.batched().length > 1) return [];
  const { tasks } = (await plan.known()).plan;
  const found: Harm[] = [];
  for (const { task: id, content: to } of attempts.passed().slice(-mostEarlier)) {
    const from = attempts.contentBefore(id);
    if (from === null || to === null || attempts.rootOf(id) === attempts.rootOf(task.id)) continue;
    const own = await changesIn(trees, { from, to });
    const guarded = own.filter(({ path, before }) => before !== null && fileRole(path) !== "code");
    if (guarded.length === 0) continue;
    const changes = ((await trees.changes(from, run.tree)) ?? []).filter(({ path }) =>
      guarded.some((other) => other.path === path),
    );
    const words = wordsOf([...planned, ...tasks.filter((other) => other.id === attempts.rootOf(id))]);
    const { harms } = await findIn(trees, from, { command: run.command, changes, reds, ...words });
    found.push(...harms.map(({ path, what }) => ({ path, what: `${what} (in task ${id})` })));
  }
  return found;
}
