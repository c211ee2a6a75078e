import { existsSync } from "node:fs";
import { basename } from "node:path";
import { openSnapshots, type Snapshots } from "../../../adapters/git/trees/snapshots.ts";
import { TreeUnknown } from "../../../adapters/git/trees/tree-store.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { treesOfRun, worktreesIn } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import type { TaskId } from "../../../model/task.ts";
import type { SpecFolder } from "../find-spec.ts";
import { type RecordedAttempt, readAttempts } from "./read-attempts.ts";

export interface AttemptsAsked {
  readonly spec: Pick<SpecFolder, "name" | "folder" | "dataFolder">;
  readonly address: SpecAddress;
  /** Absolute; the user's data folder must be outside of it. */
  readonly folder: string;
  /** Number of the run; the latest by default. */
  readonly run?: number | undefined;
}

/** Run `act` with the snapshots of a run (null if it has none). @throws {EnvironmentError} `attempts-unknown` */
export async function withSnapshots<Found>(
  { spec, folder }: Pick<AttemptsAsked, "spec" | "folder">,
  run: number,
  act: (snapshots: Snapshots | null) => Promise<Found>,
): Promise<Found> {
  const store = treesOfRun(userFolder(spec.folder, folder), basename(runFolder(spec.dataFolder, run)));
  try {
    return await act(await openSnapshots(store, spec.folder));
  } catch (error) {
    if (!(error instanceof TreeUnknown)) throw error;
    throw new EnvironmentError(`Cannot look at the attempts of \`${spec.name}\`: ${error.message}`, {
      code: "attempts-unknown",
      hint: "Attempts are kept with git: check that git runs, and that it can read all files of the workspace",
    });
  }
}

/** Git trees of a key: `1.1#2` for an attempt, `saved#1` for content that a restore replaced. */
export interface NamedTrees {
  readonly found: string | null;
  readonly left: string;
}

/** Find the trees of a key. @throws {InputError} `attempt-missing`, `attempt-not-kept` */
export async function treesOf(
  { spec, address, run: wanted }: AttemptsAsked,
  snapshots: Snapshots | null,
  key: AttemptKey,
  { run, attempts } = readAttempts(spec, wanted),
): Promise<NamedTrees> {
  const number = /^saved#([1-9]\d*)$/.exec(key)?.[1];
  const list = { hint: `List the attempts: ${commandLine(address, "attempts")}` };
  const saved = number === undefined ? null : ((await snapshots?.saved(Number(number))) ?? null);
  const made = attempts.findLast((attempt) => attempt.key === key);
  if (saved === null && made === undefined) {
    throw new InputError(
      `Cannot find \`${key}\` ${run === 0 ? "before the first run" : `in run ${run}`}, expected an attempt such as \`1.1#2\``,
      {
        code: "attempt-missing",
        ...list,
      },
    );
  }
  const { found = null, left } = made ?? { left: saved };
  const isKept = async (tree: string | null): Promise<boolean> =>
    tree !== null && (await snapshots?.has(tree)) === true;
  if (left === null || !(await isKept(left))) {
    throw new InputError(`Cannot show what \`${key}\` left: its files are not kept`, {
      code: "attempt-not-kept",
      ...list,
    });
  }
  return { found: (await isKept(found)) ? found : null, left };
}

/** An attempt with the size of its changes; `changes` is null if its files have no snapshot. */
export interface ListedAttempt extends Pick<RecordedAttempt, "key" | "task" | "attempt" | "result" | "failing"> {
  readonly changes: { readonly files: number; readonly added: number; readonly removed: number } | null;
}

export interface ListedAttempts {
  readonly run: number;
  readonly attempts: readonly ListedAttempt[];
}

/**
 * List the attempts of a run with the size of their changes. Read-only, so it is safe while the run is in progress.
 *
 * @param task Only attempts at this task.
 * @throws {EnvironmentError} `attempts-unknown`, and the errors of reading the journal
 */
export async function listAttempts(asked: AttemptsAsked, task?: TaskId): Promise<ListedAttempts> {
  const { run, attempts } = readAttempts(asked.spec, asked.run);
  const wanted = attempts.filter((attempt) => task === undefined || attempt.task === task);
  if (wanted.length === 0) return { run, attempts: [] };
  return withSnapshots(asked, run, async (snapshots) => {
    const listed: ListedAttempt[] = [];
    for (const { found, left, ...attempt } of wanted) {
      const isKept = found !== null && left !== null && (await snapshots?.has(found)) && (await snapshots?.has(left));
      const changes = isKept === true ? ((await snapshots?.stat(found, left)) ?? null) : null;
      listed.push({ ...attempt, changes });
    }
    return { run, attempts: listed };
  });
}

/**
 * Build a unified diff of an attempt, from the content before the attempt to the content after it, or to the current
 * content while the attempt works in the workspace. With `other`, the diff compares the results of both attempts. For a
 * key such as `saved#1`, the diff leads from the content that a restore replaced to the current content.
 *
 * @throws {InputError} `attempt-missing`, `attempt-not-kept`
 * @throws {EnvironmentError} `attempts-unknown`
 */
export const diffAttempts = (asked: AttemptsAsked, key: AttemptKey, other?: AttemptKey): Promise<string> =>
  comparing(asked, (diff) => diff(key, other));

export function comparing<Found>(
  asked: AttemptsAsked,
  act: (diff: (key: AttemptKey, other?: AttemptKey) => Promise<string>) => Promise<Found>,
): Promise<Found> {
  const recorded = readAttempts(asked.spec, asked.run);
  return withSnapshots(asked, recorded.run, (snapshots) =>
    act(async (key, other) => {
      const begun = recorded.attempts.find((attempt) => attempt.key === key && attempt.left === null)?.found ?? null;
      const trees = (named: AttemptKey) => treesOf(asked, snapshots, named, recorded);
      const text = async (from: string, to: string) =>
        Buffer.from((await snapshots?.diff(from, to)) ?? "", "latin1").toString();
      const isHere = snapshots !== null && !existsSync(worktreesIn(userFolder(asked.spec.folder, asked.folder)));
      if (begun !== null && other === undefined && isHere && (await snapshots.has(begun))) {
        return text(begun, await snapshots.now());
      }
      const { found, left } = await trees(key);
      if (snapshots === null) return "";
      if (other !== undefined) return text(left, (await trees(other)).left);
      if (key.startsWith("saved#")) return text(left, await snapshots.now());
      if (found !== null) return text(found, left);
      throw new InputError(`Cannot show what \`${key}\` changed: the content before it is not kept`, {
        code: "attempt-not-kept",
        hint: `Compare it with another attempt: fixpoint diff ${key} <key>`,
      });
    }),
  );
}
