import { attemptOf } from "../../../src/model/reply.ts";
import type { NumberedRecord } from "./read-journals.ts";

/**
 * The decisions of a run, independent of times and of the number of kills: sorted, since members of a batch decide in
 * any order, and without duplicates, since unrecorded decisions are made again.
 */
export const decisionsOf = (records: readonly NumberedRecord[]): string[] =>
  [...new Set(records.flatMap(decisionIn))].sort();

function decisionIn(record: NumberedRecord): string[] {
  switch (record.type) {
    case "answered": {
      // The number of the turn depends on where the starts began.
      if (attemptOf(record.key).startsWith("run#") || record.key.startsWith("pr#")) return [];
      // If a start was killed after the work, its green Verify is the verdict before another delegation.
      if (record.effect === "delegate" && record.answer.kind === "done") {
        return [`${record.key}: replied`, `${attemptOf(record.key)}/verify: accepted`];
      }
      // Whether the other members of a race are still working when one is proven is random, and none begins again after
      // that.
      if (record.answer.kind === "raced") return [];
      const { kind = "done", text = "" } = (record.answer ?? {}) as { readonly kind?: string; readonly text?: string };
      return [`${record.key}: ${kind}`, ...(kind === "guided" ? [`guided: ${text}`] : [])];
    }
    case "intended":
      return [`${record.key}: ${JSON.stringify(record.fix)}`];
    case "planned":
      return [`${record.key}: ${record.change} ${JSON.stringify(record.plan)}`];
    case "guided":
      return [`guided: ${record.text}`];
    case "skipped":
      return [`${record.task} left out: ${record.justification}`];
    case "reset":
      return [`${record.task} begins anew`];
    // Others follow from these, are visible in files, or depend on the files that a start finds.
    default:
      return [];
  }
}
