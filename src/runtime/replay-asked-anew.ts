import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { splitTurns } from "./split-turns.ts";
import { asksPerson } from "./walk.ts";

/**
 * Answers that were not gone on from: questions that a later start has put again, and a last look at the plan that was
 * taken anew since its start was killed behind it.
 */
export function askedAnew(starts: readonly RecordedStart[]): ReadonlySet<TimedRunRecord> {
  const settled = new Set(starts.flatMap(({ records }) => beforeEnd(records)));
  const anew = new Set<TimedRunRecord>();
  for (const { records } of splitTurns(starts)) {
    records.forEach((record, index) => {
      if (record.type !== "answered" || index === 0) return;
      const looks = record.effect === "confirmCompletion";
      if (!looks && !asksPerson(record)) return;
      const later = records.slice(index + 1);
      const again = later.some((other) => other.type === "answered" && other.key === record.key);
      if (again || (looks ? !settled.has(record) : !isBatch(records[0]) && later.some(goesOn))) anew.add(record);
    });
  }
  return anew;
}

/** Records of a start that its end was recorded behind. */
function beforeEnd(records: readonly TimedRunRecord[]): readonly TimedRunRecord[] {
  return records.slice(0, records.findLastIndex(({ type }) => type === "ended") + 1);
}

/** Beside a question in a batch others go on; a task on its own stops at one. */
const isBatch = (chosen: TimedRunRecord | undefined): boolean =>
  chosen !== undefined && beginsTurn(chosen) && chosen.answer.kind === "batch";

const goesOn = ({ type }: TimedRunRecord): boolean => ["delegated", "answered", "intended", "planned"].includes(type);
