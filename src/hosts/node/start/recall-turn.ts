import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import { InputError } from "../../../model/errors.ts";
import type { RunState } from "../../../model/run-state.ts";
import { versionsApart } from "../../../model/way-on.ts";
import { currentTurn } from "../../../runtime/replay.ts";
import { replayTurnOf } from "../../../runtime/replay-run.ts";
import { stateIn } from "../../../start/run-before.ts";

/** What a run comes to, and whether a start may go on with it. */
export interface RecalledRun {
  /** Null when there is no run. */
  readonly state: RunState | null;
  /** Why its last turn cannot be gone on with: this version would have decided it otherwise; null when it can. */
  readonly diverged: InputError | null;
}

/** Recall a run, and decide its last turn again. Turns before it have led to nothing that is decided again. */
export function recallTurn(reading: JournalReading): RecalledRun {
  const { segments, records, snapshot } = reading;
  const turn = currentTurn(records);
  const earlier = records.slice(0, records.length - turn.length);
  const state = stateIn({ ...reading, records: earlier });
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
  const told = `Cannot go on with the run, expected ${where} to fit: ${what} is ${cut(expected)} now, not ${cut(recorded)}`;
  return { state, diverged: new InputError(told, { code: "journal-diverged", ways: versionsApart }) };
}

/** Texts of executors can have any length. */
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const longest = 200;
