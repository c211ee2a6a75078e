import { type Splice, spliceOf } from "../../model/splice.ts";
import type { Chunk } from "./chunk.ts";
import type { Page } from "./page.ts";

/** Neighbouring chunks of a document, and what stands before them. */
export interface ChunkRun {
  readonly chunks: readonly Chunk[];
  /** UTF-16 code units before it. */
  readonly offset: number;
  /** Tasks before it. */
  readonly index: number;
}

/** The chunks that two versions of a document do not share. */
export function differingChunks(
  before: readonly Page[],
  after: readonly Page[],
): { readonly before: ChunkRun; readonly after: ChunkRun } {
  const pages = sharedEnds(before, after);
  const old = before.slice(pages.head, before.length - pages.tail).flatMap(({ chunks }) => chunks);
  const now = after.slice(pages.head, after.length - pages.tail).flatMap(({ chunks }) => chunks);
  const { head, tail } = sharedEnds(old, now);
  let offset = 0;
  let index = 0;
  for (const { length, tasks } of before.slice(0, pages.head)) {
    offset += length;
    index += tasks;
  }
  for (const { text, tasks } of old.slice(0, head)) {
    offset += text.length;
    index += tasks.length;
  }
  return {
    before: { chunks: old.slice(head, old.length - tail), offset, index },
    after: { chunks: now.slice(head, now.length - tail), offset, index },
  };
}

/** What makes the text of one version that of another; null where it is the same. Only what differs is looked at. */
export function spliceBetween(before: readonly Page[], after: readonly Page[]): Splice | null {
  const differing = differingChunks(before, after);
  const [old, now] = [differing.before, differing.after].map(({ chunks }) => chunks.map(({ text }) => text).join(""));
  if (old === now) return null;
  const splice = spliceOf(old as string, now as string);
  return { ...splice, from: splice.from + differing.before.offset };
}

/** How many items two lists share at their ends. */
function sharedEnds<T>(one: readonly T[], other: readonly T[]): { head: number; tail: number } {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { head, tail };
}
