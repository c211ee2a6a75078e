import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import { InputError } from "../../../model/errors.ts";
import { versionsApart } from "../../../model/way-on.ts";
import { currentTurn } from "../../../runtime/replay.ts";
import { replayTurnOf } from "../../../runtime/replay-run.ts";
import { stateIn } from "../../../start/run-before.ts";

/**
 * Refuse to go on with a run whose last turn this version would have decided differently. Earlier turns are over:
 * nothing in them is decided again.
 *
 * @throws {InputError} `journal-diverged`
 */
export function refuseDiverged(reading: JournalReading): void {
  const { segments, records, snapshot } = reading;
  const turn = currentTurn(records);
  const earlier = records.slice(0, records.length - turn.length);
  const before = stateIn({ ...reading, records: earlier });
  const ofTurn = new Set(turn);
  const starts = segments
    .map(({ header, records: made }) => ({
      at: header.at,
      policy: header.policy,
      records: made.filter((record) => ofTurn.has(record)),
    }))
    .filter((start) => start.records.length > 0);
  const found = before && replayTurnOf(starts, before);
  if (found === null) return;
  const { record, key, what, expected, recorded } = found;
  const number = record + earlier.length + (snapshot?.records ?? 0);
  const where = `record ${number}${key === null ? "" : ` (\`${key}\`)`}`;
  throw new InputError(
    `Cannot go on with the run, expected ${where} to fit: ${what} is ${cut(expected)} now, not ${cut(recorded)}`,
    {
      code: "journal-diverged",
      ways: versionsApart,
    },
  );
}

/** Texts of executors can have any length. */
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const longest = 200;
