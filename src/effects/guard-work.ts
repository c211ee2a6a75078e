import { type FileChange, findHarm, type Guarded } from "../evidence/find-harm.ts";
import { findUnlinked } from "../evidence/find-leftovers.ts";
import { type EarlierWork, findUndone } from "../evidence/find-undone.ts";
import type { Harm } from "../evidence/guard.ts";
import { readTask } from "../evidence/read-task.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Before } from "../model/check-run.ts";
import { commandLine } from "../model/command-line.ts";
import type { Task, TaskId } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { TreeChange, Trees } from "../ports/git.ts";
import { findTask } from "./find-task.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/** Damage to a task's proof or to other work, and a hash of the harmful bytes. */
export interface Harmed extends Guarded {
  /** One hash per harm, in the order of `harms`. */
  readonly covers: readonly string[];
  /** The command that restores other tasks' work; null if no work is lost, or in a worktree. */
  readonly restore: string | null;
}

interface Guarding {
  readonly run: Pick<VerifyRun, "command" | "counts"> | null;
  readonly changes: readonly TreeChange[];
  readonly before: Pick<Before, "counts" | "failing"> | null;
}

/** Maximum depth for following files that other files name. */
const mostRounds = 6;

/**
 * Find changes of a whole task's attempts that weaken its proof or undo the work of other tasks, except those a person
 * accepted. Files that are named by the planned task, or by another member of its batch, may change.
 */
export async function guardWork(ports: WholePorts, task: Task, guarding: Guarding): Promise<Harmed> {
  const { changes } = guarding;
  // No change, no harm.
  if (changes.length === 0) return { harms: [], shown: [], covers: [], restore: null };
  const { attempts } = ports;
  const planned = await namingTasks(ports, task);
  const { harms, shown } = await findProvingHarm(ports, task, planned, guarding);
  const undone = await undoneBy(ports, task, planned, changes);
  const open = withoutAllowed([...harms, ...undone], changes, attempts.allowed(task.id));
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
  const content = attempts.contentBefore(task.id);
  const texts = new Map<string, string | null>(changes.map(({ path, before }) => [path, before]));
  const isRed = attempts.before(task.id)?.red === true || attempts.reds(task.id).length > 0;
  const named = attempts.reds(task.id).map(({ id, file }) => ({ name: id, file }));
  for (let round = 0; ; round += 1) {
    const missing = new Set<string>();
    const read = (path: string): string | null => {
      if (!texts.has(path)) missing.add(path);
      return texts.get(path) ?? null;
    };
    const found = findHarm({
      ...{ command: run.command, changes: changes as readonly FileChange[], read },
      ...wordsOf(planned),
      made: changes.flatMap(({ path, before }) => (before === null ? [path] : [])),
      reds: named.length > 0 || !isRed ? named : [{ name: "", file: null }],
      runs: { before: before?.counts ?? null, after: run.counts ?? null, tools: before?.failing?.stage ?? null },
    });
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

const wordsOf = (tasks: readonly Task[]): { readonly task: string; readonly files: readonly string[] } => ({
  task: tasks.map(({ title, fields }) => [title, ...Object.values(fields)].join("\n")).join("\n"),
  files: tasks.flatMap(({ fields }) => readPaths(fields.files ?? "")),
});

/** Maximum number of accepted tasks to check, the most recent ones. */
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
