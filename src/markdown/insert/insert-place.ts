import { gapBehind } from "../document/block-gap.ts";
import { chunkAt } from "../document/chunk-at.ts";
import { type TaskPlace, taskAt } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { lineStart, splitLines } from "../text/line-ending.ts";

/** Where tasks are inserted. */
export interface InsertPlace {
  readonly side: "before" | "behind";
  readonly offset: number;
  readonly depth: number;
  /** Blank lines between them and the task they stand beside, as the document does it. */
  readonly blankLines: number;
  /** Whether what follows would run into them without a blank line. */
  readonly needsBlankBehind: boolean;
}

const neighbours = 20;

/** The place before a task. */
export function placeBefore(document: PlanDocument, task: TaskPlace): InsertPlace {
  const { chunk, offset } = chunkAt(document.chunks, task.task.start);
  return {
    side: "before",
    offset: offset + lineStart(chunk.text, task.task.start - offset),
    depth: task.found.depth,
    blankLines: blankLinesBefore(document, task) ?? blankLinesBehind(document, task) ?? usualBlankLines(document, task),
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
    blankLines: hasSibling ? atMostOne(gap.blankLines) : blankLinesBeforeOrUsual(),
    // Another task, be it of an outer level, runs into nothing.
    needsBlankBehind: gap.next !== next?.task.start && !gap.isLast && gap.blankLines === 0,
  };

  function blankLinesBeforeOrUsual(): number {
    return blankLinesBefore(document, task) ?? usualBlankLines(document, task);
  }
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

/** Blank lines between most tasks of its level around a task; one where it has lines of its own, and no neighbours. */
function usualBlankLines(document: PlanDocument, { task, found, index }: TaskPlace): number {
  const gaps: number[] = [];
  let one = taskAt(document, Math.max(0, index - neighbours));
  while (one !== undefined && one.index < index + neighbours) {
    const other = taskAt(document, one.index + 1);
    if (one.found.depth === found.depth && follows(document, one, other)) {
      gaps.push(gapBehind(document, one.task.end).blankLines);
    }
    one = other;
  }
  if (gaps.length > 0) return gaps.filter((lines) => lines > 0).length * 2 >= gaps.length ? 1 : 0;
  return splitLines(document.text.slice(task.start, task.end)).length > 1 ? 1 : 0;
}

/** Whether a task stands on the same level as another, with nothing but blank lines between them. */
const follows = (document: PlanDocument, one: TaskPlace, other: TaskPlace | undefined): boolean =>
  other !== undefined &&
  other.found.depth === one.found.depth &&
  gapBehind(document, one.task.end).next === other.task.start;

/** The task behind a task and those that stand in it. */
function behindNested(document: PlanDocument, { found, index }: TaskPlace): TaskPlace | undefined {
  let next = taskAt(document, index + 1);
  while (next !== undefined && next.found.depth > found.depth) next = taskAt(document, next.index + 1);
  return next;
}

const atMostOne = (lines: number): number => Math.min(lines, 1);
