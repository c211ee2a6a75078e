import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { createQueue } from "../../model/create-queue.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { TaskId } from "../../model/task.ts";
import type { Trees, Worktree, WorktreePorts, WorktreeStart, Worktrees } from "../../ports/git.ts";
import { isWithin } from "../files/folder.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";
import { callGit, reasonOf } from "./call-git.ts";
import { realFolder } from "./find-repository.ts";

export interface WorktreesOptions {
  /** Absolute path of the workspace, which is the top of a working tree. */
  readonly workspace: string;
  /** Absolute path of the spec folder. If it is below the workspace, each worktree gets a copy of it. */
  readonly specFolder: string;
  /** Absolute folder for worktrees, outside of the repository and empty: everything in it is removed at the end. */
  readonly folder: string;
  /** Paths, relative to the workspace, that git ignores and that worktrees share with the workspace by links. */
  readonly links: readonly string[];
  readonly trees: Trees;
  /** @param spec The worktree's copy of the spec folder, or the original. */
  readonly portsOf: (workspace: string, spec: string) => WorktreePorts;
  /** Set up a new worktree. Returns the last output if that fails. */
  readonly setUp: (ports: WorktreePorts, name: string, signal: AbortSignal) => Promise<string | null>;
}

/**
 * Git worktrees of the repository around a workspace, detached from its branches. Each task gets a new worktree, which
 * is not used again after its executor has worked in it.
 */
export function worktrees(options: WorktreesOptions): Worktrees & {
  readonly end: () => Promise<void>;
} {
  const used = new Map<TaskId, Promise<{ readonly path: string; readonly worktree: Worktree }>>();
  let count = 0;
  // Change one worktree at a time, because git locks the data that worktrees share.
  const oneByOne = createQueue();
  const make = async (from: WorktreeStart | null, signal: AbortSignal) => {
    const content = from?.content ?? (await options.trees.now(signal));
    signal.throwIfAborted();
    if (content === null) throw refuse(options, "the content of the workspace is unknown");
    count += 1;
    const { path, copy, ports } = await add(options, count);
    const held = await fill(options, ports, content);
    const logs = copy === null ? new Map<string, Buffer>() : copySpec(options.specFolder, copy);
    const failed = await options.setUp(ports, `worktree-${count}/setup`, signal);
    signal.throwIfAborted();
    if (failed !== null) throw refuse(options, `it could not be set up: ${failed}`);
    const takeLog = (name: string): void => {
      if (copy !== null) takeLogOver(copy, name, options.specFolder, logs.get(name));
    };
    return { path, worktree: { base: from?.base ?? held, ports, copy: copy ?? options.specFolder, takeLog } };
  };
  return {
    open: async (task, from, signal) => {
      const made = used.get(task) ?? oneByOne(() => make(from, signal));
      used.set(task, made);
      made.catch(() => used.delete(task));
      return (await made).worktree;
    },
    close: (task) => {
      const made = used.get(task);
      used.delete(task);
      // A worktree that cannot be removed now is removed at the end.
      if (made !== undefined) oneByOne(async () => remove((await made).path, options.workspace)).catch(() => {});
    },
    end: () => oneByOne(async () => (count === 0 ? undefined : sweepWorktrees(options.folder, options.workspace))),
  };
}

const refuse = ({ workspace }: Pick<WorktreesOptions, "workspace">, reason: string): EnvironmentError =>
  new EnvironmentError(`Cannot create a worktree of \`${workspace}\`: ${reason}`, {
    code: "worktree-refused",
    hint: "Make `git worktree add` work there, or run without worktrees (--no-worktrees --race off)",
  });

/**
 * Remove a folder with all its worktrees, whose work is stored in trees.
 *
 * @param folder Absolute folder of worktrees only.
 * @param top Absolute folder in their repository.
 */
