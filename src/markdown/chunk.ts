import type { Task, TaskFields } from "../model/task.ts";
import { countEndings, type LineEnding } from "./line-ending.ts";
import { type BlockReading, type FoundTask, type Reading, readBlocks } from "./read-blocks.ts";
import { readFields } from "./read-fields.ts";
import { skimChunk } from "./skim-chunk.ts";
import { skimFields } from "./skim-fields.ts";

/** A part of a document that reads the same alone as within the document. Shared between versions of it. */
export interface Chunk extends Reading {
  readonly text: string;
  /** Front matter or a byte order mark. */
  readonly isPreamble: boolean;
  /** Whether all its tasks have a written id. */
  readonly isNamed: boolean;
  readonly endings: Readonly<Record<LineEnding, number>>;
  /** Line endings. */
  readonly lines: number;
  /** Length in UTF-8. */
  readonly byteLength: () => number;
  readonly fieldsOf: (index: number) => TaskFields;
  /** The tasks as they were placed last, to be shared by versions that agree on the place. */
  placed: Placement | null;
}

/** Where a chunk stood in a document, and its tasks there. */
export interface Placement {
  readonly offset: number;
  readonly line: number;
  readonly phase: string | null;
  readonly tasks: readonly Task[];
}

const nothing: Reading = { tasks: [], headings: [], oddities: [], open: null };

/** Read a chunk: without a parser if it can be, with one else. */
export function createChunk(text: string, isPreamble = false): Chunk {
  const reading = isPreamble ? nothing : (skimChunk(text) ?? withoutBlocks(readBlocks(text)));
  const endings = countEndings(text);
  let bytes: number | undefined;
  let fields: readonly TaskFields[] | undefined;
  return {
    // Listed one by one: objects made with a spread or accessors are slow to read, and every edit looks at all chunks.
    tasks: reading.tasks,
    headings: reading.headings,
    oddities: reading.oddities,
    open: reading.open,
    text,
    isPreamble,
    isNamed: reading.tasks.every(({ id }) => id !== null),
    endings,
    lines: endings["\n"] + endings["\r\n"] + endings["\r"],
    placed: null,
    byteLength: () => {
      bytes ??= utf8Length(text);
      return bytes;
    },
    fieldsOf: (index) => {
      fields ??= readAllFields(text, reading.tasks);
      return fields[index] as TaskFields;
    },
  };
}

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

function readAllFields(text: string, tasks: readonly FoundTask[]): readonly TaskFields[] {
  const [only] = tasks;
  const skimmed = tasks.length === 1 && only?.start === 0 ? skimFields(text.slice(0, only.end)) : null;
  return skimmed === null ? readBlocks(text).tasks.map((task) => readFields(text, task)) : [skimmed];
}

/** Trees are large and wanted only when a field is: they are read again then. */
const withoutBlocks = ({ tasks, ...reading }: BlockReading): Reading => ({
  ...reading,
  tasks: tasks.map(({ item: _item, owned: _owned, ...task }) => task),
});
