import { isAbsolute, relative } from "node:path";
import { normalize } from "node:path/posix";
import { TreeUnknown } from "../../../adapters/git/trees/tree-store.ts";
import { takeSpecLease } from "../../../adapters/lease/spec-lease.ts";
import { whoSpeaks } from "../../../adapters/user/speaker.ts";
import { InputError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import type { Restored } from "../../../ports/git.ts";
import { senderOf } from "../consent/own-gate.ts";
import type { SpecFolder } from "../find-spec.ts";
import { coordinatorOf } from "../reading/recorded-starts.ts";
import { holdWorkspace } from "../start/hold-workspace.ts";
import { readAttempts } from "./read-attempts.ts";
import { type AttemptsAsked, treesOf, withSnapshots } from "./snapshots-of.ts";

export interface RestoreAsked {
  readonly key: AttemptKey;
  /** Restore the content from before the attempt, not from after it. */
  readonly before: boolean;
  /** Files and folders in the workspace; all files if the list is empty. */
  readonly files: readonly string[];
}

export interface RestoredAttempt extends Restored {
  readonly saved: AttemptKey;
}

type RestoredRun = AttemptsAsked & { readonly spec: SpecFolder };

/**
 * With consent, restore the files of the workspace to their state before or after an attempt. The current content is
 * saved first. The spec's own files, the branch, the index and ignored files stay. While a run is in progress, only its
 * executor may restore, and only named files.
 *
 * @param agree Throws to refuse. Receives the paths that would be written or removed.
 * @returns Null if nothing differs.
 * @throws {InputError} `attempt-missing`, `attempt-not-kept`, `own-gate`, `bad-usage`, and the errors of `agree`
 * @throws {EnvironmentError} `attempts-unknown`, `spec-locked`, `workspace-held`, `file-refused`
 */
export async function restoreAttempt(
  asked: RestoredRun,
  { key, before, files }: RestoreAsked,
  agree: (paths: readonly string[]) => Promise<void>,
): Promise<RestoredAttempt | null> {
  const { spec, run: wanted } = asked;
  const coordinator = coordinatorOf(spec.dataFolder);
  const isOwn = files.length > 0 && whoSpeaks({ spec: spec.folder, coordinator }).call !== null;
  if (!isOwn) senderOf(spec, "restore");
  const { run } = readAttempts(spec, wanted);
  return withSnapshots(asked, run, async (snapshots) => {
    const { found, left } = await treesOf(asked, snapshots, key);
    const tree = before ? found : left;
    if (snapshots === null || tree === null) throw new TreeUnknown(`the content before \`${key}\` is not kept`);
    const places = files.map((file) => placeIn(snapshots.workspace, file));
    const release = isOwn ? () => {} : await hold(asked, snapshots.workspace);
    try {
      const now = await snapshots.now();
      const paths = await snapshots.differing(now, tree, places);
      if (paths.length === 0) return null;
      await agree(paths);
      const saved = `saved#${await snapshots.save(now)}`;
      return { ...(await snapshots.restore(now, tree, places)), saved };
    } finally {
      release();
    }
  });
}

async function hold({ spec }: RestoredRun, workspace: string): Promise<() => void> {
  const lease = takeSpecLease(spec.dataFolder, { takeOver: false });
  try {
    const release = await holdWorkspace(spec, workspace, {});
    return () => {
      release();
      lease.release();
    };
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** Path relative to the workspace. @throws {InputError} `bad-usage` if the path is outside of the workspace */
function placeIn(workspace: string, file: string): string {
  const place = normalize(isAbsolute(file) ? relative(workspace, file) : file).replace(/\/$/, "");
  if (place !== ".." && !place.startsWith("../") && place !== ".") return place;
  throw new InputError(`Cannot restore \`${file}\`, expected a file or folder of \`${workspace}\``, {
    code: "bad-usage",
    hint: "To restore all files, name none",
  });
}
