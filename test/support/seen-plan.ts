import type { RunRecord } from "../../src/model/record.ts";

/** A record of the whole text of the plan that a run expects. */
export const seenPlan = (text: string): RunRecord => ({ type: "planSeen", from: 0, cut: 0, text });

/** Records except those about the expected plan. */
export const withoutPlan = <Made extends RunRecord>(records: readonly Made[]): Made[] =>
  records.filter(({ type }) => type !== "planSeen");
