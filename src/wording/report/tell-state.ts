import { splitLines } from "../../markdown/text/line-ending.ts";
import { plainLine } from "../../markdown/text/plain-line.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import { encodeCode, encodeLine, listBlock } from "./report-text.ts";

/** Paths that are named, and characters at the end of an output that its last line is looked for in. */
const mostPaths = 50;
const mostOutput = 2000;

/** How a stuck task left the files and its Verify, in blocks of markdown. */
export const tellState = ({ changed, verify }: Pick<StuckReport, "changed" | "verify">): string[] => [
  ...tellFiles(changed),
  ...tellVerify(verify),
];

function tellFiles(changed: StuckReport["changed"]): string[] {
  if (changed === null) return ["Files modified: it is not known which."];
  if (changed.length === 0) return ["Files modified: none."];
  const left = changed.length - mostPaths;
  const paths = changed.slice(0, mostPaths).map((path) => encodeLine(path) || "(unnamed)");
  return ["Files modified:", listBlock(left > 0 ? [...paths, `and ${left} more`] : paths, "-", "")];
}

function tellVerify(verify: StuckReport["verify"]): string[] {
  if (verify === null) return ["Tests status: the task's Verify was not run."];
  const said = splitLines(verify.output.slice(-mostOutput)).findLast((line) => plainLine(line, 1) !== "");
  const facts = [
    `Verify: ${encodeCode(verify.command)}`,
    `Exit code: ${verify.exitCode ?? "none, a signal or a limit ended it"}`,
    ...(said === undefined ? [] : [encodeLine(said, "Last line:")]),
  ];
  return ["Tests status:", listBlock(facts, "-", "")];
}
