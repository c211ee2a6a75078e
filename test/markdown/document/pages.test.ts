import { describe, expect, it } from "vitest";
import type { Chunk } from "../../../src/markdown/document/chunk.ts";
import { cutChunks } from "../../../src/markdown/document/cut-chunks.ts";
import type { Page } from "../../../src/markdown/document/page.ts";
import { chunkOf, pagesOf, splicePages } from "../../../src/markdown/document/pages.ts";

const chunksFrom = (from: number, to: number): Chunk[] =>
  cutChunks(Array.from({ length: to - from }, (_, n) => `- [ ] ${from + n} Task\n`).join(""));
const chunks = chunksFrom(0, 512);
const pages = pagesOf(chunks);
const sizes = (all: readonly Page[]) => all.map((page) => page.chunks.length);
const flat = (all: readonly Page[]) => all.flatMap((page) => page.chunks);

describe("pages", () => {
  it("hold all chunks in order", () => {
    expect(sizes(pages)).toEqual([128, 128, 128, 128]);
    chunks.forEach((chunk, index) => {
      expect(chunkOf(pages, index)).toBe(chunk);
    });
    expect(chunkOf(pages, 512)).toBeUndefined();
    expect(sizes(pagesOf(chunksFrom(0, 300)))).toEqual([100, 100, 100]);
  });
});

describe("splicePages", () => {
  it.each([
    ["one page", 200, 210, 5],
    ["most of a page", 130, 250, 1],
    ["a whole page", 128, 256, 0],
    ["several pages", 100, 400, 2],
    ["the last page", 384, 512, 0],
    ["the end", 512, 512, 400],
    ["all", 0, 512, 0],
  ])("puts chunks in place of those of %s", (_, from, to, count) => {
    const added = chunksFrom(1000, 1000 + count);
    const spliced = splicePages(pages, from, to, added);
    expect(flat(spliced)).toEqual(chunks.toSpliced(from, to - from, ...added));
    for (const size of sizes(spliced)) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(256);
    }
  });

  it("makes a page anew, and leaves its neighbours alone", () => {
    for (const count of [0, 2, 50]) {
      const spliced = splicePages(pages, 150, 151, chunksFrom(1000, 1000 + count));
      expect(sizes(spliced)).toEqual([128, 127 + count, 128, 128]);
      expect([spliced[0], spliced[2], spliced[3]]).toEqual([pages[0], pages[2], pages[3]]);
      expect(spliced[2]).toBe(pages[2]);
    }
  });

  it("keeps what is known of a page in which one chunk takes the place of one that adds up to the same", () => {
    const [other] = cutChunks("- [x] 150 Task\n");
    const spliced = splicePages(pages, 150, 151, [other as Chunk]);
    expect(flat(spliced)).toEqual(chunks.with(150, other as Chunk));
    expect(spliced[1]?.ids).toBe(pages[1]?.ids);
    const two = splicePages(pages, 150, 152, [other as Chunk]);
    expect(flat(two)).toEqual(chunks.toSpliced(150, 2, other as Chunk));
    expect(two[1]?.ids).not.toBe(pages[1]?.ids);
  });

  it("joins a page that shrinks with the one behind it", () => {
    const spliced = splicePages(pages, 130, 250, []);
    expect(sizes(spliced)).toEqual([128, 136, 128]);
    expect(spliced[0]).toBe(pages[0]);
    expect(spliced[2]).toBe(pages[3]);
  });
});
