import type { Task, TaskFields, TaskId } from "../../model/task.ts";
import type { ParsedBlocks } from "../blocks/parse-blocks.ts";
import { type BlockReading, type Reading, readBlocks } from "../tasks/read-blocks.ts";
import { readFields } from "../tasks/read-fields.ts";
import { countEndings, type LineEnding } from "../text/line-ending.ts";

/** A part of a document that reads the same alone as within the document. Shared between versions of it. */
export interface Chunk extends Reading {
  readonly text: string;
  /** Front matter or a byte order mark. */
  readonly isPreamble: boolean;
  /** Tasks without a written id. */
  readonly unnamed: number;
  readonly endings: Readonly<Record<LineEnding, number>>;
  /** Line endings. */
  readonly lines: number;
  /** Length in UTF-8; null until it is asked for. */
  bytes: number | null;
  /** Of its tasks; null until they are asked for. */
  fields: readonly TaskFields[] | null;
}

/** The tasks of a part of a document in their place. */
export interface Placement {
  /** Where the part begins. */
  readonly offset: number;
  readonly line: number;
  readonly phase: string | null;
  readonly phaseLevel: number | null;
  /** Ids given to its tasks that have none written. */
  readonly names: readonly TaskId[];
  readonly tasks: readonly Task[];
}

/** A chunk from its blocks. */
export function createChunk(text: string, parsed: ParsedBlocks): Chunk {
  const reading = readBlocks(text, parsed);
  // Every run asks for all of them, and the blocks are large: they would have to be kept, or read again.
  const fields = reading.tasks.map((task) => readFields(text, task));
  return chunkOf(text, withoutBlocks(reading), fields);
}

/** A chunk that says nothing. */
export const preambleChunk = (text: string): Chunk => chunkOf(text, nothing, null);

/** @param fields Null for what is no markdown. */
export function chunkOf(
  text: string,
  reading: Reading,
  fields: readonly TaskFields[] | null,
  endings: Chunk["endings"] = countEndings(text),
): Chunk {
  return {
    // Listed one by one: an object made with a spread is slow to read, and every edit looks at many chunks.
    tasks: reading.tasks,
    headings: reading.headings,
    oddities: reading.oddities,
    tail: reading.tail,
    text,
    isPreamble: fields === null,
    unnamed: unnamedIn(reading.tasks),
    endings,
    lines: endings["\n"] + endings["\r\n"] + endings["\r"],
    bytes: null,
    fields: fields ?? [],
  };
}

/** The length of a chunk in UTF-8. */
export function byteLengthOf(chunk: Chunk): number {
  chunk.bytes ??= utf8Length(chunk.text);
  return chunk.bytes;
}

/** The fields of a task of a chunk, by its index there. */
export function fieldsOf(chunk: Chunk, index: number): TaskFields {
  const { text } = chunk;
  chunk.fields ??= readBlocks(text).tasks.map((task) => readFields(text, task));
  return chunk.fields[index] as TaskFields;
}

/**
 * A chunk with another character in the box of one of its tasks; null where that may read differently.
 *
 * @param box Offset of the character in the chunk.
 */
export function tickChunk(chunk: Chunk, box: number, character: string): Chunk | null {
  const isBox = blankOrX.test(character) && boxes.test(chunk.text.slice(box - 1, box + 3));
  const index = isBox ? chunk.tasks.findIndex((task) => task.box === box) : -1;
  const task = chunk.tasks[index];
  if (task === undefined) return null;
  const text = `${chunk.text.slice(0, box)}${character}${chunk.text.slice(box + 1)}`;
  const tasks = chunk.tasks.with(index, { ...task, done: character !== " " });
  // The fields of a task may hold the boxes of those that stand in it.
  return { ...chunk, text, tasks, fields: tasks.length === 1 ? chunk.fields : null };
}

const blankOrX = /^[ xX]$/;
// Behind other boxes a tick may decide where the title starts.
const boxes = /^\[[ xX]\] /;

const nothing: Reading = {
  tasks: [],
  headings: [],
  oddities: [],
  tail: { open: null, itemWidth: 0, inParagraph: false },
};

/** The bytes a text takes in UTF-8; a lone surrogate takes the three of U+FFFD. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

function unnamedIn(tasks: Reading["tasks"]): number {
  let count = 0;
  for (const { id } of tasks) if (id === null) count += 1;
  return count;
}

const withoutBlocks = ({ tasks, ...reading }: BlockReading): Reading => ({
  ...reading,
  tasks: tasks.map(({ item: _item, owned: _owned, ...task }) => task),
});
