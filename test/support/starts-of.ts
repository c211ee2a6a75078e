import type { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";

/** A killed start records no end, so it forms one start with the next start. */
export function startsOf(records: readonly TimedRunRecord[], policy: Policy): RecordedStart[] {
  const starts: (RecordedStart & { records: TimedRunRecord[] })[] = [];
  let isOver = true;
  for (const record of records) {
    if (isOver) starts.push({ at: record.at, policy, records: [] });
    starts.at(-1)?.records.push(record);
    isOver = record.type === "ended" || record.type === "released";
  }
  return starts;
}
