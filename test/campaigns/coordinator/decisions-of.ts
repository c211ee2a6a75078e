import { attemptOf } from "../../../src/model/reply.ts";
import type { NumberedRecord } from "./read-journals.ts";

/**
 * Sorted, because members of a batch decide in any order; without duplicates, because decisions lost in a kill are
 * repeated.
 */
export const decisionsOf = (records: readonly NumberedRecord[]): string[] =>
  [...new Set(records.flatMap(decisionIn))].sort();

function decisionIn(record: NumberedRecord): string[] {
  switch (record.type) {
    case "answered": {
      // Skip effects of the run and the pull request, whose keys depend on where the starts began.
      if (attemptOf(record.key).startsWith("run#") || record.key.startsWith("pr#")) return [];
      // After a kill at the end of the work, a green Verify gives the verdict without another delegation, so count both
      // alike.
      if (record.effect === "delegate" && record.answer.kind === "done") {
        return [`${record.key}: replied`, `${attemptOf(record.key)}/verify: accepted`];
      }
      // Skip `raced`: it is random whether other members of a race still work when one member is proven.
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
    default:
      return [];
  }
}
