import { readFreeJournal } from "../../../adapters/journal/read-free-journal.ts";
import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import { latestRun } from "../../../adapters/journal/read-journal.ts";
import { FixpointError } from "../../../model/errors.ts";
import { higherSeed, noSeed, type RunSeed } from "../../../model/run-seed.ts";
import type { NewRun } from "../../../start/origin.ts";
import type { SpecFolder } from "../find-spec.ts";
import { recallRun } from "../recall-run.ts";
import type { RunOptions } from "../run-options.ts";
import { judgeRunData, type OwnerRecord, type RunDataState } from "./owner-record.ts";

/** The run data of a spec as a start finds it. */
export interface RunData {
  readonly reading: JournalReading;
  readonly state: RunDataState;
  /** The run that is begun whatever the run data holds; null when the run goes on, or when there was none. */
  readonly newRun: NewRun | null;
  /** What the owner should know before trusting it, a line each. */
  readonly facts: readonly string[];
}

/**
 * Read the run data, and compare it with what is remembered for this user.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`, unless a new run is begun
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`
 */
export function readRunData(
  { dataFolder }: SpecFolder,
  { takeOver = false, newRun = false }: Pick<RunOptions, "takeOver" | "newRun">,
  owner: OwnerRecord,
): RunData {
  const reading = readOrLeave(dataFolder, takeOver, newRun);
  const state = judgeRunData(reading, owner);
  const { head } = owner;
  const next = Math.max(reading.run, head?.run ?? 0) + 1;
  const isLost = state === "lost";
  // Unless the run was certainly over, what it spent still counts.
  const seed = isLost ? higherSeed(head?.seed ?? noSeed, spentIn(reading)) : noSeed;
  const policy = isLost && !newRun ? (reading.segments.at(-1)?.header.policy ?? {}) : {};
  const begun = newRun || isLost || state === "over" ? { run: next, policy, seed } : null;
  return { reading, state, newRun: begun, facts: factsOf(reading, state, owner) };
}

/** For a new run, an old journal that cannot be read is ignored. */
function readOrLeave(dataFolder: string, takeOver: boolean, newRun: boolean): JournalReading {
  try {
    return readFreeJournal(dataFolder, { whole: false, takeOver });
  } catch (error) {
    if (!newRun || !(error instanceof FixpointError) || !error.code.startsWith("journal-")) throw error;
    return { base: dataFolder, run: latestRun(dataFolder), segments: [], records: [] };
  }
}

function spentIn(reading: JournalReading): RunSeed {
  const memory = recallRun(reading);
  if (memory === null) return noSeed;
  const { iterations, tasks, elapsedMs, costUsd, tokens } = memory.ledger;
  return { iterations, tasks, changes: { ...memory.changes }, elapsedMs, costUsd, tokens };
}

function factsOf(reading: JournalReading, state: RunDataState, { head }: OwnerRecord): string[] {
  if (state !== "foreign" && state !== "lost") return [];
  const memory = recallRun(reading);
  const first = reading.segments[0]?.header;
  const found =
    memory === null || first === undefined
      ? "no run"
      : `run ${reading.run}, begun ${new Date(first.at).toISOString()} on ${first.host}, delegations: ${memory.ledger.iterations}, tasks accepted: ${Object.keys(memory.state.accepted).length}`;
  return [
    ...(state === "lost" && head !== null
      ? [`Remembered here: run ${head.run}, delegations: ${head.seed.iterations}; they go on counting`]
      : []),
    `Found: ${found}`,
  ];
}
