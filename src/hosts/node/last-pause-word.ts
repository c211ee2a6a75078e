import type { RunRecord } from "../../model/record.ts";

/** The last that a start was told of pausing; null when nothing was said. */
export function lastPauseWord(records: readonly RunRecord[]): "pause" | "resume" | null {
  const words = records.flatMap((record) => (record.type === "said" ? [record.event.type] : []));
  return words.findLast((word) => word === "pause" || word === "resume") ?? null;
}
