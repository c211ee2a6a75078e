import { gapBehind } from "../document/block-gap.ts";
import { chunkAt, sourceAt } from "../document/chunk-at.ts";
import { taskAt } from "../document/find-task.ts";
import type { Layout } from "../document/layout.ts";
import type { TaskPlace } from "../document/place-one.ts";
import { lineStart, splitLines } from "../text/line-ending.ts";

/** Where tasks are inserted. */
export interface InsertPlace {
  readonly side: "before" | "behind";
  readonly offset: number;
  /** Index that the first of them will have among the tasks. */
  readonly index: number;
  readonly depth: number;
  /** Blank lines between them and the task they stand beside, as the document does it. */
  readonly blankLines: number;
  /** Whether what follows would run into them without a blank line. */
  readonly needsBlankBehind: boolean;
}

const neighbours = 20;

/** The place before a task. */
export function placeBefore(layout: Layout, task: TaskPlace): InsertPlace {
  const { chunk, offset } = chunkAt(layout, task.task.start);
  return {
    side: "before",
    offset: offset + lineStart(chunk.text, task.found.start),
    index: task.index,
    depth: task.found.depth,
    blankLines: blankLinesBefore(layout, task) ?? blankLinesBehind(layout, task) ?? usualBlankLines(layout, task),
    needsBlankBehind: false,
  };
}

/** The place behind a task and the fix tasks it already has. */
export function placeBehind(layout: Layout, task: TaskPlace): InsertPlace {
  const family = new Set([task.task.id]);
  let last = task;
  let next = behindNested(layout, last);
  while (next !== undefined && next.task.fixOf !== null && family.has(next.task.fixOf) && follows(layout, last, next)) {
    family.add(next.task.id);
    last = next;
    next = behindNested(layout, last);
  }
  const gap = gapBehind(layout, last.task.end);
  const hasSibling = follows(layout, last, next);
  return {
    side: "behind",
    offset: last.task.end,
    index: next?.index ?? layout.pages.reduce((sum, { tasks }) => sum + tasks, 0),
    depth: task.found.depth,
    blankLines: hasSibling ? atMostOne(gap.blankLines) : blankLinesBeforeOrUsual(),
    // Another task, be it of an outer level, runs into nothing.
    needsBlankBehind: gap.next !== next?.task.start && !gap.isLast && gap.blankLines === 0,
  };

  function blankLinesBeforeOrUsual(): number {
    return blankLinesBefore(layout, task) ?? usualBlankLines(layout, task);
  }
}

/** Blank lines between a task and the one before it on its level; null when that is not its neighbour. */
function blankLinesBefore(layout: Layout, task: TaskPlace): number | null {
  let index = task.index - 1;
  let previous = taskAt(layout, index);
  while (previous !== undefined && previous.found.depth > task.found.depth) {
    index -= 1;
    previous = taskAt(layout, index);
  }
  return previous !== undefined && follows(layout, previous, task)
    ? atMostOne(gapBehind(layout, previous.task.end).blankLines)
    : null;
}

function blankLinesBehind(layout: Layout, task: TaskPlace): number | null {
  return follows(layout, task, behindNested(layout, task))
    ? atMostOne(gapBehind(layout, task.task.end).blankLines)
    : null;
}

/** Blank lines between most tasks of its level around a task; one where it has lines of its own, and no neighbours. */
function usualBlankLines(layout: Layout, { task, found, index }: TaskPlace): number {
  const gaps: number[] = [];
  let one = taskAt(layout, Math.max(0, index - neighbours));
  while (one !== undefined && one.index < index + neighbours) {
    const other = taskAt(layout, one.index + 1);
    if (one.found.depth === found.depth && follows(layout, one, other)) {
      gaps.push(gapBehind(layout, one.task.end).blankLines);
    }
    one = other;
  }
  if (gaps.length > 0) return gaps.filter((lines) => lines > 0).length * 2 >= gaps.length ? 1 : 0;
  return splitLines(sourceAt(layout, task.start, task.end)).length > 1 ? 1 : 0;
}

/** Whether a task stands on the same level as another, with nothing but blank lines between them. */
const follows = (layout: Layout, one: TaskPlace, other: TaskPlace | undefined): boolean =>
  other !== undefined &&
  other.found.depth === one.found.depth &&
  gapBehind(layout, one.task.end).next === other.task.start;

/** The task behind a task and those that stand in it. */
function behindNested(layout: Layout, { found, index }: TaskPlace): TaskPlace | undefined {
  let next = taskAt(layout, index + 1);
  while (next !== undefined && next.found.depth > found.depth) next = taskAt(layout, next.index + 1);
  return next;
}

const atMostOne = (lines: number): number => Math.min(lines, 1);
