import { type FileChange, findHarm, type Guarded } from "../evidence/find-harm.ts";
import { readPaths } from "../markdown/lint/read-paths.ts";
import type { CheckCounts } from "../model/check-run.ts";
import type { Task, TaskId } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { TreeChange } from "../ports/trees.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** What became of what proves a task, and a name of the bytes that do harm. */
export interface Harmed extends Guarded {
  /** By harm, in the order of `harms`. */
  readonly covers: readonly string[];
}

interface Guarding {
  readonly run: Pick<VerifyRun, "command" | "counts">;
  readonly changes: readonly TreeChange[];
  /** What its command counted before the work; null where that is not known. */
  readonly counts: CheckCounts | null;
}

/** Rounds in which files are read that others name. */
const mostRounds = 6;

/**
 * Find what the attempts of a whole task have changed of what proves it, but for what a person has accepted. The text of
 * the planned task counts, and that of the others of its batch: what they name is theirs.
 */
export async function guardWork(ports: WholePorts, task: Task, { run, changes, counts }: Guarding): Promise<Harmed> {
  // Who has changed nothing has changed nothing that proves it.
  if (changes.length === 0) return { harms: [], shown: [], covers: [] };
  const { attempts, trees } = ports;
  const content = attempts.contentBefore(task.id);
  const planned = await namingTasks(ports, task);
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
      task: planned.map(({ title, fields }) => [title, ...Object.values(fields)].join("\n")).join("\n"),
      files: planned.flatMap(({ fields }) => readPaths(fields.files ?? "")),
      made: changes.flatMap(({ path, before }) => (before === null ? [path] : [])),
      reds: named.length > 0 || !isRed ? named : [{ name: "", file: null }],
      runs: { before: counted(counts), after: counted(run.counts ?? null) },
    });
    if (missing.size === 0 || round === mostRounds || content === null || trees === undefined) {
      return withoutAllowed(found, changes, attempts.allowed(task.id));
    }
    for (const [path, text] of await trees.read(content, [...missing])) texts.set(path, text);
  }
}

const counted = (counts: CheckCounts | null) => counts && { ...counts, passed: null };

function withoutAllowed(found: Guarded, changes: readonly TreeChange[], allowed: readonly string[]): Harmed {
  const after = new Map(changes.map((change) => [change.path, change.after]));
  const named = found.harms.map((harm) => ({
    harm,
    cover: `${harm.path}@${hashText(after.get(harm.path) ?? harm.what)}`,
  }));
  const open = named.filter(({ cover }) => !allowed.includes(cover));
  return { harms: open.map(({ harm }) => harm), shown: found.shown, covers: open.map(({ cover }) => cover) };
}

/** The planned task that a task belongs to, and the members of its batch beside that. */
async function namingTasks(ports: WholePorts, task: Task): Promise<readonly Task[]> {
  const ids: TaskId[] = [ports.attempts.rootOf(task.id), ...ports.attempts.batched()];
  const { tasks } = (await ports.plan.known()).plan;
  const found = [...new Set(ids)].flatMap((id) => tasks.find((each) => each.id === id) ?? []);
  return found.length > 0 ? found : [await findTask(ports, task.id)];
}
