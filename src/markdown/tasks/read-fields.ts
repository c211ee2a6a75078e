import type { TaskFields } from "../../model/task.ts";
import { type Block, holdsBox } from "../blocks/read-tree.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";

const label = /^(?:(?:\*\*|__)([A-Za-z][A-Za-z _-]{0,24}?):?(?:\*\*|__):?|_(Requirements|Design):)/;
/** Labels of each field, in the order in which fields are written. */
export const fieldLabels = {
  do: "Do",
  files: "Files",
  doneWhen: "Done when",
  verify: "Verify",
  commit: "Commit",
} as const satisfies Record<keyof TaskFields, string>;
const labels = Object.entries(fieldLabels) as [keyof TaskFields, string][];
const keys: ReadonlyMap<string, keyof TaskFields> = new Map([
  ...labels.map(([key, name]) => [name.toLowerCase(), key] as const),
  ["file", "files"],
]);
const others = new Set(
  "requirements,design,dependencies,test criteria,results,result,note,notes,ac,implementation,acceptance,acceptance criteria,expected,evidence".split(
    ",",
  ),
);

export interface FieldLabel {
  /** Null for a label that names no field, such as `_Requirements:`. */
  readonly key: keyof TaskFields | null;
  readonly length: number;
}

/** Nine of ten labels have the usual form, and a lookup is faster than the pattern. */
const usualLabels: ReadonlyMap<string, FieldLabel> = new Map(
  labels.map(([key, name]) => [`**${name}**:`, { key, length: name.length + 5 }]),
);

/** Read the label at the start of a text, in upper or lower case; null if there is none. */
export function readLabel(text: string): FieldLabel | null {
  const usual = usualLabels.get(text.slice(0, text.indexOf(":") + 1));
  if (usual !== undefined) return usual;
  const found = label.exec(text.slice(0, 40));
  if (found === null) return null;
  const name = ((found[1] ?? found[2]) as string).toLowerCase().trim();
  const key = keys.get(name);
  if (key !== undefined) return { key, length: found[0].length };
  return others.has(name) ? { key: null, length: found[0].length } : null;
}

const bracketItem = /^[-*+][ \t]{1,4}\[/;
const itemMarker = /^(?:[-*+]|\d+[.)])[ \t]+/;
const nearMissLine = /^[ \t]*[-*+][ \t]?\[[^\]\n(]{0,3}\]/;

/** An item that may be a task, with its position in the tree. */
export interface Place {
  readonly item: Block;
  readonly list: Block;
  readonly index: number;
  /** Index of the root's child that contains the item. */
  readonly rootIndex: number;
}

/**
 * Find the content after a task's item that belongs to the task. Later items of the same list belong to it if they have
 * no box. After the last item of a root list, indented blocks belong to it, and fields that lack their indentation.
 */
export function ownedContent(text: string, { item, list, index, rootIndex }: Place, root: Block): Block[] {
  const owned: Block[] = [];
  for (let next = index + 1; next < list.children.length; next += 1) {
    const sibling = list.children[next] as Block;
    if (isBoundary(text, sibling)) return owned;
    owned.push(sibling);
  }
  return root.children[rootIndex] === list ? owned.concat(behindList(text, item, root, rootIndex)) : owned;
}

function behindList(text: string, item: Block, root: Block, rootIndex: number): Block[] {
  const seen: Block[] = [];
  let kept = 0;
  let afterField = false;
  for (const block of unitsBehind(root, rootIndex)) {
    if (isBoundary(text, block)) break;
    seen.push(block);
    const isField = labelled(text, block);
    const isDeeper = block.column > item.column && ["listItem", "paragraph", "code"].includes(block.type);
    if (isField || isDeeper || (afterField && ["code", "listItem"].includes(block.type))) {
      kept = seen.length;
      afterField = true;
    } else if (block.type !== "html") {
      afterField = false;
    }
  }
  return seen.slice(0, kept);
}

function* unitsBehind(root: Block, rootIndex: number): Generator<Block> {
  for (let next = rootIndex + 1; next < root.children.length; next += 1) {
    const block = root.children[next] as Block;
    if (block.type === "list") yield* block.children;
    else yield block;
  }
}

function isBoundary(text: string, block: Block): boolean {
  if (block.type === "heading" || block.type === "thematicBreak" || holdsBox(block)) return true;
  const source = text.slice(block.start, block.end);
  if (block.type === "listItem") return block.column === 1 && bracketItem.test(source);
  if (block.type === "paragraph") return splitLines(source).some((line) => nearMissLine.test(line));
  return block.isUnclosed;
}

function labelled(text: string, block: Block): boolean {
  const source = text.slice(block.start, block.end);
  return readLabel(block.type === "listItem" ? source.replace(itemMarker, "") : source) !== null;
}

export interface TaskBlocks {
  readonly item: Block;
  readonly owned: readonly Block[];
}

export interface FoundField {
  readonly key: keyof TaskFields;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly column: number;
  /** Whether the field is an item of a list, not a paragraph. */
  readonly isItem: boolean;
}

/** Find the fields of a task. If several fields have the same label, only the first is used. */
export function findFields(text: string, task: TaskBlocks): FoundField[] {
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

const textOf = (block: Block): Block => (block.type === "listItem" ? (block.children[0] ?? block) : block);

export const readFields = (text: string, task: TaskBlocks): TaskFields =>
  Object.fromEntries(findFields(text, task).map(({ key, value }) => [key, value]));

/** End of a field whose label is a paragraph; the steps or the fence after the label belong to the field. */
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
