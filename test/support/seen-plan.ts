import type { RunRecord } from "../../src/model/record.ts";

export const seenPlan = (text: string): RunRecord => ({ type: "planSeen", from: 0, cut: 0, text });

export const withoutPlan = <Made extends RunRecord>(records: readonly Made[]): Made[] =>
  records.filter(({ type }) => type !== "planSeen");
