import type { TaskId } from "../../model/task.ts";
import { chunkAt } from "../document/chunk-at.ts";
import type { TaskPlace } from "../document/find-task.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { type BlockTask, readBlocks } from "../tasks/read-blocks.ts";
import { type FoundField, findFields } from "../tasks/read-fields.ts";
import { lineEnd } from "../text/line-ending.ts";
import { styleOf, type TaskStyle } from "./task-style.ts";

/** How a task is written, its id included. */
export interface SiblingStyle extends TaskStyle {
  /** An id as that of the task stands there: in bold, with a dot behind it. */
  readonly writeId: (id: TaskId) => string;
}

/** A task as it stands in the document, for another to be written like it. */
export interface Sibling {
  /** The text it stands in. */
  readonly text: string;
  readonly style: SiblingStyle;
  /** Offsets are into that text. */
  readonly fields: readonly FoundField[];
}

/** Read how a task is written. */
export function readSibling(document: PlanDocument, { task, found }: TaskPlace): Sibling {
  const { text } = chunkAt(document.chunks, task.box).chunk;
  const block = readBlocks(text).tasks.find(({ start }) => start === found.start) as BlockTask;
  const writeId = idWriter(found.id, text.slice(found.box + 2, lineEnd(text, found.box)).trimStart());
  return { text, style: { ...styleOf(text, block), writeId }, fields: findFields(text, block) };
}

const idForm = /^(\*\*|__|`|)([\w.-]*\w)([.:]?)\1([.:]?)(?=[ \t]|$)/;

/** @param own Null when none is written. @param line What stands behind the box. */
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
