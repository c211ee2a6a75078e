import { describe, expect, it } from "vitest";
import { differingChunks } from "../../../src/markdown/document/differing-chunks.ts";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";

const line = (n: number) => `- [ ] ${n} Task\n`;
const text = Array.from({ length: 600 }, (_, n) => line(n)).join("");
const before = openPlan(text);

/** What differs after lines were put in place of some. */
function differing(from: number, to: number, lines: string) {
  const start = text.indexOf(line(from));
  const end = text.indexOf(line(to));
  const after = applyEdit(before, { start, end, text: lines });
  const runs = differingChunks(before.pages, after.pages);
  const said = (run: (typeof runs)["before"]) => ({ ...run, chunks: run.chunks.map((chunk) => chunk.text) });
  return { before: said(runs.before), after: said(runs.after), offset: start };
}

describe("differingChunks", () => {
  it.each([
    ["the first page", 10],
    ["the middle", 300],
    ["the last page", 590],
  ])("finds the chunk in %s that an edit has changed, and what stands before it", (_, index) => {
    const { offset, ...runs } = differing(index, index + 1, "- [ ] 1000 Other\n");
    expect(runs).toEqual({
      before: { chunks: [line(index)], offset, index },
      after: { chunks: ["- [ ] 1000 Other\n"], offset, index },
    });
  });

  it("finds what came, and what went", () => {
    const { offset, ...came } = differing(300, 300, line(1000) + line(1001));
    expect(came.before.chunks).toEqual([line(300)]);
    expect(came.after).toEqual({ chunks: [line(1000), line(1001), line(300)], offset, index: 300 });
    const went = differing(300, 302, "");
    expect(went.before).toEqual({ chunks: [line(300), line(301)], offset, index: 300 });
    expect(went.after).toEqual({ chunks: [], offset, index: 300 });
  });

  it("finds nothing where nothing differs", () => {
    const { before: one, after: other } = differingChunks(before.pages, before.pages);
    expect([one, other]).toEqual([
      { chunks: [], offset: text.length, index: 600 },
      { chunks: [], offset: text.length, index: 600 },
    ]);
  });
});
