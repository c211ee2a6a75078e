import type { Fact } from "../model/explanation.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { attemptOf } from "../model/reply.ts";
import { timeOf } from "./time-of.ts";

/** Tells what executors say that they have used, and how long it took, of the records of a start in their order. */
export function usageTeller(): (record: TimedRunRecord) => Fact[] {
  const begun = new Map<string, Extract<TimedRunRecord, { type: "delegated" }>>();
  return (record) => {
    if (record.type === "delegated") begun.set(record.key, record);
    if (record.type !== "answered" || record.reply?.usage === undefined) return [];
    const made = begun.get(attemptOf(record.key));
    if (made === undefined) return [];
    const { task, attempt, at } = made;
    const durationMs = record.at - at;
    return [{ kind: "used", at: timeOf(record.at), task, attempt, usage: record.reply.usage, durationMs }];
  };
}
