import type { StuckReason } from "../../model/escalation.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import { countOf } from "../../model/text.ts";
import { encodeLine, listBlock } from "./report-text.ts";

const reasons: Record<StuckReason, string> = {
  "same-error": "It failed with the same error again and again.",
  "no-progress": "Attempts in a row left no fewer checks failing than before.",
  "no-change": "Attempts in a row changed no file.",
  "state-again": "The files came back to a state in which they had been before.",
  "strategy-again": "An approach was named again that had failed before.",
  admission: "The executor says that it is at a loss.",
};

/** Checks that are named. */
const mostChecks = 20;

const tellProgress = ({ failing, of, was, best }: NonNullable<StuckReport["progress"]>): string => {
  const before = was === null ? "" : `, ${was} after the attempt before`;
  return `${failing}${of === null ? "" : ` of ${of}`}${before}, ${best} at best`;
};

/** Why a task counts as stuck and what it came to, in blocks of markdown. */
export function tellReason(report: StuckReport): string[] {
  const { stuck, lastError, sameErrors, status, admission, progress } = report;
  const facts = [
    ...(progress === null ? [] : [encodeLine(tellProgress(progress), "Failing checks:")]),
    ...report.failing.slice(0, mostChecks).map((check) => encodeLine(check, "Fails:")),
    ...(lastError === null ? [] : [encodeLine(lastError, `Last error (${countOf(sameErrors, "time")} in a row):`)]),
    ...(status === null ? [] : [encodeLine(status, "Reported status:")]),
    ...(admission === null ? [] : [encodeLine(admission, "Admitted:")]),
  ];
  const reason = stuck === null ? "Its remedies are used up." : reasons[stuck];
  return facts.length === 0 ? [reason] : [reason, listBlock(facts, "-", "")];
}
