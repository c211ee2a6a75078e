import type { LeftStep, TaskFields, TaskId } from "../../model/task.ts";
import { type Block, type Box, readTree } from "../blocks/read-tree.ts";
import { lineAt, lineEnd, lineStarts, splitLines, trimBlank } from "../text/line-ending.ts";
import { ownedContent, type Place, readFields, type TaskBlocks } from "./read-fields.ts";
import { asideOf, readTitle } from "./read-title.ts";

/** A task found in a text. `start`, `end` and `box` are offsets into the text. */
export interface FoundTask {
  readonly id: TaskId | null;
  readonly title: string;
  readonly markers: readonly string[];
  readonly done: boolean;
  readonly start: number;
  readonly end: number;
  readonly box: number;
  readonly line: number;
  /** Depth of nesting: 0 for a task in no other task. */
  readonly depth: number;
  readonly fields: TaskFields;
  /** Reason not to delegate the task, according to its line; omitted for an ordinary task. */
  readonly aside?: "optional" | "deferred" | "person";
  /** Offsets of the boxes of the task and its checks, in order; omitted for a task without checks. */
  readonly boxes?: readonly number[];
  readonly left?: readonly LeftStep[];
}

export interface BlockTask extends FoundTask, TaskBlocks {}

type Draft = { -readonly [Key in keyof BlockTask]: BlockTask[Key] };

/** A heading outside of lists and quotes. */
export interface FoundHeading {
  readonly title: string;
  readonly level: number;
  readonly start: number;
  readonly line: number;
}

export interface PlacedHeading extends FoundHeading {
  /** End of the heading's section: the next heading of the same or a higher level, or the end of the document. */
  readonly end: number;
  /** Title of the nearest heading of a higher level above this heading; null if there is none. */
  readonly above: string | null;
}

/** A line that resembles a task, or a fence that is never closed. */
interface Oddity {
  readonly rule: "near-miss-task" | "open-fence";
  readonly line: number;
}

export interface Reading {
  readonly tasks: readonly FoundTask[];
  readonly headings: readonly FoundHeading[];
  readonly oddities: readonly Oddity[];
  /** Offset of an unclosed code or HTML block at the end of the text; null if there is none. */
  readonly open: number | null;
}

const nearMiss = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*\[[ \t]?[xX✓✔/>!?~-]?[ \t]?\](?![([:])/;

export interface BlockReading extends Reading {
  readonly tasks: readonly BlockTask[];
}

export function readBlocks(text: string): BlockReading {
  const root = readTree(text);
  const lines = lineStarts(text);
  const tasks: BlockTask[] = [];
  const headings: FoundHeading[] = [];
  const oddities: Oddity[] = [];
  root.children.forEach((block, rootIndex) => {
    if (block.type === "heading") headings.push(readHeading(text, block, lineAt(lines, block.start)));
    visit(block, root, 0, rootIndex, []);
  });
  const last = root.children.at(-1);
  return { tasks, headings, oddities, open: last?.isUnclosed === true ? last.start : null };

  /** @param around Tasks that contain the block, outermost first. */
  function visit(block: Block, list: Block, index: number, rootIndex: number, around: readonly Draft[]): void {
    if (block.type === "blockquote") return;
    const task =
      block.box === null ? null : readTask({ item: block, list, index, rootIndex }, block.box, around.length);
    const holder = around.at(-1);
    // A box without an id inside a task belongs to a check of that task. So does `7 tables exist` inside `T10`.
    const isCount = /^\d+$/.test(task?.id ?? "") && /^\D/.test(holder?.id ?? "");
    const isCheck = holder !== undefined && task !== null && (isCount || task.id === null);
    const isTask = task !== null && !isCheck;
    if (isTask) tasks.push(task);
    if (isCheck) takeCheck(holder, task);
    noteOddities(block);
    block.children.forEach((child, at) => {
      visit(child, block, at, rootIndex, isTask ? [...around, task] : around);
    });
  }

  function takeCheck(holder: Draft, { aside, box, done }: Draft): void {
    if (aside === undefined) holder.boxes = [...(holder.boxes ?? [holder.box]), box];
    if (!done && (aside !== undefined || holder.done)) holder.left = [...(holder.left ?? []), aside ?? "step"];
  }

  function readTask(place: Place, { offset, titleStart }: Box, depth: number): Draft {
    const { item } = place;
    const owned = ownedContent(text, place, root);
    const last = Math.max((owned.at(-1) ?? item).end - 1, item.start);
    const read = readTitle(titleLine(item, titleStart));
    const { id, markers, title } = read;
    const aside = asideOf(text.slice(offset, titleStart), read, text.slice(titleStart, item.end));
    return {
      ...(aside !== null && { aside }),
      id,
      markers,
      title,
      done: "xX".includes(text.charAt(offset)),
      start: item.start,
      end: lineEnd(text, last + 1),
      box: offset,
      line: lineAt(lines, offset),
      depth,
      fields: readFields(text, { item, owned }),
      item,
      owned,
    };
  }

  function titleLine(item: Block, start: number): string {
    const first = item.children.find(({ type }) => type === "paragraph" || type === "heading") as Block;
    const source = splitLines(text.slice(start, first.end)).map(trimBlank);
    // The last line of an underlined heading is the underline.
    return trimBlank((first.type === "heading" ? source.slice(0, -1) : source).join(" "));
  }

  function noteOddities(block: Block): void {
    if (block.type === "code" && block.isUnclosed) {
      oddities.push({ rule: "open-fence", line: lineAt(lines, block.start) });
    }
    if (block.type === "listItem" && block.box === null) noteNearMiss(block.start, lineEnd(text, block.start));
    if (block.type === "paragraph") noteNearMiss(block.start, block.end);
  }

  function noteNearMiss(start: number, end: number): void {
    const written = text.slice(start, end);
    if (!written.includes("[")) return;
    let line = lineAt(lines, start);
    for (const source of splitLines(written)) {
      if (nearMiss.test(source)) oddities.push({ rule: "near-miss-task", line });
      line += 1;
    }
  }
}

const hashes = /^[ \t]*#{1,6}(?=[ \t]|$)/;
const closingHashes = /(?:^|[ \t])#+$/;

export function readHeading(text: string, block: Pick<Block, "start" | "end" | "level">, line: number): FoundHeading {
  const lines = splitLines(text.slice(block.start, block.end));
  const [first = ""] = lines;
  const isSetext = !hashes.test(first);
  const title = isSetext
    ? lines.slice(0, -1).map(trimBlank).join(" ")
    : trimBlank(trimBlank(first.replace(hashes, "")).replace(closingHashes, ""));
  return { title, level: block.level, start: block.start, line };
}