export async function sweepWorktrees(folder: string, top: string): Promise<void> {
  const place = placeOf(folder);
  const listed = await callGit(["worktree", "list", "--porcelain", "-z"], { cwd: top });
  const known = (listed?.stdout ?? "").split("\0").flatMap((line) => /^worktree (.*)$/s.exec(line)?.[1] ?? []);
  for (const path of known.filter((each) => each !== place && isWithin(each, place))) await remove(path, top);
  refused("remove", place, () => rmSync(place, { recursive: true, force: true }));
}

const placeOf = (folder: string): string => join(realFolder(dirname(folder)), basename(folder));

/** Remove the files first: git would not forget a worktree whose `.git` was changed. */
async function remove(path: string, top: string): Promise<void> {
  refused("remove", path, () => rmSync(path, { recursive: true, force: true }));
  await callGit(["worktree", "remove", "--force", "--force", path], { cwd: top });
}

async function add(options: WorktreesOptions, number: number) {
  const { folder, workspace, specFolder, links, portsOf } = options;
  const path = join(placeOf(folder), `${number}`);
  refused("make", path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }));
  const end = await callGit(["worktree", "add", "-q", "--detach", path, "HEAD"], { cwd: workspace });
  if (end?.exitCode !== 0) throw refuse(options, reasonOf(end));
  for (const link of links) {
    const [from, to] = [join(workspace, link), join(path, link)];
    refused("link", to, () => {
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(from, to);
    });
  }
  const copy = specIn(path, workspace, specFolder);
  return { path, copy, ports: portsOf(path, copy ?? specFolder) };
}

function specIn(inside: string, workspace: string, specFolder: string): string | null {
  const [real, spec] = [realFolder(workspace), realFolder(specFolder)];
  return isWithin(spec, real) && spec !== real ? join(inside, relative(real, spec)) : null;
}

/** @returns Name of the resulting content, which lacks ignored files. */
async function fill(options: WorktreesOptions, { trees }: WorktreePorts, content: string): Promise<string> {
  const now = await trees.now();
  const changes = now === null ? null : await trees.changes(now, content);
  if (now === null || changes === null) throw refuse(options, "the content of a worktree is unknown");
  const paths = changes.map(({ path }) => path);
  const restored = paths.length === 0 ? { left: [] } : await trees.restore(now, content, paths);
  const held = restored === null ? null : await trees.now();
  if (held === null) throw refuse(options, "the files of the workspace could not be written there");
  return held;
}

function copySpec(specFolder: string, copy: string): Map<string, Buffer> {
  return refused("copy", copy, () => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(specFolder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => relative(specFolder, path) !== ".fixpoint",
    });
    const names = readdirSync(copy).filter((name) => name.startsWith(".progress"));
    return new Map(names.flatMap((name) => readLog(copy, name).map((log) => [name, log] as const)));
  });
}

const longestLog = 1024 * 1024;

/** Read a log in a folder. Skips anything but a regular file, and a folder below a link. */
function readLog(folder: string, name: string): Buffer[] {
  const path = join(folder, name);
  const found =
    existsSync(folder) && realpathSync(folder) === folder ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  return found?.isFile() === true && found.size <= longestLog ? [readFileSync(path)] : [];
}

/**
 * Copy a log over the log of that name in another folder. If the other log has changed, only append the additions.
 *
 * @param before The log before the work, equal in both folders; undefined if there was none.
 */
function takeLogOver(folder: string, name: string, into: string, before: Buffer | undefined): void {
  const to = join(into, name);
  refused("write", to, () => {
    const [log] = readLog(folder, name);
    if (log === undefined || (before !== undefined && log.equals(before))) return;
    const [now] = readLog(realFolder(into), name);
    const isOthers = before !== undefined && now !== undefined && !now.equals(before);
    if (isOthers && !log.subarray(0, before.length).equals(before)) return;
    const content = isOthers ? Buffer.concat([now, log.subarray(before.length)]) : log;
    const temporary = draftPath(join(into, ".fixpoint"), "replacement");
    writeAtomic(to, content, { temporary, durable: false });
  });
}
