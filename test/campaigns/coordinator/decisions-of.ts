import { attemptOf } from "../../../src/model/reply.ts";
import type { NumberedRecord } from "./read-journals.ts";

/**
 * The decisions of a run, in a form that does not depend on times or on the number of kills: sorted, since members of a
 * batch decide in any order, and without duplicates, since decisions lost in a kill are made again.
 */
export const decisionsOf = (records: readonly NumberedRecord[]): string[] =>
  [...new Set(records.flatMap(decisionIn))].sort();

function decisionIn(record: NumberedRecord): string[] {
  switch (record.type) {
    case "answered": {
      // Skip answers to effects of the run and the pull request: their keys depend on where the starts began.
      if (attemptOf(record.key).startsWith("run#") || record.key.startsWith("pr#")) return [];
      // Counts `done` as a reply with an accepted verdict. After a kill that followed the work, the green Verify gives
      // the verdict, and the task is not delegated again.
      if (record.effect === "delegate" && record.answer.kind === "done") {
        return [`${record.key}: replied`, `${attemptOf(record.key)}/verify: accepted`];
      }
      // Skip `raced`: it is random whether other members of a race are still at work when one member is proven.
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
    // All other records follow from these, show in files, or depend on the files that a start finds.
    default:
      return [];
  }
}
