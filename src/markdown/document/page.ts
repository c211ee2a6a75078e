import type { TaskId } from "../../model/task.ts";
import type { FoundHeading } from "../tasks/read-blocks.ts";
import type { LineEnding } from "../text/line-ending.ts";
import { byteLengthOf, type Chunk, type Placement } from "./chunk.ts";
import { phaseBehind } from "./phase-behind.ts";
import { placeChunk } from "./place-chunk.ts";

/** Neighbouring chunks and what they add up to, so that an edit looks at pages and not at every chunk. */
export interface Page {
  readonly chunks: readonly Chunk[];
  /** UTF-16 code units. */
  readonly length: number;
  /** Line endings. */
  readonly lines: number;
  readonly endings: Readonly<Record<LineEnding, number>>;
  readonly tasks: number;
  /** Tasks without a written id. */
  readonly unnamed: number;
  readonly headings: readonly FoundHeading[];
  /** Length in UTF-8. */
  readonly byteLength: () => number;
  /** The tasks of the page that have each written id, by their index in it. */
  readonly ids: () => ReadonlyMap<TaskId, readonly number[]>;
  /** The tasks as they were placed last, to be shared by versions that agree on the place. */
  placed: Placement | null;
}

/** Add chunks up. */
export function createPage(chunks: readonly Chunk[]): Page {
  const endings = { "\n": 0, "\r\n": 0, "\r": 0 };
  const headings: FoundHeading[] = [];
  let [length, lines, tasks, unnamed] = [0, 0, 0, 0];
  for (const chunk of chunks) {
    length += chunk.text.length;
    lines += chunk.lines;
    tasks += chunk.tasks.length;
    endings["\n"] += chunk.endings["\n"];
    endings["\r\n"] += chunk.endings["\r\n"];
    endings["\r"] += chunk.endings["\r"];
    unnamed += chunk.unnamed;
    for (const heading of chunk.headings) headings.push(heading);
  }
  let ids: ReadonlyMap<TaskId, readonly number[]> | undefined;
  return {
    chunks,
    length,
    lines,
    endings,
    tasks,
    unnamed,
    headings,
    byteLength: bytesIn(chunks),
    ids: () => {
      ids ??= indexIds(chunks);
      return ids;
    },
    placed: null,
  };
}

/**
 * A page with one chunk in place of another. Where that adds up to the same, as after a tick, nothing else is looked
 * at; null where it does not.
 */
export function exchangeChunk(page: Page, index: number, chunk: Chunk): Page | null {
  const old = page.chunks[index] as Chunk;
  if (!addsUpAlike(old, chunk)) return null;
  const chunks = page.chunks.with(index, chunk);
  const byteLength = byteLengthOf(chunk) === byteLengthOf(old) ? page.byteLength : bytesIn(chunks);
  const { placed } = page;
  if (placed === null) return { ...page, chunks, byteLength, placed };
  const { first, place } = placeOn(page, placed, index);
  const tasks = placed.tasks.toSpliced(first, chunk.tasks.length, ...placeChunk(chunk, place));
  return { ...page, chunks, byteLength, placed: { ...placed, tasks } };
}

/** Where a chunk stands in a document, by its index on a page that stands there, and the index of its first task. */
function placeOn({ chunks }: Page, placed: Placement, index: number) {
  const { phaseLevel, names } = placed;
  let { offset, line, phase } = placed;
  let first = 0;
  let unnamed = 0;
  for (let at = 0; at < index; at += 1) {
    const before = chunks[at] as Chunk;
    offset += before.text.length;
    line += before.lines;
    phase = phaseBehind(before.headings, phaseLevel, phase);
    first += before.tasks.length;
    unnamed += before.unnamed;
  }
  const own = names.slice(unnamed, unnamed + (chunks[index] as Chunk).unnamed);
  return { first, place: { offset, line, phase, phaseLevel, names: own } };
}

const addsUpAlike = (one: Chunk, other: Chunk): boolean =>
  one.tasks.length > 0 &&
  one.headings.length === 0 &&
  other.headings.length === 0 &&
  one.text.length === other.text.length &&
  one.lines === other.lines &&
  one.endings["\n"] === other.endings["\n"] &&
  one.endings["\r\n"] === other.endings["\r\n"] &&
  one.tasks.length === other.tasks.length &&
  one.tasks.every(({ id }, index) => id === other.tasks[index]?.id);

/** A sum that is made when it is wanted. */
function bytesIn(chunks: readonly Chunk[]): () => number {
  let bytes: number | undefined;
  return () => {
    bytes ??= chunks.reduce((sum, chunk) => sum + byteLengthOf(chunk), 0);
    return bytes;
  };
}

function indexIds(chunks: readonly Chunk[]): ReadonlyMap<TaskId, readonly number[]> {
  const indexes = new Map<TaskId, number[]>();
  let index = 0;
  for (const { tasks } of chunks) {
    for (const { id } of tasks) {
      const same = id === null ? undefined : indexes.get(id);
      if (same !== undefined) same.push(index);
      else if (id !== null) indexes.set(id, [index]);
      index += 1;
    }
  }
  return indexes;
}

/** The index on a page of its n-th task without a written id, from 0. */
export function indexOfUnnamed({ chunks }: Page, number: number): number {
  let index = -1;
  let rest = number;
  for (const { tasks } of chunks) {
    for (const { id } of tasks) {
      index += 1;
      if (id === null) rest -= 1;
      if (rest < 0) return index;
    }
  }
  return index;
}
