import { commandLine } from "../model/command-line.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import type { SetAside } from "../ports/delegation-parts.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Restore the files to their state before the first attempt at a task. Files that someone else changed since the last
 * attempt stay. Content left by attempts is kept, so an interrupted restore can be repeated.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export async function startFresh(ports: WholePorts, task: Task, signal: AbortSignal): Promise<void> {
  const { attempts, trees, onProgress } = ports;
  const [base, last] = [attempts.foundFirst(task.id), attempts.leftIn(task.id)];
  // Outside a repository, build output and installed files cannot be told from work.
  if (trees?.keeps !== true || base === null || last === null || base === last.content) return;
  const now = await trees.now(signal);
  if (now === null || now === base) return;
  const [changes, others] = await Promise.all([trees.changes(now, base), trees.changes(last.content, now)]);
  if (changes === null || others === null) return;
  // Files that an interrupted restore has restored are among these, but need no change any more.
  const isOthers = new Set(others.map(({ path }) => path));
  const paths = changes.map(({ path }) => path).filter((path) => !isOthers.has(path));
  const left = paths.length === 0 ? [] : ((await trees.restore(now, base, paths))?.left ?? []);
  for (const { path, why } of left) {
    onProgress?.({ type: "notice", message: `Not restored for task ${task.id}: ${clamp(path, 200)}, ${why}` });
  }
}

/** Changes of earlier attempts that this one continues from; null if none are known. */
export async function leftBefore(ports: WholePorts, { id }: Task, key: AttemptKey): Promise<SetAside | null> {
  const { attempts, trees } = ports;
  const [base, last, found] = [attempts.foundFirst(id), attempts.leftIn(id), attempts.found(key)];
  if (trees?.keeps !== true || base === null || last === null || found === null || base === found) return null;
  const files = ((await trees.changes(base, found)) ?? []).map(({ path }) => path);
  return files.length === 0 ? null : { command: commandLine(addressIn(ports), "diff", { task: last.key }), files };
}

/** Changes that an attempt starts without; null if it continues from them. The answer does not change over time. */
export async function setAside(ports: WholePorts, { id }: Task, key: AttemptKey): Promise<SetAside | null> {
  const { attempts, trees } = ports;
  const [base, last, found] = [attempts.foundFirst(id), attempts.leftIn(id), attempts.found(key)];
  if (trees?.keeps !== true || base === null || last === null || found === null) return null;
  const [changed, kept] = await Promise.all([trees.changes(last.content, found), trees.changes(base, found)]);
  const isKept = new Set(kept?.map(({ path }) => path));
  const files = (changed ?? []).map(({ path }) => path).filter((path) => !isKept.has(path));
  return files.length === 0 ? null : { command: commandLine(addressIn(ports), "diff", { task: last.key }), files };
}
