import { type FileChange, findHarm, type GuardCase, type Guarded } from "../evidence/find-harm.ts";
import { findUnlinked } from "../evidence/find-leftovers.ts";
import { type EarlierWork, findUndone } from "../evidence/find-undone.ts";
import type { Harm } from "../evidence/guard.ts";
import { readTask } from "../evidence/read-task.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Before } from "../model/check-run.ts";
import { commandLine } from "../model/command-line.ts";
import { isChecking, type Task, type TaskId } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { TreeChange, Trees } from "../ports/git.ts";
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

interface Guarding {
  readonly run: Pick<VerifyRun, "command" | "counts" | "tree"> | null;
  readonly changes: readonly TreeChange[];
  readonly before: Pick<Before, "counts" | "failing" | "red"> | null;
}

/** Maximum depth for following files that other files name. */
const mostRounds = 6;

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
  const undone = await undoneBy(ports, task, planned, changes);
  // A task may revert changes that an earlier task prepared.
  const own = [...harms, ...undone].filter(({ path }) => !prepared.earlier.has(path));
  const open = withoutAllowed([...own, ...prepared.harms], changes, attempts.allowed(task.id));
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
async function preparedHarm(
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

async function findProvingHarm(
  { attempts, trees }: WholePorts,
  task: Task,
  planned: readonly Task[],
  { run, changes, before }: Guarding,
): Promise<Guarded> {
  if (run === null) return { harms: [], shown: [] };
  const isRed = attempts.before(task.id)?.red === true || attempts.reds(task.id).length > 0;
  const named = attempts.reds(task.id).map(({ id, file }) => ({ name: id, file }));
  return findIn(trees, attempts.contentBefore(task.id), {
    ...{ command: run.command, changes: changes as readonly FileChange[] },
    ...wordsOf(planned),
    made: filesMade(changes),
    reds: named.length > 0 || !isRed ? named : [{ name: "", file: null }],
    runs: { before: before?.counts ?? null, after: run.counts ?? null, tools: before?.failing?.stage ?? null },
  });
}

/** Find harm. Other files are read from a content of the workspace only if needed. */
async function findIn(
  trees: Trees | undefined,
  content: string | null,
  given: Omit<GuardCase, "read">,
): Promise<Guarded> {
  const texts = new Map<string, string | null>(given.changes.map(({ path, before }) => [path, before]));
  for (let round = 0; ; round += 1) {
    const missing = new Set<string>();
    const read = (path: string): string | null => {
      if (!texts.has(path)) missing.add(path);
      return texts.get(path) ?? null;
    };
    const found = findHarm({ ...given, read });
    if (missing.size === 0 || round === mostRounds || content === null || trees === undefined) {
      return found;
    }
    for (const [path, text] of await trees.read(content, [...missing])) texts.set(path, text);
  }
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

/** The words of tasks, without their commit messages, which describe the work and ask for nothing. */
const wordsOf = (tasks: readonly Task[]): { readonly task: string; readonly files: readonly string[] } => ({
  task: tasks
    .map(({ title, fields: { commit: _, ...fields } }) => [title, ...Object.values(fields)].join("\n"))
    .join("\n"),
  files: tasks.flatMap(({ fields }) => readPaths(fields.files ?? "")),
});

/** Maximum number of accepted tasks to check. The most recent tasks are checked. */
const mostEarlier = 200;

/**
 * Find accepted work of earlier tasks that the attempts at a task undid. A new file that the earlier task does not
 * mention is not counted as its work. Batch members in one workspace are skipped, since their changes cannot be told
 * apart.
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
  for (const [id, span] of done) earlier.push({ task: id, changes: await named(trees, span) });
  const undone = findUndone(changes, earlier, words, hashText);
  const { tasks } = (await plan.known()).plan;
  const isWork = await Promise.all(
    undone.map(async ({ path, undoes }) => {
      const { from, to } = done.get(undoes) as Span;
      const own = (await trees.changes(from, to)) ?? [];
      const loose = findUnlinked(own, wordsOf(tasks.filter(({ id }) => id === undoes)).task);
      return !loose.some((file) => file.path === path);
    }),
  );
  return undone.filter((_, index) => isWork[index]);
}

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

/** Replace the texts of a change by hashes. */
const nameTexts = ({ before, after, ...change }: TreeChange): TreeChange => ({
  ...change,
  before: before === null ? null : hashText(before),
  after: after === null ? null : hashText(after),
});
