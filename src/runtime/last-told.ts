import type { RunRecord, TimedRunRecord } from "../model/record.ts";

/** What a start leaves behind, or hears, before its own turn: killed or refused there, it is to hear it again. */
const silent: ReadonlySet<RunRecord["type"]> = new Set(["left", "skipped", "advised", "guided", "released", "unheard"]);

/** The last record that hides how the start before has ended, or tells it. */
export const lastTold = (records: readonly TimedRunRecord[]): TimedRunRecord | undefined =>
  records.findLast(({ type }) => !silent.has(type));
