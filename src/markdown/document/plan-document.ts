import { InputError } from "../../model/errors.ts";
import { carryOutline, type Plan } from "../../model/plan.ts";
import { spliceOf } from "../../model/splice.ts";
import type { Task, TaskId } from "../../model/task.ts";
import { readDialect } from "../dialects/dialects.ts";
import { type Chunk, chunkAt, tickChunk, utf8Length } from "./chunk.ts";
import { chunkEnd, cutChunks, cutDocument, mayHavePreamble, preambleLength } from "./cut-chunks.ts";
import { giveMeaning } from "./give-meaning.ts";
import { nameTasks, phaseLevel, placeHeadings, placePhases, placeTasks } from "./place-tasks.ts";
import { findProblems } from "./plan-problems.ts";

/** A `tasks.md` and what it says. Immutable; versions share the chunks that did not change. */
export interface PlanDocument {
  readonly text: string;
  readonly plan: Plan;
  /** The parts that it was read in. */
  readonly chunks: readonly Chunk[];
  /** Ids given to the tasks that have none written, in order. */
  readonly names: readonly TaskId[];
}

/** A replacement of a part of a document. Offsets are UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Read a plan.
 *
 * @throws {InputError} `plan-not-text`
 */
export function openPlan(text: string): PlanDocument {
  if (typeof text !== "string") {
    throw new InputError(`Cannot read the plan, expected its text, got ${text === null ? "null" : typeof text}`, {
      code: "plan-not-text",
      hint: "Pass what the file `tasks.md` contains, decoded",
    });
  }
  return documentOf(text, cutDocument(text));
}

/** Read another text of a plan, and of it only what is not in the document already. */
export function reopenPlan(document: PlanDocument, text: string): PlanDocument {
  if (document.text === text) return document;
  const { from, cut, text: put } = spliceOf(document.text, text);
  return applyEdit(document, { start: from, end: from + cut, text: put });
}

/**
 * The document after an edit. Reads only the chunks that the edit touches, and the one before.
 *
 * @throws {InputError} `edit-out-of-range`
 */
export function applyEdit(document: PlanDocument, edit: Edit): PlanDocument {
  const { text: before, chunks } = document;
  checkRange(before, edit);
  if (edit.start === edit.end && edit.text === "") return document;
  const text = `${before.slice(0, edit.start)}${edit.text}${before.slice(edit.end)}`;
  const { chunk, index, offset } = chunkAt(chunks, edit.start);
  // Elsewhere the text need not be looked at, which copies it.
  const mayBegin = index === 0 || mayHavePreamble((chunks[0] as Chunk).text);
  const preamble = mayBegin ? preambleLength(text) : 0;
  const least = preamble === 0 ? 0 : 1;
  if (mayBegin && (preamble !== preambleLength(before) || index < least)) return openPlan(text);
  const ticked = edit.end === edit.start + 1 ? tickChunk(chunk, edit.start - offset, edit.text) : null;
  const start = offset + (chunk.tasks[0]?.start ?? 0);
  // A heading in place of the task has boxes in several chunks.
  const at = ticked === null ? -1 : document.plan.tasks.findIndex((task) => task.start === start);
  if (ticked !== null && at >= 0) return tickedDocument(document, text, { index, chunk: ticked, at });
  // The first line of a chunk decides whether it is one, so that the chunk before may have to take it in.
  const first = Math.max(least, index - 1);
  const from = offset - (index > first ? (chunks[first] as Chunk).text.length : 0);
  return documentOf(text, recut(chunks, first, from, text, edit));
}

