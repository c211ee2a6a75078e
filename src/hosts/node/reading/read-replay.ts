import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Segment } from "../../../adapters/journal/journal-segment.ts";
import { latestSegment, readJournal, readRun } from "../../../adapters/journal/read-journal.ts";
import { InputError } from "../../../model/errors.ts";
import { type Difference, type ReplayedTurn, replayRun } from "../../../runtime/replay-run.ts";
import { stableJson } from "../../../runtime/stable-json.ts";
import { findSpec } from "../find-spec.ts";

/** The result of replaying a run. */
export interface ReplayReport {
  readonly run: number;
  /** Turns of each start, oldest first, each with the number of compared decisions. */
  readonly starts: readonly (readonly ReplayedTurn[])[];
  readonly records: number;
  readonly decisions: number;
  /** The first decision of each turn that would be different now. */
  readonly differences: readonly Difference[];
  /** SHA-256 of the final state of charts and run memory. */
  readonly stateHash: string;
  /** Keys of the next effects; none if the last turn has ended. */
  readonly next: readonly string[];
}

/**
 * Replay a run from its journal alone. Read-only, so it is safe while the run is in progress.
 *
 * @param place A spec, its `.fixpoint` folder, the folder of a run, or a segment of a journal.
 * @param run Number of the run; the latest when not given.
 * @throws {InputError} `journal-missing`, `journal-corrupt`, `journal-newer`, `journal-older`; those of `findSpec`
 */
export function readReplay(
  place: string | undefined,
  { workspace, run }: { readonly workspace: string; readonly run?: number | undefined },
): ReplayReport {
  const segments = segmentsAt(place, workspace, run);
  const [first] = segments;
  if (first === undefined) throw nothingRecorded(place, run);
  const { open, seed } = first.header;
  const starts = segments.map(({ header, records }) => ({ at: header.at, policy: header.policy, records }));
  const { state, ...told } = replayRun({ starts, open, seed });
  return {
    run: first.header.run,
    ...told,
    records: starts.reduce((sum, { records }) => sum + records.length, 0),
    stateHash: createHash("sha256").update(stableJson(state)).digest("hex"),
  };
}

function segmentsAt(place: string | undefined, workspace: string, run: number | undefined): readonly Segment[] {
  const given = place === undefined ? undefined : resolve(workspace, place);
  const found = given === undefined ? undefined : statSync(given, { throwIfNoEntry: false });
  const isSegment = given?.endsWith(".ndjson") === true && found?.isFile() === true;
  const folder = isSegment ? dirname(given) : found?.isDirectory() === true ? given : undefined;
  if (folder !== undefined && run === undefined && latestSegment(folder) > 0) return readRun(folder);
  const base = folder !== undefined && isDataFolder(folder) ? folder : findSpec(place, workspace, "replay").dataFolder;
  return run === undefined ? readJournal(base).segments : readRun(join(base, `run-${run}`));
}

/** Recognize a folder of run data by its first run, which is never removed. */
const isDataFolder = (folder: string): boolean => has(folder, "run-1") && !has(folder, "tasks.md");

const has = (folder: string, name: string): boolean =>
  statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;

const nothingRecorded = (place: string | undefined, run: number | undefined): InputError =>
  new InputError(`Cannot replay ${run === undefined ? "a run" : `run ${run}`}, expected a journal${of(place)}`, {
    code: "journal-missing",
    hint: "Name a spec that was run, or the folder of a run: specs/<name>/.fixpoint/run-1",
  });

const of = (place: string | undefined): string => (place === undefined ? "" : ` at \`${place}\``);
