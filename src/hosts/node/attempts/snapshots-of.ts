import { basename } from "node:path";
import { openSnapshots, type Snapshots } from "../../../adapters/git/trees/snapshots.ts";
import { TreeUnknown } from "../../../adapters/git/trees/tree-store.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { treesOfRun } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import type { SpecFolder } from "../find-spec.ts";
import { readAttempts } from "./read-attempts.ts";

/** A run whose attempts are read. */
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
    throw new InputError(`Cannot show what \`${key}\` left: it is not kept`, { code: "attempt-not-kept", ...list });
  }
  return { found: (await isKept(found)) ? found : null, left };
}
