import type { TaskId } from "../../model/task.ts";
import type { Block } from "../blocks/read-tree.ts";
import { chunkAt } from "../document/chunk.ts";
import type { TaskPlace } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { type BlockTask, readBlocks } from "../tasks/read-blocks.ts";
import { type FoundField, findFields } from "../tasks/read-fields.ts";
import { lineEnd, lineStart, widthOf } from "../text/line-ending.ts";

export interface SiblingStyle extends TaskStyle {
  /** Write an id in the form of the task's id, such as in bold or with a dot after it. */
  readonly writeId: (id: TaskId) => string;
}

export interface Sibling {
  readonly text: string;
  readonly style: SiblingStyle;
  /** With offsets into `text`. */
  readonly fields: readonly FoundField[];
}

export function readSibling(document: PlanDocument, { task, found }: TaskPlace): Sibling {
  const { text } = chunkAt(document.chunks, task.box).chunk;
  const block = readBlocks(text).tasks.find(({ start }) => start === found.start) as BlockTask;
  const writeId = idWriter(found.id, text.slice(found.box + 2, lineEnd(text, found.box)).trimStart());
  return { text, style: { ...styleOf(text, block), writeId }, fields: findFields(text, block) };
}

const idForm = /^(\*\*|__|`|)([\w.-]*\w)([.:]?)\1([.:]?)(?=[ \t]|$)/;

/** @param own Written id of the task; null if it has none. @param line Text after the box. */
function idWriter(own: TaskId | null, line: string): (id: TaskId) => string {
  const [, mark = "", written, inner = "", outer = ""] = idForm.exec(line) ?? [];
  if (own === null || written !== own) return (id) => id;
  return (id) => {
    // Plans that write `1.` write `1.1` without a dot at the end.
    const isPart = id.includes(".") && !own.includes(".");
    return `${mark}${id}${isPart ? dotless(inner) : inner}${mark}${isPart ? dotless(outer) : outer}`;
  };
}

const dotless = (separator: string): string => (separator === "." ? "" : separator);

interface TaskStyle {
  /** Blanks before the bullet of the task. */
  readonly prefix: string;
  readonly marker: string;
  /** Blanks between marker and box. */
  readonly gap: string;
  /** Columns from the marker of the task to the bullets of its fields. */
  readonly indent: number;
  readonly bullet: string;
}

const markers = /^([-*+]|\d{1,9}[.)])([ \t]*)/;

function styleOf(text: string, { item, box }: BlockTask): TaskStyle {
  const head = text.slice(lineStart(text, item.start), item.start);
  const found = markers.exec(text.slice(item.start, box)) as RegExpExecArray;
  const marker = found[1] as string;
  const blanks = found[2] as string;
  const gap = " ".repeat(Math.max(1, widthOf(blanks, item.column - 1 + marker.length)));
  const content = marker.length + gap.length;
  const first = item.children.find(({ type, ordered }) => type === "list" && !ordered)?.children[0];
  const indent = first === undefined ? content : indentOf(text, item, first);
  const isUsable = indent >= content && indent <= Math.min(content + 3, 8);
  return {
    prefix: head.replace(/[^\t ]/g, " "),
    marker,
    gap,
    indent: isUsable ? indent : content,
    bullet: first === undefined ? (/^\d/.test(marker) ? "-" : marker) : text.charAt(first.start),
  };
}

/** Columns between two items; -1 if there are tabs before the inner item. */
function indentOf(text: string, outer: Block, inner: Block): number {
  const head = text.slice(lineStart(text, inner.start), inner.start);
  return head.includes("\t") ? -1 : inner.column - outer.column;
}
