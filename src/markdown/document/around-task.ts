import type { Task } from "../../model/task.ts";
import { clamp } from "../../model/text.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { contentEnd, lineEnd, splitLines, trimBlank } from "../text/line-ending.ts";
import { placeHeadings } from "./place-tasks.ts";
import type { PlanDocument } from "./plan-document.ts";

/** Texts of a plan that concern a task but are outside of all tasks. */
export interface AroundTask {
  readonly checkpoint?: string;
  readonly criteria?: string;
  readonly status?: string;
}

const checkpoint = /^ {0,3}(?:> ?)?\*\*(?:Checkpoint|Independent Test)\b/i;
const status = /^ {0,3}(?:\*\*)?Status:(?:\*\*)?[ \t]+(\S.*)/i;
/** Number of characters at the start of a plan that are searched for the status of a story. */
const longestHead = 4000;

/**
 * Collect the criterion after the tasks of a phase (`**Checkpoint**: …`), the section `Acceptance Criteria`, and the
 * value of `Status:` above the tasks.
 */
export function aroundTask(
  { text, plan: { tasks }, chunks }: PlanDocument,
  { phase }: Pick<Task, "phase">,
): AroundTask {
  const headings = placeHeadings(chunks, text.length);
  const last = tasks.findLast((task) => task.phase === phase);
  const checks = last === undefined ? [] : linesBehind(last.end).filter((line) => checkpoint.test(line));
  const section = headings.find(({ title }) => /^Acceptance Criteria\b/i.test(title));
  const head = splitLines(text.slice(0, Math.min(tasks[0]?.start ?? 0, longestHead)));
  const state = head.flatMap((line) => status.exec(line)?.[1] ?? [])[0];
  return {
    ...(checks.length > 0 && { checkpoint: checks.map(trimBlank).join("\n") }),
    ...(section !== undefined && { criteria: sourceBelow(section.start, section.end) }),
    ...(state !== undefined && { status: trimBlank(state) }),
  };

  function linesBehind(end: number): string[] {
    const next = headings.find(({ start }) => start >= end)?.start ?? text.length;
    return splitLines(text.slice(end, next));
  }

  function sourceBelow(start: number, end: number): string {
    const below = lineEnd(text, start);
    return trimBlank(text.slice(below, contentEnd(text, below, end)));
  }
}

const longest = 2000;

/**
 * Read the purpose of a phase: the text between its heading and its first task.
 *
 * @param phase Title of the heading; null for tasks above the first heading.
 * @returns Empty if there is no text.
 */
export function goalOf(document: PlanDocument, phase: string | null): string {
  const first = phase === null ? undefined : document.plan.tasks.find((task) => task.phase === phase);
  if (first === undefined) return "";
  const headings = placeHeadings(document.chunks, document.text.length);
  const heading = headings.findLast(({ title, start }) => title === phase && start < first.start) as PlacedHeading;
  const lines = splitLines(document.text.slice(heading.start, first.start));
  const isUnderlined = !/^\uFEFF? {0,3}#/.test(lines[0] as string);
  const below = lines.slice(1 + (isUnderlined ? lines.findIndex((line) => underline.test(line)) : 0));
  return clamp(below.join("\n").trim(), longest);
}

const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
