import type { RunRecord, TimedRunRecord } from "../../model/record.ts";

/**
 * The last record that says something. What a start only leaves behind hides from nobody how the one before has ended.
 *
 * @param silent Types that are passed over.
 */
export const lastTold = (
  records: readonly TimedRunRecord[],
  silent: readonly RunRecord["type"][] = ["left"],
): TimedRunRecord | undefined => records.findLast(({ type }) => !silent.includes(type));
