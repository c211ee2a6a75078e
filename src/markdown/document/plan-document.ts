import { InputError } from "../../model/errors.ts";
import type { Plan } from "../../model/plan.ts";
import type { TaskId } from "../../model/task.ts";
import { byteLengthOf, type Chunk, tickChunk, utf8Length } from "./chunk.ts";
import { chunkAt, sourceAt } from "./chunk-at.ts";
import { cutDocument } from "./cut-chunks.ts";
import { findTask } from "./find-task.ts";
import { carryIndex, indexPages } from "./id-index.ts";
import type { Layout } from "./layout.ts";
import { nameTasks } from "./name-tasks.ts";
import type { Page } from "./page.ts";
import { chunkOf, pagesOf, splicePages } from "./pages.ts";
import { phaseLevel } from "./phase-level.ts";
import { placeAll } from "./place-page.ts";
import { placePhases } from "./place-phases.ts";
import { findProblems } from "./plan-problems.ts";
import { mayHavePreamble, preambleLength } from "./preamble.ts";
import { readDialect } from "./read-dialect.ts";
import { type Respliced, resplicePages } from "./resplice-pages.ts";

/** A `tasks.md` and what it says. Immutable; versions share what did not change. */
export interface PlanDocument extends Layout {
  readonly text: string;
  readonly plan: Plan;
}

/** A replacement of a part of a document. Offsets are UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Read a plan. Takes time linear in the text.
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
  return documentOf(pagesOf(cutDocument(text)), { text });
}

/** Read another text of a plan, and of it only what is not in the document already. */
export function reopenPlan(document: PlanDocument, text: string): PlanDocument {
  const { pages } = document;
  const first = chunkOf(pages, 0) as Chunk;
  const preamble = first.isPreamble ? first.text : "";
  if (preambleLength(text) !== preamble.length || !text.startsWith(preamble)) return openPlan(text);
  const chunks = pages.flatMap((page) => page.chunks);
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
  return successor(document, resplicePages(pages, from, to, detached(text.slice(start, end))), text);
}

/**
 * The document after an edit. Reads only the chunks that the edit touches.
 *
 * @throws {InputError} `edit-out-of-range`
 */
export function applyEdit(document: PlanDocument, edit: Edit): PlanDocument {
  const { pages } = document;
  checkRange(document, edit);
  if (edit.start === edit.end && edit.text === "") return document;
  const { chunk, index: from, offset } = chunkAt(document, edit.start);
  const ticked = edit.end === edit.start + 1 ? tickChunk(chunk, edit.start - offset, edit.text) : null;
  if (ticked !== null) {
    return documentOf(splicePages(pages, from, from + 1, [ticked]), {
      names: document.names,
      phaseLevel: document.phaseLevel,
      ids: document.ids,
      ticked: pages,
    });
  }
  let to = from;
  let end = offset;
  let middle = "";
  for (
    let next = chunkOf(pages, to);
    next !== undefined && (to === from || end < edit.end);
    next = chunkOf(pages, to)
  ) {
    middle += next.text;
    end += next.text.length;
    to += 1;
  }
  middle = `${middle.slice(0, edit.start - offset)}${edit.text}${middle.slice(edit.end - offset)}`;
  if (touchesPreamble(pages, edit, from, middle)) {
    return openPlan(`${document.text.slice(0, edit.start)}${edit.text}${document.text.slice(edit.end)}`);
  }
  return successor(document, resplicePages(pages, from, to, middle));
}

function checkRange({ pages }: Layout, { start, end }: Edit): void {
  const length = pages.reduce((sum, page) => sum + page.length, 0);
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= length) return;
  throw new InputError(`Cannot edit characters ${start} to ${end}, expected a range within the ${length} of the plan`, {
    code: "edit-out-of-range",
    hint: "Apply an edit to the document that it was made for.",
  });
}

/** UTF-8 bytes before a UTF-16 offset. */
export function byteOffset({ pages }: Layout, offset: number): number {
  let bytes = 0;
  let start = 0;
  for (const page of pages) {
    if (start + page.length > offset) return bytes + bytesWithin(page, offset - start);
    start += page.length;
    bytes += page.byteLength();
  }
  return bytes;
}

