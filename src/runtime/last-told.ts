import type { TimedRunRecord } from "../model/record.ts";
import { tellsEnd } from "../run/follow.ts";

/** The last record that hides how the start before has ended, or tells it. */
export const lastTold = (records: readonly TimedRunRecord[]): TimedRunRecord | undefined => records.findLast(tellsEnd);
