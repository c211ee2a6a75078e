import { isSameFile, knownRun } from "../evidence/judge-runs.ts";
import type { Collision, TaskBase } from "../model/record.ts";
import type { TaskId } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { verifyError } from "../recover/verify-error.ts";
import { namePaths } from "../wording/render-harm.ts";
import { dueCommands, isExcused } from "./recheck.ts";
import { runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";

const mostNamed = 30;

interface Merging {
  readonly key: string;
  /** Time limit of a check, in milliseconds; no check runs if not given. */
  readonly checkMerged?: number | undefined;
}

export interface MergedWork {
  /** All members that were to be merged, in plan order. */
  readonly members: readonly TaskId[];
  readonly collided: Readonly<Record<TaskId, Collision>>;
  readonly runs: readonly VerifyRun[];
}

/**
 * Merge accepted batch members' worktrees into the workspace, in plan order, then rerun once each command that proved a
 * member. A member with conflicts is not merged. Idempotent if interrupted.
 *
 * @returns Null if there is nothing to merge.
 * @throws {EnvironmentError} `file-refused`
 */
export async function mergeWork(
  ports: WholePorts,
  { key, checkMerged }: Merging,
  signal: AbortSignal,
): Promise<MergedWork | null> {
  const { attempts, plan, worktrees } = ports;
  const owed = new Set(attempts.toMerge());
  if (owed.size === 0) return null;
  const members = (await plan.known()).plan.tasks.map(({ id }) => id).filter((id) => owed.has(id));
  const collided: Record<TaskId, Collision> = {};
  for (const member of members) {
    const files = await mergeOne(ports, member, signal);
    if (files.length > 0) collided[member] = { files: files.slice(0, mostNamed), failed: null };
    worktrees?.close(member);
  }
  const runs: VerifyRun[] = [];
  if (checkMerged !== undefined) {
    const broken = await findBroken(ports, { key, members, timeoutMs: checkMerged }, runs, signal);
    if (broken !== null) collided[broken.member] ??= { files: [], failed: broken.error };
  }
  return { members, collided, runs };
}

/**
 * Reopen members that conflict or broke a command. The caller must ensure that nothing else changes the plan meanwhile.
 */
export async function noteMerge(
  { attempts, plan, onProgress }: WholePorts,
  { members, collided, runs }: MergedWork,
): Promise<void> {
  for (const member of Object.keys(collided)) await plan.tick(member, false);
  attempts.record([{ type: "merged", tasks: [...members], collided, runs: [...runs] }]);
  for (const [member, { files, failed }] of Object.entries(collided)) {
    const why =
      failed === null
        ? `it conflicts with other tasks in ${namePaths(files)}`
        : `it failed when combined with the other tasks' changes: ${failed}`;
    onProgress?.({ type: "notice", message: `Task ${member} is redone on top of the merged work: ${why}` });
  }
}

/** Merge the work of one member. @returns Conflicting files; if there are any, nothing is merged. */
async function mergeOne(ports: WholePorts, member: TaskId, signal: AbortSignal): Promise<readonly string[]> {
  const base = ports.attempts.apart(member);
  const theirs = ports.attempts.passed().find(({ task }) => task === member)?.content ?? null;
  if (base === null || theirs === null) return [unknown];
  return (await mergeInto(ports, { base, theirs, isPartly: false }, signal)).collisions;
}

const unknown = "files that are no longer known";

interface Merged {
  /** Hash of the workspace files before the merge; null if unknown. */
  readonly ours: string | null;
  /** Conflicting files, which stay unchanged. */
  readonly collisions: readonly string[];
}

interface MergeInto {
  readonly base: string;
  readonly theirs: string;
  /** Whether files without conflicts are merged anyway. */
  readonly isPartly: boolean;
}

async function mergeInto(
  { trees }: WholePorts,
  { base, theirs, isPartly }: MergeInto,
  signal: AbortSignal,
): Promise<Merged> {
  const ours = (await trees?.now(signal)) ?? null;
  signal.throwIfAborted();
  if (base === theirs) return { ours, collisions: [] };
  const merged = ours === null ? null : ((await trees?.merge(base, ours, theirs)) ?? null);
  if (trees === undefined || merged === null || ours === null) return { ours, collisions: [unknown] };
  if (!isPartly && merged.conflicts.length > 0) return { ours, collisions: merged.conflicts };
  const conflicts = new Set(merged.conflicts);
  const changes = await trees.changes(ours, merged.tree);
  const paths = changes?.map(({ path }) => path).filter((path) => !conflicts.has(path));
  const restored = paths?.length === 0 ? { left: [] } : await trees.restore(ours, merged.tree, paths ?? []);
  if (paths === undefined || restored === null) return { ours, collisions: [unknown] };
  return { ours, collisions: [...merged.conflicts, ...restored.left.map(({ path }) => path)] };
}

/**
 * Apply the changes between two trees to the place where a task works. Files that someone else changed are skipped, and
 * named in a notice.
 *
 * @returns Hash of the files before the merge; null if unknown.
 */
export async function mergeRest(
  ports: WholePorts,
  task: TaskId,
  trees: Pick<MergeInto, "base" | "theirs">,
  signal: AbortSignal,
): Promise<string | null> {
  const { ours, collisions } = await mergeInto(ports, { ...trees, isPartly: true }, signal);
  if (collisions.length > 0) {
    ports.onProgress?.({
      type: "notice",
      message: `Not merged for task ${task}, since others have changed these files: ${namePaths(collisions)}`,
    });
  }
  return ours;
}

/**
 * Merge a task's worktree into the workspace, where the task continues. Idempotent.
 *
 * @param isFresh Whether the task starts without the work in the worktree.
 * @returns The base of the task: the workspace before the merge.
 */
export async function takeOver(
  ports: WholePorts,
  root: TaskId,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<TaskBase> {
  const { attempts, worktrees } = ports;
  const [base, last] = [attempts.apart(root), attempts.leftIn(root)];
  worktrees?.close(root);
  if (base === null || last === null || isFresh) return { apart: false };
  const ours = await mergeRest(ports, root, { base, theirs: last.content }, signal);
  return { apart: false, ...(ours !== null && { content: ours }) };
}

interface BrokenMember {
  readonly member: TaskId;
  readonly error: string;
}

/**
 * Run the commands that proved members. Returns the error of the first command that fails twice, and the member whose
 * files the error names.
 */
async function findBroken(
  ports: WholePorts,
  {
    key,
    members,
    timeoutMs,
  }: { readonly key: string; readonly members: readonly TaskId[]; readonly timeoutMs: number },
  runs: VerifyRun[],
  signal: AbortSignal,
): Promise<BrokenMember | null> {
  const { attempts, onProgress, plan } = ports;
  const own = new Set(members);
  for (const { task, command } of dueCommands((await plan.known()).plan.tasks, ports)) {
    if (!own.has(task)) continue;
    onProgress?.({ type: "check.started", command, task });
    const first = await runCheck(ports, { command, name: `${key}/${task}`, timeoutMs }, signal);
    const run =
      first.digest === null
        ? first
        : await runCheck(ports, { command, name: `${key}/${task}-again`, timeoutMs }, signal);
    runs.push(run);
    if (run.digest === null) continue;
    const known = knownRun(run);
    if (isExcused(attempts, known)) continue;
    const files = known.reds.flatMap(({ file }) => file ?? []);
    return {
      member: (await memberOf(ports, members, files)) ?? task,
      error: verifyError({ ...run.result, digest: run.digest }),
    };
  }
  return null;
}

async function memberOf(
  { attempts, trees }: WholePorts,
  members: readonly TaskId[],
  files: readonly string[],
): Promise<TaskId | null> {
  const contents = new Map(attempts.passed().map(({ task, content }) => [task, content]));
  for (const member of members.toReversed()) {
    const [base, theirs] = [attempts.apart(member), contents.get(member) ?? null];
    const changes = base === null || theirs === null ? null : ((await trees?.changes(base, theirs)) ?? null);
    if (changes?.some(({ path }) => files.some((file) => isSameFile(file, path))) === true) return member;
  }
  return null;
}
