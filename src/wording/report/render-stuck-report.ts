import { countOf } from "../../model/count-of.ts";
import type { Level } from "../../model/escalation.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import { encodeLine } from "./encode-line.ts";
import { fenceLog } from "./fence-log.ts";
import { reportTitle } from "./is-stuck-report.ts";
import { listBlock } from "./list-block.ts";
import { questionsOf } from "./questions-of.ts";
import { tellAttempts } from "./tell-attempts.ts";
import { tellResume } from "./tell-resume.ts";
import { tellState } from "./tell-state.ts";

/**
 * The document that a checkpoint leaves for a person, with the sections of the source's format in its order. A section
 * without facts says so.
 *
 * @param report
 *   Its texts are untrusted: none opens a heading, a task, a fence or a comment.
 * @see docs/formats.md
 */
export function renderStuckReport(report: StuckReport): string {
  const log = fenceLog(report.errorLog);
  const context = report.contextFiles.map(({ name, path }) => encodeLine(`${name}: ${path}`));
  const blocks = [
    reportTitle,
    ...tellHead(report),
    "## Summary",
    tellSummary(report),
    "## What Was Attempted",
    ...tellAttempts(report),
    "## Current State",
    ...tellState(report),
    "## What Human Needs to Decide",
    listBlock(
      questionsOf(report).map((question) => encodeLine(question)),
      "1.",
      "",
    ),
    "## How to Resume",
    ...tellResume(report.address),
    "## Full Error Log",
    log.length === 0 ? "No error log is recorded." : log.join("\n"),
    "## Context Files",
    listBlock(context, "-", "There are none."),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** A paragraph each: nothing that begins in one ends in another. */
const tellHead = ({ at, task, phase, done, total }: StuckReport): string[] => [
  `**Generated:** ${new Date(at).toISOString()}`,
  encodeLine(`"${task.title}" (${task.id})`, "**Task:**"),
  encodeLine(`${phase ?? "none"} (${done}/${total} tasks done)`, "**Phase:**"),
];

function tellSummary(report: StuckReport): string {
  const { task, failures, pivots, researches } = report;
  const since = beganAnew(report) ? " since it last began anew" : "";
  const attempts = `${countOf(failures, "failed attempt")}${since}, with ${countOf(pivots, "pivot")} and ${countOf(researches, "research attempt")} among them`;
  const last = task.current === task.id ? "" : ` Task ${task.current}, which grew from it, failed last.`;
  return encodeLine(`Fixpoint could not get task ${task.id} done on its own: ${attempts}.${last}`);
}

/** Whether approaches are listed that the counts have forgotten: what was tried is kept when those begin anew. */
function beganAnew({ approaches, failures, pivots, researches }: StuckReport): boolean {
  const listed = (at: Level): number => approaches.filter(({ level }) => level === at).length;
  return approaches.length > failures || listed("pivot") > pivots || listed("research") > researches;
}
