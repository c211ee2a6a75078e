import type { Block } from "../blocks/block.ts";
import { readTree } from "../blocks/read-tree.ts";
import { gapBehind } from "../document/block-gap.ts";
import { chunkAt } from "../document/chunk-at.ts";
import type { TaskPlace } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";

/**
 * Whether the list that a task stands in, or a heading's steps end with, has blank lines between its items or within one: it
 * is shown in paragraphs. Where the steps of a heading end with something else, a blank line is needed, too.
 */
export function isLoose(document: PlanDocument, { task, found, isHeading }: TaskPlace): boolean {
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