/** The chunks of a text that another has become by an edit: read anew from the first on until they are the old ones. */
function recut(chunks: readonly Chunk[], first: number, from: number, text: string, edit: Edit): Chunk[] {
  const shift = edit.text.length - (edit.end - edit.start);
  let next = first;
  let start = from;
  let to = from;
  for (let isSame = false; !isSame && to < text.length; ) {
    to = chunkEnd(text, to);
    for (let old = chunks[next]; old !== undefined && (start < edit.end || start + shift < to); old = chunks[next]) {
      start += old.text.length;
      next += 1;
    }
    isSame = start + shift === to;
  }
  const last = to < text.length ? next : chunks.length;
  const known = new Map(chunks.slice(first, last).map((chunk) => [chunk.text, chunk]));
  const cut = cutChunks(detached(text.slice(from, to)), 0).map((chunk) => known.get(chunk.text) ?? chunk);
  return [...chunks.slice(0, first), ...cut, ...chunks.slice(last)];
}

/** A copy that does not keep the whole text alive which it is a part of, as slices do in V8. */
const detached = (text: string): string => ` ${text}`.slice(1);

function checkRange({ length }: string, { start, end }: Edit): void {
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= length) return;
  throw new InputError(`Cannot edit characters ${start} to ${end}, expected a range within the ${length} of the plan`, {
    code: "edit-out-of-range",
    hint: "Apply an edit to the document that it was made for.",
  });
}

/** UTF-8 bytes before a UTF-16 offset. */
export function byteOffset({ chunks }: PlanDocument, at: number): number {
  let bytes = 0;
  let rest = at;
  for (const { text, bytes: own } of chunks) {
    if (rest < text.length) return bytes + utf8Length(text.slice(0, rest));
    rest -= text.length;
    bytes += own;
  }
  return bytes;
}

/** What is known of a document and need not be found out. */
interface Known {
  readonly names?: readonly TaskId[];
  readonly tasks?: readonly Task[];
}

function documentOf(text: string, chunks: readonly Chunk[], known: Known = {}): PlanDocument {
  let { names, tasks } = known;
  let plan: Plan | undefined;
  return {
    text,
    chunks,
    get names() {
      names ??= nameTasks(chunks);
      return names;
    },
    get plan() {
      if (plan === undefined) {
        tasks ??= readTasks(chunks, this.names, text);
        plan = planOf(chunks, tasks, text);
      }
      return plan;
    },
  };
}

function readTasks(chunks: readonly Chunk[], names: readonly TaskId[], text: string): readonly Task[] {
  const level = phaseLevel(chunks.flatMap(({ headings }) => headings));
  return giveMeaning(placeTasks(chunks, names, level), placeHeadings(chunks, text.length), text);
}

/**
 * The document after a tick: one character and one flag are other ones.
 *
 * @param place Index of the chunk, the chunk as it is then, and the index of its task in the plan.
 */
function tickedDocument(
  { names, plan, chunks }: PlanDocument,
  text: string,
  { index, chunk, at }: { readonly index: number; readonly chunk: Chunk; readonly at: number },
): PlanDocument {
  const done = chunk.tasks[0]?.done === true;
  const tasks = plan.tasks.with(at, { ...(plan.tasks[at] as Task), done });
  carryOutline(plan.tasks, tasks, at);
  return documentOf(text, chunks.with(index, chunk), { names, tasks });
}

function planOf(chunks: readonly Chunk[], tasks: readonly Task[], text: string): Plan {
  let phases: Plan["phases"] | undefined;
  let problems: Plan["problems"] | undefined;
  let dialect: Plan["dialect"] | undefined;
  return {
    tasks,
    get phases() {
      phases ??= placePhases(tasks, placeHeadings(chunks, text.length));
      return phases;
    },
    get dialect() {
      dialect ??= readDialect(tasks, placeHeadings(chunks, text.length), text);
      return dialect;
    },
    get problems() {
      problems ??= findProblems(chunks, tasks);
      return problems;
    },
  };
}

/**
 * Read the tasks of a plan.
 *
 * @param markdown
 *   A `tasks.md`: CommonMark with GFM task list items, in any of the dialects of docs/formats.md.
 * @returns
 *   Its tasks in document order. What cannot be followed stands in `problems`; nothing is thrown.
 * @see docs/formats.md
 */
export const readPlan = (markdown: string): Plan => openPlan(markdown).plan;
