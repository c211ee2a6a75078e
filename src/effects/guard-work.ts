import type { FileChange, Guarded } from "../evidence/find-harm.ts";
import { findUnlinked } from "../evidence/find-leftovers.ts";
import { type EarlierWork, findUndone } from "../evidence/find-undone.ts";
import type { Harm } from "../evidence/guard.ts";
import { readTask } from "../evidence/read-task.ts";
import type { Before, KnownRun } from "../model/check-run.ts";
import { commandLine } from "../model/command-line.ts";
import { isChecking, type Task, type TaskId } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { TreeChange } from "../ports/git.ts";
import { type Guarding, mostEarlier, preparedHarm, weakenedBefore } from "./earlier-harm.ts";
import { changesIn, findIn, relatedIn, type Span, wordsOf } from "./find-in-content.ts";
import { findTask } from "./find-task.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";
import { filesMade } from "./work-so-far.ts";

/** Damage to a task's proof or to other work, and a hash of the harmful bytes. */
export interface Harmed extends Guarded {
  /** One hash per harm, in the order of `harms`. */
  readonly covers: readonly string[];
  /** The command that restores other tasks' work; null if no work is lost, or in a worktree. */
  readonly restore: string | null;
}

/**
 * Find changes of a whole task's attempts that weaken its proof or undo the work of other tasks, except changes that a
 * person accepted. Files that are named by the planned task, or by another member of its batch, may change.
 */
export async function guardWork(ports: WholePorts, task: Task, guarding: Guarding): Promise<Harmed> {
  const { changes } = guarding;
  const { attempts } = ports;
  const planned = await namingTasks(ports, task);
  const { harms, shown } = await findProvingHarm(ports, task, planned, guarding);
  const prepared = await preparedHarm(ports, task, planned, guarding);
  const weakened = await weakenedBefore(ports, task, planned, guarding);
  const undone = await undoneBy(ports, task, planned, changes);
  // A task may revert changes that an earlier task prepared.
  const own = [...harms, ...undone].filter(({ path }) => !prepared.earlier.has(path));
  const open = withoutAllowed([...own, ...prepared.harms, ...weakened], changes, attempts.allowed(task.id));
  const paths = open.harms.flatMap(({ path, undoes }) => (undoes === undefined ? [] : [path]));
  return {
    ...open,
    shown,
    restore: paths.length === 0 || ports.apart !== undefined ? null : restoring(ports, task, paths),
  };
}

const mostRestored = 20;

const restoring = (ports: WholePorts, { id }: Task, paths: readonly string[]): string =>
  commandLine(addressIn(ports), "restore", {
    task: `${ports.attempts.rootOf(id)}#1`,
    options: ["--before", "--yes", "--", ...paths.slice(0, mostRestored)],
  });

async function findProvingHarm(
  { attempts, trees }: WholePorts,
  task: Task,
  planned: readonly Task[],
  { run, changes, before }: Guarding,
): Promise<Guarded> {
  if (run === null) return { harms: [], shown: [] };
  // Without a run before the work, each test may have been red.
  const isUnknown = isChecking(task) && before?.red == null && (run.counts?.ran ?? 0) > 0;
  const isRed = attempts.before(task.id)?.red === true || attempts.reds(task.id).length > 0 || isUnknown;
  const named = attempts.reds(task.id).map(({ id, file }) => ({ name: id, file }));
  return findIn(trees, attempts.contentBefore(task.id), {
    ...{ command: run.command, changes: changes as readonly FileChange[] },
    ...wordsOf(planned),
    made: filesMade(changes),
    reds: named.length > 0 || !isRed ? named : [{ name: "", file: null }],
    runs: { before: before?.counts ?? null, after: run.counts ?? null, tools: before?.failing?.stage ?? null },
  });
}

/**
 * Find changes of several tasks that weaken the check that judges them together.
 *
 * @param from Content of the workspace before the tasks.
 */
export async function guardTogether(
  { attempts, plan, trees }: WholePorts,
  { from, run, before }: { readonly from: string | null; readonly run: KnownRun; readonly before: Before },
): Promise<readonly Harm[]> {
  if (from === null || run.tree === null || trees === undefined) return [];
  const changes = (await trees.changes(from, run.tree)) ?? [];
  const ids = new Set(attempts.passed().map(({ task }) => attempts.rootOf(task)));
  const { tasks } = (await plan.known()).plan;
  const { harms } = await findIn(trees, from, {
    ...{ command: before.command, changes: changes as readonly FileChange[], made: filesMade(changes) },
    ...wordsOf(tasks.filter(({ id }) => ids.has(id))),
    reds: before.reds.length > 0 || before.red !== true ? before.reds : [{ name: "", file: null }],
    runs: { before: before.counts, after: run.counts ?? null, tools: before.failing?.stage ?? null },
  });
  return harms;
}

function withoutAllowed(
  harms: readonly Harm[],
  changes: readonly TreeChange[],
  allowed: readonly string[],
): Pick<Harmed, "harms" | "covers"> {
  const after = new Map(changes.map((change) => [change.path, change.after]));
  const named = harms.map((harm) => ({
    harm,
    cover: `${harm.path}@${hashText(after.get(harm.path) ?? harm.what)}`,
  }));
  const open = named.filter(({ cover }) => !allowed.includes(cover));
  return { harms: open.map(({ harm }) => harm), covers: open.map(({ cover }) => cover) };
}

/** The planned task of `task`, and the other members of its batch. */
async function namingTasks(ports: WholePorts, task: Task): Promise<readonly Task[]> {
  const ids: TaskId[] = [ports.attempts.rootOf(task.id), ...ports.attempts.batched()];
  const { tasks } = (await ports.plan.known()).plan;
  const found = [...new Set(ids)].flatMap((id) => tasks.find((each) => each.id === id) ?? []);
  return found.length > 0 ? found : [await findTask(ports, task.id)];
}

/**
 * Find accepted work of earlier tasks that the attempts at a task undid. A new file that the earlier task does not
 * mention is not counted as its work, nor is a file outside of its Files that a red check of the present task may read.
 * Batch members in one workspace are skipped, since their changes cannot be told apart.
 */
async function undoneBy(
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
  for (const [id, span] of done) earlier.push({ task: id, changes: await changesIn(trees, span) });
  const undone = findUndone(changes, earlier, words, hashText);
  if (undone.length === 0) return [];
  const { tasks } = (await plan.known()).plan;
  const reds = attempts.reds(task.id);
  const relates = await relatedIn(trees, attempts.contentBefore(task.id), reds);
  const mayRepair = (path: string): boolean => reds.some((red) => relates(red, { named: [path], changed: [] }));
  const isWork = await Promise.all(
    undone.map(async ({ path, undoes }) => {
      const { from, to } = done.get(undoes) as Span;
      const own = (await trees.changes(from, to)) ?? [];
      const asked = wordsOf(tasks.filter(({ id }) => id === undoes));
      const isOutside = asked.files.length > 0 && !readTask(asked.task, asked.files, "").names(path);
      return !(isOutside && mayRepair(path)) && findUnlinked(own, asked.task).every((file) => file.path !== path);
    }),
  );
  return undone.filter((_, index) => isWork[index]);
}
