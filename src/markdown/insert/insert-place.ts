import { type Block, readTree } from "../blocks/read-tree.ts";
import { chunkAt } from "../document/chunk.ts";
import { type TaskPlace, taskAt } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { isEnding, lineStart } from "../text/line-ending.ts";

export interface InsertPlace {
  readonly side: "before" | "behind";
  readonly offset: number;
  readonly depth: number;
  /** Number of blank lines between the inserted tasks and the task next to them, as usual in the list of that task. */
  readonly blankLines: number;
  /**
   * Whether to add a blank line after the inserted tasks, so that the text after them does not become a part of them.
   */
  readonly needsBlankBehind: boolean;
}

export function placeBefore(document: PlanDocument, task: TaskPlace): InsertPlace {
  const { chunk, offset } = chunkAt(document.chunks, task.task.start);
  return {
    side: "before",
    offset: offset + lineStart(chunk.text, task.task.start - offset),
    depth: task.found.depth,
    blankLines:
      linesBetween(document, beforeNested(document, task), task) ??
      linesBetween(document, task, behindNested(document, task)) ??
      Number(task.isHeading || isLoose(document, task)),
    needsBlankBehind: false,
  };
}

export function placeBehind(document: PlanDocument, task: TaskPlace): InsertPlace {
  const family = new Set([task.task.id]);
  let last = task;
  let next = behindNested(document, last);
  while (
    next !== undefined &&
    next.task.fixOf !== null &&
    family.has(next.task.fixOf) &&
    linesBetween(document, last, next) !== null
  ) {
    family.add(next.task.id);
    last = next;
    next = behindNested(document, last);
  }
  const gap = gapBehind(document, last.task.end);
  return {
    side: "behind",
    offset: last.task.end,
    depth: task.found.depth,
    blankLines:
      linesBetween(document, last, next) ??
      linesBetween(document, beforeNested(document, task), task) ??
      Number(isLoose(document, task)),
    // A following task, even of an outer level, cannot be read as part of the inserted tasks.
    needsBlankBehind: gap.next !== next?.task.start && !gap.isLast && gap.blankLines === 0,
  };
}

/** The previous task on the same or an outer level. */
function beforeNested(document: PlanDocument, { found, index }: TaskPlace): TaskPlace | undefined {
  let previous = taskAt(document, index - 1);
  while (previous !== undefined && previous.found.depth > found.depth) previous = taskAt(document, previous.index - 1);
  return previous;
}

/**
 * Number of blank lines, at most one, between two items; null if their levels differ or anything else is between them.
 */
function linesBetween(document: PlanDocument, one?: TaskPlace, other?: TaskPlace): number | null {
  if (one === undefined || other === undefined || one.isHeading || other.isHeading) return null;
  const { blankLines, next } = gapBehind(document, one.task.end);
  return other.found.depth === one.found.depth && next === other.task.start ? Math.min(blankLines, 1) : null;
}

/** The next task on the same or an outer level. */
function behindNested(document: PlanDocument, { found, index }: TaskPlace): TaskPlace | undefined {
  let next = taskAt(document, index + 1);
  while (next !== undefined && next.found.depth > found.depth) next = taskAt(document, next.index + 1);
  return next;
}

/**
 * Whether the list of a task, or the last list of a heading's task, is loose: it has blank lines between or within its
 * items, and is rendered in paragraphs. True also for a heading's task whose steps do not end with a list.
 */
function isLoose(document: PlanDocument, { task, found, isHeading }: TaskPlace): boolean {
  const text = isHeading ? document.text.slice(task.start, task.end) : chunkAt(document.chunks, task.box).chunk.text;
  const root = readTree(text);
  const list = (isHeading ? root.children.at(-1) : listOf(root, found.start)) as Block;
  if (list.type !== "list") return true;
  return [list, ...list.children].some(({ children }) =>
    children.slice(0, -1).some(({ end }) => gapBehind({ text }, end).blankLines > 0),
  );
}

const listOf = (block: Block, item: number): Block | undefined =>
  block.type === "list" && block.children.some(({ start }) => start === item)
    ? block
    : block.children.map((child) => listOf(child, item)).find((found) => found !== undefined);

interface BlockGap {
  readonly blankLines: number;
  readonly next: number;
  readonly isLast: boolean;
}

function gapBehind({ text }: Pick<PlanDocument, "text">, end: number): BlockGap {
  let endings = 0;
  let at = end;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (isEnding(character)) {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endings += 1;
    } else if (character !== " " && character !== "\t") {
      break;
    }
  }
  return { blankLines: Math.max(0, endings - 1), next: at, isLast: at >= text.length };
}
