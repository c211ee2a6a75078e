import type { TimedRunRecord } from "../model/record.ts";
import { tellsEnd } from "../run/follow.ts";

/** The last record that supersedes the previous outcome, or reports it. */
export const lastTold = (records: readonly TimedRunRecord[]): TimedRunRecord | undefined => records.findLast(tellsEnd);
