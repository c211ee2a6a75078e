import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import type { TaskId } from "../../model/task.ts";
import type { Trees } from "../../ports/trees.ts";
import type { WorktreePorts, WorktreeStart, Worktrees } from "../../ports/worktrees.ts";
import { isWithin } from "../files/folder.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { callGit, reasonOf } from "./call-git.ts";
import { realFolder } from "./find-repository.ts";

export interface WorktreesOptions {
  /** Absolute folder. */
  readonly workspace: string;
  /** Top of the working tree that it is in, absolute. */
  readonly top: string;
  /** Absolute folder of the spec, of which each worktree gets a copy where it lies below the workspace. */
  readonly specFolder: string;
  /** Absolute folder for worktrees, outside of the repository: all that is in there is removed. */
  readonly folder: string;
  /** Paths from the workspace that worktrees share with it. */
  readonly links: readonly string[];
  /** The contents of the workspace. */
  readonly trees: Trees;
  /** The ports of a workspace in a worktree. @param spec Its copy of the spec's folder, or that folder itself. */
  readonly portsOf: (workspace: string, spec: string) => WorktreePorts;
  /** Set up a new worktree; its last words where that fails. */
  readonly setUp: (ports: WorktreePorts, name: string, signal: AbortSignal) => Promise<string | null>;
}

/** A worktree that is kept for the next task when one has ended. */
interface Slot {
  readonly folder: string;
  /** Its copy of the spec's folder; null where that lies elsewhere. */
  readonly copy: string | null;
  readonly ports: WorktreePorts;
}

/** Git worktrees of the repository around a workspace, detached from its branches. */
export function worktrees(options: WorktreesOptions): Worktrees & {
  /** Remove all of them. */
  readonly end: () => Promise<void>;
} {
  const free: Slot[] = [];
  const used = new Map<TaskId, Promise<{ readonly slot: Slot; readonly base: string }>>();
  let count = 0;
  let swept: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  /** One at a time: git locks what it has of all worktrees. */
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  };
  const give = async (from: WorktreeStart | null, signal: AbortSignal) => {
    swept ??= sweep(options);
    await swept;
    const base = from?.base ?? (await options.trees.now(signal));
    signal.throwIfAborted();
    if (base === null) throw refuse(options, "what is in the workspace is not known");
    let slot = free.pop();
    const isNew = slot === undefined;
    if (slot === undefined) count += 1;
    slot ??= await add(options, count);
    await fill(options, slot, from?.content ?? base);
    const failed = isNew ? await options.setUp(slot.ports, `worktree-${count}/setup`, signal) : null;
    signal.throwIfAborted();
    if (failed !== null) throw refuse(options, `it could not be set up: ${failed}`);
    return { slot, base };
  };
  return {
    open: async (task, from, signal) => {
      const given = used.get(task) ?? inTurn(() => give(from, signal));
      used.set(task, given);
      given.catch(() => used.delete(task));
      const { slot, base } = await given;
      const { copy, ports } = slot;
      const takeLog = (name: string): void => {
        if (copy !== null) takeFile(join(copy, name), join(options.specFolder, name));
      };
      return { base, ports, copy: copy ?? options.specFolder, takeLog };
    },
    close: (task) => {
      const given = used.get(task);
      used.delete(task);
      given?.then(({ slot }) => free.push(slot)).catch(() => {});
    },
    end: () => inTurn(() => (swept === null ? Promise.resolve() : sweep(options))),
  };
}

const refuse = ({ workspace }: Pick<WorktreesOptions, "workspace">, reason: string): EnvironmentError =>
  new EnvironmentError(`Cannot work apart from \`${workspace}\`: ${reason}`, {
    code: "worktree-refused",
    hint: "Make `git worktree add` possible there, or let members of a batch share the workspace: --no-worktrees",
  });

/** Remove what stands in the folder of worktrees: all of it is ours, and what tasks did there is kept in trees. */
async function sweep({ folder, top }: WorktreesOptions): Promise<void> {
  const place = join(realFolder(dirname(folder)), basename(folder));
  const listed = await callGit(["worktree", "list", "--porcelain", "-z"], { cwd: top });
  const known = (listed?.stdout ?? "").split("\0").flatMap((line) => /^worktree (.*)$/s.exec(line)?.[1] ?? []);
  for (const path of known.filter((each) => each !== place && isWithin(each, place))) {
    await callGit(["worktree", "remove", "--force", "--force", path], { cwd: top });
  }
  refused("remove", place, () => rmSync(place, { recursive: true, force: true }));
}

async function add(options: WorktreesOptions, number: number): Promise<Slot> {
  const { folder, top, workspace, specFolder, links, portsOf } = options;
  const path = join(realFolder(dirname(folder)), basename(folder), `${number}`);
  refused("make", path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }));
  const end = await callGit(["worktree", "add", "-q", "--detach", path, "HEAD"], { cwd: top });
  if (end?.exitCode !== 0) throw refuse(options, reasonOf(end));
  const inside = join(path, relative(top, realFolder(workspace)));
  refused("make", inside, () => mkdirSync(inside, { recursive: true }));
  for (const link of links) {
    const [from, to] = [join(workspace, link), join(inside, link)];
    refused("link", to, () => {
      if (!existsSync(from) || existsSync(to)) return;
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(from, to);
    });
  }
  const copy = specIn(inside, workspace, specFolder);
  return { folder: path, copy, ports: portsOf(inside, copy ?? specFolder) };
}

/** Bytes of a log that are taken over. */
const longestLog = 1024 * 1024;

/** Write a file of a worktree over another one, where it is a file. */
function takeFile(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > longestLog) return;
  refused("write", to, () => writeAtomic(to, readFileSync(from), { temporary: `${to}.worktree.tmp`, durable: false }));
}

/** Where a worktree has its copy of the spec's folder; null where that does not lie below the workspace. */
function specIn(inside: string, workspace: string, specFolder: string): string | null {
  const [real, spec] = [realFolder(workspace), realFolder(specFolder)];
  return isWithin(spec, real) && spec !== real ? join(inside, relative(real, spec)) : null;
}

/** Give a worktree the files of the workspace, and HEAD of it. What is ignored there stays. */
async function fill(options: WorktreesOptions, { copy, folder, ports }: Slot, content: string): Promise<void> {
  const { top, specFolder } = options;
  const head = await callGit(["rev-parse", "HEAD^{commit}"], { cwd: top });
  const end =
    head?.exitCode === 0
      ? await callGit(["checkout", "-q", "-f", "--detach", head.stdout.trim()], { cwd: folder })
      : head;
  if (end?.exitCode !== 0) throw refuse(options, reasonOf(end));
  const now = await ports.trees.now();
  const changes = now === null ? null : await ports.trees.changes(now, content);
  if (now === null || changes === null) throw refuse(options, "what is in a worktree is not known");
  const paths = changes.map(({ path }) => path);
  if (paths.length > 0) await ports.trees.restore(now, content, paths);
  if (copy === null) return;
  refused("copy", copy, () => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(specFolder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => relative(specFolder, path) !== ".fixpoint",
    });
  });
}
