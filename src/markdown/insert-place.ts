import type { Task } from "../model/task.ts";
import { gapBehind } from "./block-gap.ts";
import { sourceAt } from "./chunk-at.ts";
import { splitLines } from "./line-ending.ts";
import type { PlanDocument } from "./plan-document.ts";
import type { FoundTask } from "./read-blocks.ts";

/** Where the next fix of a task goes. */
export interface InsertPlace {
  readonly offset: number;
  /** Index that it will have among the tasks. */
  readonly index: number;
  readonly depth: number;
  /** Blank lines before it, as the document does it. */
  readonly blankLines: number;
  /** Whether what follows would run into it without a blank line. */
  readonly needsBlankBehind: boolean;
}

const neighbours = 20;

/** The place behind a task and the fix tasks it already has. @param index Of the task. */
export function insertPlace(document: PlanDocument, index: number): InsertPlace {
  const { tasks } = document.plan;
  const found = document.chunks.flatMap((chunk) => chunk.tasks);
  const { depth } = found[index] as FoundTask;
  const family = new Set([tasks[index]?.id]);
  let last = index;
  let next = afterNested(found, last);
  for (let task = tasks[next]; task?.fixOf != null && family.has(task.fixOf); task = tasks[next]) {
    if (!follows(last, next)) break;
    family.add(task.id);
    last = next;
    next = afterNested(found, last);
  }
  const end = endOf(last);
  const gap = gapBehind(document, end);
  const hasSibling = follows(last, next);
  return {
    offset: end,
    index: next,
    depth,
    blankLines: hasSibling ? Math.min(gap.blankLines, 1) : blankLinesBefore(),
    needsBlankBehind: !hasSibling && !gap.isLast && gap.blankLines === 0,
  };

  function endOf(at: number): number {
    return (tasks[at] as Task).end;
  }

  /** Whether a task stands on the same level as another, with nothing but blank lines between them. */
  function follows(at: number, other: number): boolean {
    if (found[other]?.depth !== found[at]?.depth) return false;
    return gapBehind(document, endOf(at)).next === tasks[other]?.start;
  }

  function blankLinesBefore(): number {
    let previous = index - 1;
    while ((found[previous]?.depth ?? 0) > depth) previous -= 1;
    if (previous >= 0 && follows(previous, index)) {
      return Math.min(gapBehind(document, endOf(previous)).blankLines, 1);
    }
    const pairs = found.slice(Math.max(0, index - neighbours), index + neighbours).flatMap((_, at) => {
      const one = Math.max(0, index - neighbours) + at;
      return found[one]?.depth === depth && follows(one, one + 1) ? gapBehind(document, endOf(one)).blankLines : [];
    });
    if (pairs.length > 0) return pairs.filter((lines) => lines > 0).length * 2 >= pairs.length ? 1 : 0;
    const { start, end: to } = tasks[index] as Task;
    return splitLines(sourceAt(document.chunks, start, to)).length > 1 ? 1 : 0;
  }
}

/** The index behind a task and the tasks that stand in it. */
function afterNested(found: readonly FoundTask[], index: number): number {
  const { depth } = found[index] as FoundTask;
  let next = index + 1;
  while ((found[next]?.depth ?? 0) > depth) next += 1;
  return next;
}
