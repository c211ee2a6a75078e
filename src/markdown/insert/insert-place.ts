import { type Block, readTree } from "../blocks/read-tree.ts";
import { chunkAt } from "../document/chunk.ts";
import { type TaskPlace, taskAt } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { isEnding, lineStart } from "../text/line-ending.ts";

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

/**
 * Whether the list that a task stands in, or a heading's steps end with, has blank lines between its items or within one: it
 * is shown in paragraphs. Where the steps of a heading end with something else, a blank line is needed, too.
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

/** What follows a block. */
export interface BlockGap {
  /** Blank lines behind it. */
  readonly blankLines: number;
  /** Offset of the next character that is no blank. */
  readonly next: number;
  /** Whether nothing else follows. */
  readonly isLast: boolean;
}

/** Look behind the end of a block. */
export function gapBehind({ text }: Pick<PlanDocument, "text">, end: number): BlockGap {
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
