import type { TaskFields } from "../../model/task.ts";
import type { Block } from "../blocks/block.ts";
import { trimBlank } from "../text/line-ending.ts";
import { readLabel } from "./field-label.ts";
import type { BlockTask } from "./read-blocks.ts";

/** A field and where it stands. */
export interface FoundField {
  readonly key: keyof TaskFields;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly column: number;
  /** Whether it is a bullet of its own. */
  readonly isItem: boolean;
}

/** The fields of a task; of several with one label the first. */
export function findFields(text: string, task: Pick<BlockTask, "item" | "owned">): FoundField[] {
  const found = new Map<keyof TaskFields, FoundField>();
  const blocks = [...task.item.children, ...task.owned].flatMap((block) =>
    block.type === "list" ? block.children : [block],
  );
  blocks.forEach((block, index) => {
    const first = textOf(block);
    const label = readLabel(textIn(text, first));
    if (label?.key == null || found.has(label.key)) return;
    const isItem = block.type === "listItem";
    const end = isItem ? block.end : endOfParagraphField(text, blocks, index);
    const value = trimBlank(text.slice(first.start + label.length, end));
    found.set(label.key, { key: label.key, value, start: block.start, end, column: block.column, isItem });
  });
  return [...found.values()];
}

/** The block with the text of an item or a paragraph. */
const textOf = (block: Block): Block => (block.type === "listItem" ? (block.children[0] ?? block) : block);

/** Read the fields of a task. */
export const readFields = (text: string, task: Pick<BlockTask, "item" | "owned">): TaskFields =>
  Object.fromEntries(findFields(text, task).map(({ key, value }) => [key, value]));

/** A label in a paragraph of its own speaks for the steps or the fence behind it. */
function endOfParagraphField(text: string, blocks: readonly Block[], index: number): number {
  let { end } = blocks[index] as Block;
  for (const block of blocks.slice(index + 1)) {
    const isStep = block.type === "listItem" && block.box === null && readLabel(textIn(text, textOf(block))) === null;
    if (!isStep && block.type !== "code") break;
    end = block.end;
  }
  return end;
}

const textIn = (text: string, { start, end }: Block): string => text.slice(start, end);
