import { splitLines } from "../../markdown/text/line-ending.ts";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { detailOf } from "../../model/directive.ts";
import type { Approach, Level, StuckReason } from "../../model/escalation.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import { isLevelRung } from "../../model/rung.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import type { TaskId } from "../../model/task.ts";
import { countOf } from "../../model/text.ts";
import { mendWords } from "../explain-question.ts";
import { encodeCode, encodeLine, listBlock } from "./report-text.ts";

const mostPaths = 50;
/** Number of characters at the end of an output that are searched for its last line. */
const mostOutput = 2000;

export const renderState = ({ changed, verify }: Pick<StuckReport, "changed" | "verify">): string[] => [
  ...renderFiles(changed),
  ...renderVerify(verify),
];

function renderFiles(changed: StuckReport["changed"]): string[] {
  if (changed === null) return ["Files modified: unknown."];
  if (changed.length === 0) return ["Files modified: none."];
  const left = changed.length - mostPaths;
  const paths = changed.slice(0, mostPaths).map((path) => encodeLine(path) || "(unnamed)");
  return ["Files modified:", listBlock(left > 0 ? [...paths, `and ${left} more`] : paths, "-", "")];
}

function renderVerify(verify: StuckReport["verify"]): string[] {
  if (verify === null) return ["Tests status: the task's Verify was not run."];
  const said = splitLines(verify.output.slice(-mostOutput)).findLast((line) => plainLine(line, 1) !== "");
  const facts = [
    `Verify: ${encodeCode(verify.command)}`,
    `Exit code: ${verify.exitCode ?? "none, a signal or a limit ended it"}`,
    ...(said === undefined ? [] : [encodeLine(said, "Last line:")]),
  ];
  return ["Tests status:", listBlock(facts, "-", "")];
}

export function renderAttempts(report: StuckReport): string[] {
  const { approaches, findings, fixes, repairs, task } = report;
  const tell = (those: readonly Approach[]): string[] => those.map((approach) => renderApproach(approach, task.id));
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
    ...renderReason(report),
  ];
}

const fixLine = (fix: string): string => encodeLine(fix, "Task");

const repairLine = ({ task, directive }: StuckReport["repairs"][number]): string =>
  encodeLine(`(task ${task}) - ${detailOf(directive)}`, `**${directive.strategy.toUpperCase()}**`);

const longest = 300;
/** Text that can be set in bold without escaping. */
const plainWords = /^[\p{L}\p{N}](?:[\p{L}\p{N} ,;:./'()+-]*[\p{L}\p{N}])?$/u;

/**
 * Render an approach and its result as the content of a list item.
 *
 * @param task The stuck task; an approach for another task is labelled with that task.
 */
function renderApproach({ strategy, error, task: tried }: Approach, task: TaskId): string {
  const name = plainLine(strategy ?? "", longest);
  const where = tried === task ? "" : ` (task ${tried})`;
  const result = `${plainLine(error, longest)}${where}`;
  if (name === "") return encodeLine(result);
  const end = `- ${result}`;
  return plainWords.test(name) ? encodeLine(end, `**${name}**`) : encodeLine(`${name} ${end}`);
}

const reasons: Record<StuckReason, string> = {
  "same-error": "The task failed with the same error again and again.",
  "no-progress": "Several attempts in a row did not reduce the number of failing checks.",
  "no-change": "Attempts in a row changed no file.",
  "state-again": "The files returned to an earlier state.",
  "strategy-again": "The executor chose an approach again that had already failed.",
  admission: "The executor says that it does not know how to continue.",
};

const mostChecks = 20;

const renderProgress = ({ failing, of, was, best }: NonNullable<StuckReport["progress"]>): string => {
  const before = was === null ? "" : `, ${was} after the previous attempt`;
  return `${failing}${of === null ? "" : ` of ${of}`}${before}, ${best} at best`;
};

export function renderReason(report: StuckReport): string[] {
  const { stuck, lastError, rejected, sameErrors, status, admission, progress } = report;
  const facts = [
    ...(progress === null ? [] : [encodeLine(renderProgress(progress), "Failing checks:")]),
    ...report.failing.slice(0, mostChecks).map((check) => encodeLine(check, "Fails:")),
    ...(lastError === null ? [] : [encodeLine(lastError, `Last error (${countOf(sameErrors, "time")} in a row):`)]),
    ...(rejected === null ? [] : [encodeLine(rejected, "Last attempt rejected:")]),
    ...(status === null ? [] : [encodeLine(status, "Reported status:")]),
    ...(admission === null ? [] : [encodeLine(admission, "Admitted:")]),
  ];
  const reason = stuck === null ? "The remedies of the task are used up." : reasons[stuck];
  return facts.length === 0 ? [reason] : [reason, listBlock(facts, "-", "")];
}

const longestCommand = 700;

const resume = (address: SpecAddress, ...options: string[]): string =>
  plainLine(commandLine(address, "resume", { options }), longestCommand);

export const resumeCommand = (address: SpecAddress): string => resume(address, "--guidance", "…");

export const decideCommand = (address: SpecAddress, decision: PersonDecision): string =>
  resume(address, "--decision", decision);

export function renderResume({ address, isRerun }: Pick<StuckReport, "address" | "isRerun">): string[] {
  const run = plainLine(commandLine(address, "run"), longestCommand);
  const options = [
    `Option 1: Give guidance: ${encodeCode(resumeCommand(address))}`,
    `Option 2: Continue without guidance: ${encodeCode(resume(address))}`,
    `Option 3: Fix the task yourself, ${mendWords(isRerun)}: ${encodeCode(run)}`,
    `Option 4: Skip the task: ${encodeCode(decideCommand(address, "skip"))}`,
    `Option 5: End the run: ${encodeCode(decideCommand(address, "stop"))}`,
  ];
  return [listBlock(options, "-", "")];
}
