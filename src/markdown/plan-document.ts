import type { Plan } from "../model/plan.ts";
import { type Chunk, utf8Length } from "./chunk.ts";
import { chunkAt, sourceAt } from "./chunk-at.ts";
import { cutDocument } from "./cut-chunks.ts";
import { findTask } from "./find-task.ts";
import { placePhases, placeTasks } from "./place-tasks.ts";
import { findProblems } from "./plan-problems.ts";
import { mayHavePreamble, preambleLength } from "./preamble.ts";
import { respliceChunks, textOf } from "./resplice-chunks.ts";

/** A `tasks.md` and what it says. Immutable; versions share what did not change. */
export interface PlanDocument {
  readonly text: string;
  readonly plan: Plan;
  /** The parts it is read in. */
  readonly chunks: readonly Chunk[];
}

/** A replacement of a part of a document. Offsets are UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Read a plan. Takes time linear in the text. */
export const openPlan = (text: string): PlanDocument => documentOf(cutDocument(text), text);

/** Read another text of a plan, and of it only what is not in the document already. */
export function reopenPlan(document: PlanDocument, text: string): PlanDocument {
  const { chunks } = document;
  const preamble = chunks[0]?.isPreamble === true ? chunks[0].text.length : 0;
  if (preambleLength(text) !== preamble || !text.startsWith(textOf(chunks.slice(0, preamble === 0 ? 0 : 1)))) {
    return openPlan(text);
  }
  let from = 0;
  let start = 0;
  for (let next = chunks[0]; next !== undefined && text.startsWith(next.text, start); next = chunks[from]) {
    start += next.text.length;
    from += 1;
  }
  if (from === chunks.length && start === text.length) return document;
  let to = chunks.length;
  let end = text.length;
  for (let last = chunks[to - 1]; last !== undefined && to > from; last = chunks[to - 1]) {
    if (end - last.text.length < start || !text.startsWith(last.text, end - last.text.length)) break;
    end -= last.text.length;
    to -= 1;
  }
  return documentOf(respliceChunks(chunks, from, to, detached(text.slice(start, end))), text);
}

/** The document after an edit. Reads only the chunks that the edit touches. */
export function applyEdit(document: PlanDocument, edit: Edit): PlanDocument {
  const { chunks } = document;
  if (edit.start === edit.end && edit.text === "") return document;
  const { index: from, offset } = chunkAt(chunks, edit.start);
  let to = from;
  let end = offset;
  let middle = "";
  for (let next = chunks[to]; next !== undefined && (to === from || end < edit.end); next = chunks[to]) {
    middle += next.text;
    end += next.text.length;
    to += 1;
  }
  middle = `${middle.slice(0, edit.start - offset)}${edit.text}${middle.slice(edit.end - offset)}`;
  if (touchesPreamble(chunks, edit, from, middle)) {
    return openPlan(`${textOf(chunks.slice(0, from))}${middle}${textOf(chunks.slice(to))}`);
  }
  return documentOf(respliceChunks(chunks, from, to, middle));
}

/** UTF-8 bytes before a UTF-16 offset. */
export function byteOffset({ chunks }: PlanDocument, offset: number): number {
  const { chunk, index, offset: start } = chunkAt(chunks, offset);
  let bytes = 0;
  for (let at = 0; at < index; at += 1) bytes += (chunks[at] as Chunk).byteLength();
  return bytes + utf8Length(chunk.text.slice(0, offset - start));
}

/**
 * The source of a task's block.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function blockOf(document: PlanDocument, id: string): string {
  const { start, end } = findTask(document.plan, id);
  return sourceAt(document.chunks, start, end);
}

function documentOf(read: readonly Chunk[], source?: string): PlanDocument {
  const chunks = read.length > 0 ? read : cutDocument("");
  let text = source;
  let plan: Plan | undefined;
  return {
    chunks,
    get text() {
      text ??= textOf(chunks);
      return text;
    },
    get plan() {
      plan ??= planOf(chunks);
      return plan;
    },
  };
}

function planOf(chunks: readonly Chunk[]): Plan {
  const tasks = placeTasks(chunks);
  let phases: Plan["phases"] | undefined;
  let problems: Plan["problems"] | undefined;
  return {
    tasks,
    get phases() {
      phases ??= placePhases(chunks, tasks);
      return phases;
    },
    get problems() {
      problems ??= findProblems(chunks, tasks);
      return problems;
    },
  };
}

function touchesPreamble(chunks: readonly Chunk[], { start }: Edit, from: number, middle: string): boolean {
  const [first, second] = chunks;
  const length = first?.isPreamble === true ? first.text.length : 0;
  if (length > 0 && start <= length) return true;
  if (length > 0 && first?.text.endsWith("\uFEFF") !== true) return false;
  // A thematic break at the very start may become front matter by what follows it, however far.
  const head = length > 0 ? second : first;
  return mayHavePreamble(from <= (length > 0 ? 1 : 0) ? middle : (head as Chunk).text);
}

/** A copy that does not keep the whole text alive which it is a part of, as slices do in V8. */
const detached = (text: string): string => ` ${text}`.slice(1);
