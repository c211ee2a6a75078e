import type { RunRecord } from "../../src/model/record.ts";

/** A run knows this text of its plan. */
export const seenPlan = (text: string): RunRecord => ({ type: "planSeen", from: 0, cut: 0, text });

/** Records but for what the plan is known to be. */
export const withoutPlan = <Made extends RunRecord>(records: readonly Made[]): Made[] =>
  records.filter(({ type }) => type !== "planSeen");
