import type { Task } from "../../model/task.ts";
import { contentEnd, lineEnd, splitLines, trimBlank } from "../text/line-ending.ts";
import { placeHeadings } from "./place-tasks.ts";
import type { PlanDocument } from "./plan-document.ts";

/** What a plan says outside of its tasks, as far as it is about one of them. */
export interface AroundTask {
  readonly checkpoint?: string;
  readonly criteria?: string;
  readonly status?: string;
}

const checkpoint = /^ {0,3}(?:> ?)?\*\*(?:Checkpoint|Independent Test)\b/i;
const status = /^ {0,3}(?:\*\*)?Status:(?:\*\*)?[ \t]+(\S.*)/i;
/** Characters before the first task in which the state of a story stands. */
const longestHead = 4000;

/**
 * What stands behind the tasks of a phase to say when they are done (`**Checkpoint**: …`), the section `Acceptance Criteria`,
 * and the value of `Status:` above the tasks.
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

  /** Lines up to the next heading. */
  function linesBehind(end: number): string[] {
    const next = headings.find(({ start }) => start >= end)?.start ?? text.length;
    return splitLines(text.slice(end, next));
  }

  function sourceBelow(start: number, end: number): string {
    const below = lineEnd(text, start);
    return trimBlank(text.slice(below, contentEnd(text, below, end)));
  }
}