function bytesWithin({ chunks }: Page, offset: number): number {
  let bytes = 0;
  let rest = offset;
  for (const chunk of chunks) {
    const { text } = chunk;
    if (rest < text.length) return bytes + utf8Length(text.slice(0, rest));
    rest -= text.length;
    bytes += byteLengthOf(chunk);
  }
  return bytes;
}

/**
 * The source of a task's block.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function blockOf(document: PlanDocument, id: TaskId): string {
  const { start, end } = findTask(document, id).task;
  return sourceAt(document, start, end);
}

/** The version of a document in which some chunks have taken the place of others. */
function successor(document: PlanDocument, { pages, removed, added }: Respliced, text?: string): PlanDocument {
  const keepsNames = sameIn(removed, added, ({ tasks }) => tasks.map(({ id, title }) => id ?? `? ${title}`));
  const keepsHeadings = sameIn(removed, added, ({ headings }) =>
    headings.map(({ level, title }) => `${level} ${title}`),
  );
  const ids = carryIndex(document.ids, document.pages, pages);
  return documentOf(pages, {
    ...(ids !== undefined && { ids }),
    ...(text !== undefined && { text }),
    ...(keepsNames && { names: document.names }),
    ...(keepsHeadings && { phaseLevel: document.phaseLevel }),
  });
}

const sameIn = (before: readonly Chunk[], after: readonly Chunk[], facts: (chunk: Chunk) => string[]): boolean =>
  before.flatMap(facts).join("\n") === after.flatMap(facts).join("\n");

/** What is known of a document and need not be found out. */
interface Known extends Partial<Pick<PlanDocument, "text" | "names" | "phaseLevel" | "ids">> {
  /** Pages of the version that this one differs from in a box. */
  readonly ticked?: readonly Page[];
}

function documentOf(read: readonly Page[], known: Known): PlanDocument {
  const pages = read.length > 0 ? read : pagesOf(cutDocument(""));
  let { text, names, phaseLevel: level, ids, ticked } = known;
  let plan: Plan | undefined;
  const document: PlanDocument = {
    pages,
    get names() {
      names ??= nameTasks(pages);
      return names;
    },
    get phaseLevel() {
      if (level === undefined) level = phaseLevel(pages.flatMap(({ headings }) => headings));
      return level;
    },
    get ids() {
      ids ??= indexPages(pages);
      return ids;
    },
    get text() {
      text ??= pages.flatMap(({ chunks }) => chunks.map((chunk) => chunk.text)).join("");
      return text;
    },
    get plan() {
      plan ??= planOf(document, ticked);
      ticked = undefined;
      return plan;
    },
  };
  return document;
}

function planOf(layout: Layout, ticked: readonly Page[] | undefined): Plan {
  const tasks = placeAll(layout, ticked);
  let phases: Plan["phases"] | undefined;
  let problems: Plan["problems"] | undefined;
  let dialect: Plan["dialect"] | undefined;
  return {
    tasks,
    get phases() {
      phases ??= placePhases(layout, tasks);
      return phases;
    },
    get dialect() {
      dialect ??= readDialect(this);
      return dialect;
    },
    get problems() {
      problems ??= findProblems(
        layout.pages.flatMap(({ chunks }) => chunks),
        tasks,
      );
      return problems;
    },
  };
}

function touchesPreamble(pages: readonly Page[], { start }: Edit, from: number, middle: string): boolean {
  const first = chunkOf(pages, 0) as Chunk;
  const second = chunkOf(pages, 1);
  const length = first.isPreamble ? first.text.length : 0;
  if (length > 0 && start <= length) return true;
  if (length > 0 && !first.text.endsWith("\uFEFF")) return false;
  // A thematic break at the very start may become front matter by what follows it, however far.
  const head = length > 0 ? second : first;
  return mayHavePreamble(from <= (length > 0 ? 1 : 0) ? middle : (head as Chunk).text);
}

/** A copy that does not keep the whole text alive which it is a part of, as slices do in V8. */
const detached = (text: string): string => ` ${text}`.slice(1);
