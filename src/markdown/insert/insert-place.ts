import { gapBehind } from "../document/block-gap.ts";
import { chunkAt } from "../document/chunk-at.ts";
import { type TaskPlace, taskAt } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { lineStart } from "../text/line-ending.ts";
import { isLoose } from "./is-loose.ts";

/** Where tasks are inserted. */
export interface InsertPlace {
  readonly side: "before" | "behind";
  readonly offset: number;
  readonly depth: number;
  /** Blank lines between them and the task they stand beside, as in its list. */
  readonly blankLines: number;
  /** Whether what follows would run into them without a blank line. */
  readonly needsBlankBehind: boolean;
}

/** The place before a task. */
export function placeBefore(document: PlanDocument, task: TaskPlace): InsertPlace {
  const { chunk, offset } = chunkAt(document.chunks, task.task.start);
  return {
    side: "before",
    offset: offset + lineStart(chunk.text, task.task.start - offset),
    depth: task.found.depth,
    blankLines:
      blankLinesBefore(document, task) ??
      blankLinesBehind(document, task) ??
      Number(task.isHeading || isLoose(document, task)),
    needsBlankBehind: false,
  };
}

/** The place behind a task and the fix tasks it already has. */
export function placeBehind(document: PlanDocument, task: TaskPlace): InsertPlace {
  const family = new Set([task.task.id]);
  let last = task;
  let next = behindNested(document, last);
  while (
    next !== undefined &&
    next.task.fixOf !== null &&
    family.has(next.task.fixOf) &&
    follows(document, last, next)
  ) {
    family.add(next.task.id);
    last = next;
    next = behindNested(document, last);
  }
  const gap = gapBehind(document, last.task.end);
  const hasSibling = follows(document, last, next);
  return {
    side: "behind",
    offset: last.task.end,
    depth: task.found.depth,
    blankLines: hasSibling
      ? atMostOne(gap.blankLines)
      : (blankLinesBefore(document, task) ?? Number(isLoose(document, task))),
    // Another task, be it of an outer level, runs into nothing.
    needsBlankBehind: gap.next !== next?.task.start && !gap.isLast && gap.blankLines === 0,
  };
}

/** Blank lines between a task and the one before it on its level; null when that is not its neighbour. */
function blankLinesBefore(document: PlanDocument, task: TaskPlace): number | null {
  let index = task.index - 1;
  let previous = taskAt(document, index);
  while (previous !== undefined && previous.found.depth > task.found.depth) {
    index -= 1;
    previous = taskAt(document, index);
  }
  return previous !== undefined && follows(document, previous, task)
    ? atMostOne(gapBehind(document, previous.task.end).blankLines)
    : null;
}

function blankLinesBehind(document: PlanDocument, task: TaskPlace): number | null {
  return follows(document, task, behindNested(document, task))
    ? atMostOne(gapBehind(document, task.task.end).blankLines)
    : null;
}

/** Whether an item stands on the same level as another, with nothing but blank lines between them. */
const follows = (document: PlanDocument, one: TaskPlace, other: TaskPlace | undefined): boolean =>
  other !== undefined &&
  !one.isHeading &&
  !other.isHeading &&
  other.found.depth === one.found.depth &&
  gapBehind(document, one.task.end).next === other.task.start;

/** The task behind a task and those that stand in it. */
function behindNested(document: PlanDocument, { found, index }: TaskPlace): TaskPlace | undefined {
  let next = taskAt(document, index + 1);
  while (next !== undefined && next.found.depth > found.depth) next = taskAt(document, next.index + 1);
  return next;
}

const atMostOne = (lines: number): number => Math.min(lines, 1);
