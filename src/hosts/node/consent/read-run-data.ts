import {
  type JournalMark,
  type JournalReading,
  latestRun,
  markOf,
  readJournal,
} from "../../../adapters/journal/read-journal.ts";
import { refuseLocked } from "../../../adapters/lease/spec-lease.ts";
import { FixpointError, InputError, versionsApart } from "../../../model/errors.ts";
import { highestSeed, noSeed, type RunSeed } from "../../../model/run-seed.ts";
import type { RunState } from "../../../model/run-state.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import type { NewRun } from "../../../run/resolve-start.ts";
import { currentTurn } from "../../../runtime/drive-charts.ts";
import { replayTurnOf } from "../../../runtime/replay-run.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { judgeRunData, type OwnerRecord, type RunDataState } from "./owner-record.ts";

export interface RunData {
  readonly reading: JournalReading;
  /** End of the journal before it was read. */
  readonly mark: JournalMark;
  readonly owner: OwnerRecord;
  readonly state: RunDataState;
  readonly recalled: RecalledRun;
  /** The new run to begin; null to continue the run, or if no run exists yet. */
  readonly newRun: NewRun | null;
  /** Facts by which the owner can judge the run data, a line each. */
  readonly facts: readonly string[];
}

/**
 * Read the run data, and compare it with the owner's record.
 *
 * @param ownerNow Reads the owner's record.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`, unless a new run is begun
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`
 */
export async function readRunData(
  { dataFolder }: SpecFolder,
  { takeOver = false, newRun = false }: Pick<RunOptions, "takeOver" | "newRun">,
  ownerNow: () => OwnerRecord | Promise<OwnerRecord>,
): Promise<RunData> {
  const look = async () => {
    const owner = await ownerNow();
    refuseLocked(dataFolder, { takeOver });
    const mark = markOf(dataFolder);
    const reading = readOrSkip(dataFolder, newRun);
    return { owner, mark, reading, state: judgeRunData(reading, owner) };
  };
  const first = await look();
  // Another start of this user may have begun the run between reading the owner's record and the journal.
  const { owner, mark, reading, state } = first.state === "foreign" ? await look() : first;
  const recalled = recallTurn(reading);
  const { head } = owner;
  const next = Math.max(reading.run, head?.run ?? 0) + 1;
  const isLost = state === "lost";
  // The spending recorded in lost run data is kept.
  const seed = isLost ? highestSeed([head?.seed ?? noSeed, spentIn(recalled)]) : noSeed;
  const policy = isLost && !newRun ? (reading.segments.at(-1)?.header.policy ?? {}) : {};
  const superseded = state === "own" ? (recalled.state?.superseded ?? {}) : {};
  const begun = newRun || isLost || state === "over" ? { run: next, policy, seed, superseded } : null;
  return { reading, mark, owner, state, recalled, newRun: begun, facts: factsOf(reading, recalled, state, owner) };
}

/** Read the journal; for a new run, treat an unreadable journal as empty. */
function readOrSkip(dataFolder: string, newRun: boolean): JournalReading {
  try {
    return readJournal(dataFolder, { whole: false });
  } catch (error) {
    if (!newRun || !(error instanceof FixpointError) || !error.code.startsWith("journal-")) throw error;
    return { base: dataFolder, run: latestRun(dataFolder), segments: [], records: [], rebooted: false };
  }
}

function spentIn({ state }: RecalledRun): RunSeed {
  if (state === null) return noSeed;
  const { iterations, tasks, changes, elapsedMs, costUsd, tokens } = state;
  return { iterations, tasks, changes: { ...changes }, elapsedMs, costUsd, tokens };
}

function factsOf(
  { run, segments }: JournalReading,
  { state: found }: RecalledRun,
  state: RunDataState,
  { head }: OwnerRecord,
): string[] {
  if (state !== "foreign" && state !== "lost") return [];
  const first = segments[0]?.header;
  const told =
    found === null || first === undefined
      ? "no run"
      : `run ${run}, begun ${new Date(first.at).toISOString()} on ${first.host}, delegations: ${found.iterations}, tasks accepted: ${Object.keys(found.accepted).length}`;
  return [
    ...(state === "lost" && head !== null
      ? [`Remembered here: run ${head.run}, delegations: ${head.seed.iterations}; these counts continue`]
      : []),
    `Found: ${told}`,
  ];
}

interface RecalledRun {
  readonly state: RunState | null;
  /**
   * Error if this version would decide the last turn differently, so that the turn cannot be resumed; otherwise null.
   */
  readonly diverged: InputError | null;
}

/** Replay a run, and repeat the decisions of its last turn. Earlier turns are not decided again. */
function recallTurn(reading: JournalReading): RecalledRun {
  const { segments, records, snapshot } = reading;
  const turn = currentTurn(records);
  const earlier = records.slice(0, records.length - turn.length);
  const state = replayRecords({ ...reading, records: earlier });
  if (state === null) return { state, diverged: null };
  const ofTurn = new Set(turn);
  const starts = segments
    .map(({ header, records: made }) => ({
      at: header.at,
      policy: header.policy,
      records: made.filter((record) => ofTurn.has(record)),
    }))
    .filter((start) => start.records.length > 0);
  const found = replayTurnOf(starts, state);
  if (found === null) return { state, diverged: null };
  const { record, key, what, expected, recorded } = found;
  const number = record + earlier.length + (snapshot?.records ?? 0);
  const where = `record ${number}${key === null ? "" : ` (\`${key}\`)`}`;
  const told = `Cannot resume the run, expected ${where} again: ${what} was recorded as ${cut(recorded)}, and is ${cut(expected)} now`;
  return { state, diverged: new InputError(told, { code: "journal-diverged", ways: versionsApart }) };
}

/** Shorten a text, since texts of executors can have any length. */
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const longest = 200;
