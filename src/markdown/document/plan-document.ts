import { InputError } from "../../model/errors.ts";
import { carryOutline, type Plan } from "../../model/plan.ts";
import { spliceOf } from "../../model/splice.ts";
import type { Task, TaskId } from "../../model/task.ts";
import { readDialect } from "../dialects/dialects.ts";
import { type Chunk, chunkAt, tickChunk } from "./chunk.ts";
import { chunkEnd, cutChunks, cutDocument, mayHavePreamble, preambleLength } from "./cut-chunks.ts";
import { interpretTasks } from "./interpret-tasks.ts";
import { nameTasks, phaseLevel, placeHeadings, placePhases, placeTasks } from "./place-tasks.ts";
import { findProblems } from "./plan-problems.ts";

/** A `tasks.md` with its parsed content. Immutable; versions share unchanged chunks. */
export interface PlanDocument {
  readonly text: string;
  readonly plan: Plan;
  /** The parts that are parsed separately. */
  readonly chunks: readonly Chunk[];
  /** Generated ids of the tasks without a written id, in order. */
  readonly names: readonly TaskId[];
}

/** A replacement of a part of a document. Offsets are UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Parse a plan.
 *
 * @throws {InputError} `plan-not-text`
 */
export function openPlan(text: string): PlanDocument {
  if (typeof text !== "string") {
    throw new InputError(`Cannot read the plan, expected its text, got ${text === null ? "null" : typeof text}`, {
      code: "plan-not-text",
      hint: "Pass the decoded content of `tasks.md`",
    });
  }
  return documentOf(text, cutDocument(text));
}

/** Parse a changed text of a plan, reusing unchanged parts of the document. */
export function reopenPlan(document: PlanDocument, text: string): PlanDocument {
  if (document.text === text) return document;
  const { from, cut, text: put } = spliceOf(document.text, text);
  return applyEdit(document, { start: from, end: from + cut, text: put });
}

/**
 * Apply an edit to a document. Parses only the chunks that the edit touches, and the chunk before them.
 *
 * @throws {InputError} `edit-out-of-range`
 */
export function applyEdit(document: PlanDocument, edit: Edit): PlanDocument {
  const { text: before, chunks } = document;
  checkRange(before, edit);
  if (edit.start === edit.end && edit.text === "") return document;
  const text = `${before.slice(0, edit.start)}${edit.text}${before.slice(edit.end)}`;
  const { chunk, index, offset } = chunkAt(chunks, edit.start);
  // Look for a preamble only if the text may have one, since the search copies the text.
  const mayBegin = index === 0 || mayHavePreamble((chunks[0] as Chunk).text);
  const preamble = mayBegin ? preambleLength(text) : 0;
  const least = preamble === 0 ? 0 : 1;
  if (mayBegin && (preamble !== preambleLength(before) || index < least)) return openPlan(text);
  const ticked = edit.end === edit.start + 1 ? tickChunk(chunk, edit.start - offset, edit.text) : null;
  const start = offset + (chunk.tasks[0]?.start ?? 0);
  // Tick directly only if the task starts in this chunk: a task made from a heading has boxes in several chunks.
  const at = ticked === null ? -1 : document.plan.tasks.findIndex((task) => task.start === start);
  if (ticked !== null && at >= 0) return tickedDocument(document, text, { index, chunk: ticked, at });
  // Start one chunk earlier: a changed first line may belong to the previous chunk.
  const first = Math.max(least, index - 1);
  const from = offset - (index > first ? (chunks[first] as Chunk).text.length : 0);
  return documentOf(text, recut(chunks, first, from, text, edit));
}

/** Cut the text again from chunk `first` on, until a cut coincides with an old chunk boundary after the edit. */
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

/** Copy a text, since a slice in V8 keeps the whole original in memory. */
const detached = (text: string): string => ` ${text}`.slice(1);

function checkRange({ length }: string, { start, end }: Edit): void {
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= length) return;
  throw new InputError(
    `Cannot edit characters ${start} to ${end}, expected a range within the ${length} characters of the plan`,
    {
      code: "edit-out-of-range",
      hint: "Apply an edit to the document that it was made for.",
    },
  );
}

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
  return interpretTasks(placeTasks(chunks, names, level), placeHeadings(chunks, text.length), text);
}

/**
 * Build the document after a tick, which changes one character and one flag.
 *
 * @param place Index of the chunk, the new chunk, and the index of its task in the plan.
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
      problems ??= findProblems(chunks, tasks, placeHeadings(chunks, text.length));
      return problems;
    },
  };
}

/**
 * Read the tasks of a plan.
 *
 * @param markdown A `tasks.md`: CommonMark with GFM task list items, in any of the dialects of docs/formats.md.
 * @returns Its tasks in document order. Defects are listed in `problems`; nothing is thrown.
 * @see docs/formats.md
 */
export const readPlan = (markdown: string): Plan => openPlan(markdown).plan;
