import { detailOf } from "../../model/directive.ts";
import type { Approach, Level } from "../../model/escalation.ts";
import { isLevelRung } from "../../model/rung.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import { encodeLine, listBlock } from "./report-text.ts";
import { tellApproach } from "./tell-approach.ts";
import { tellReason } from "./tell-reason.ts";

/** What was attempted on a stuck task, in blocks of markdown. Fix tasks and repairs have a heading where there are any. */
export function tellAttempts(report: StuckReport): string[] {
  const { approaches, findings, fixes, repairs, task } = report;
  const tell = (those: readonly Approach[]): string[] => those.map((approach) => tellApproach(approach, task.id));
  const triedAt = (at: Level): string[] => tell(approaches.filter(({ level }) => level === at));
  const own = approaches.filter(({ level }) => !isLevelRung(level));
  const later = tell(own.filter((approach) => approach.later === true));
  const found = findings.map((finding) => encodeLine(finding)).filter((finding) => finding !== "");
  const researched = triedAt("research");
  const raced = triedAt("race");
  return [
    "### Original Approach",
    listBlock(tell(own.filter((approach) => approach.later !== true)), "1.", "No approach is recorded."),
    ...(later.length === 0 ? [] : ["### Later Approaches", listBlock(later, "1.", "")]),
    ...(fixes.length === 0 ? [] : ["### Fix Tasks", listBlock(fixes.map(fixLine), "-", "")]),
    ...(repairs.length === 0 ? [] : ["### Repairs", listBlock(repairs.map(repairLine), "1.", "")]),
    "### Pivot Attempts",
    listBlock(triedAt("pivot"), "1.", "No pivot attempt is recorded."),
    "### Research Findings",
    listBlock(found, "1.", "No finding is recorded."),
    ...(researched.length === 0 ? [] : ["Approaches after research:", listBlock(researched, "1.", "")]),
    ...(raced.length === 0 ? [] : ["### Race", listBlock(raced, "1.", "")]),
    "### Why It's Stuck",
    ...tellReason(report),
  ];
}

const fixLine = (fix: string): string => encodeLine(fix, "Task");

const repairLine = ({ task, directive }: StuckReport["repairs"][number]): string =>
  encodeLine(`(task ${task}) - ${detailOf(directive)}`, `**${directive.strategy.toUpperCase()}**`);
