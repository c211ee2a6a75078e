import { attemptOf } from "../../../src/model/reply.ts";
import type { NumberedRecord } from "./read-journals.ts";

/**
 * What a run has decided, in words that do not depend on times, nor on how often it was killed: sorted, since members of
 * a batch decide in any order, and each once, since what was not recorded is decided anew.
 */
export const decisionsOf = (records: readonly NumberedRecord[]): string[] =>
  [...new Set(records.flatMap(decisionIn))].sort();

function decisionIn(record: NumberedRecord): string[] {
  switch (record.type) {
    case "answered": {
      // Which turn it was depends on where the starts began.
      if (attemptOf(record.key).startsWith("run#") || record.key.startsWith("pr#")) return [];
      // Where a start was killed behind the work, its green Verify is the verdict before it is delegated again.
      if (record.effect === "delegate" && record.answer.kind === "done") {
        return [`${record.key}: replied`, `${attemptOf(record.key)}/verify: accepted`];
      }
      // Whether the others of a race are still at work when one is proven is chance, and none begins again behind that.
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
    // Others follow from these, are visible in files, or depend on what a start finds.
    default:
      return [];
  }
}
