import { describe, expect, it } from "vitest";
import { type Chunk, tickChunk } from "../../../src/markdown/document/chunk.ts";
import { cutChunks } from "../../../src/markdown/document/cut-chunks.ts";
import { createPage, exchangeChunk, indexOfUnnamed, type Page } from "../../../src/markdown/document/page.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";

const text = "- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n";

/** The only page of the plan, with one of its tasks ticked. */
function ticked(page: Page, index: number): Page | null {
  return exchangeChunk(page, index, tickChunk(page.chunks[index] as Chunk, 3, "x") as Chunk);
}

const pageOf = (source: string): Page => createPage(cutChunks(source));

describe("createPage", () => {
  const mixed = "# A\n- [ ] 1 One\r\n- [ ] Two é\r- [ ] 1 Again\n\n# B\n- [ ] Three\n";

  it("adds its chunks up", () => {
    const page = pageOf(mixed);
    expect(page.chunks.length).toBeGreaterThan(3);
    expect(page).toMatchObject({
      ...{ length: mixed.length, lines: 7, endings: { "\n": 5, "\r\n": 1, "\r": 1 }, tasks: 4, unnamed: 2 },
      headings: [{ title: "A" }, { title: "B" }],
      placed: null,
    });
    expect(page.byteLength()).toBe(mixed.length + 1);
    expect(page.byteLength()).toBe(mixed.length + 1);
  });

  it("knows its tasks by their ids, and those without one by their number", () => {
    const page = pageOf(mixed);
    expect([...page.ids()]).toEqual([["1", [0, 2]]]);
    expect(page.ids()).toBe(page.ids());
    expect([indexOfUnnamed(page, 0), indexOfUnnamed(page, 1)]).toEqual([1, 3]);
  });
});

describe("exchangeChunk", () => {
  it.each([
    ["is longer", "- [ ] 1 One\n- [ ] 2 Two\n", "- [ ] 1 Once\n"],
    ["has more lines", "- [ ] 1 One\n  - a b\n- [ ] 2 Two\n", "- [ ] 1 One\n  - a\rb\n"],
    ["ends a line otherwise", "- [ ] 1 One\n\n- [ ] 2 Two\n", "- [ ] 1 One\r\n"],
    ["ends a line in one character", "- [ ] 1 One\r\n- [ ] 2 Two\n", "- [ ] 1 Ones\r"],
    ["ends all lines otherwise", "- [ ] 1 One\n- [ ] 2 Two\n", "- [ ] 1 One\r"],
    ["has more tasks", "- [ ] 1 One\n  - [o] 1.1 A\n- [ ] 2 Two\n", "- [ ] 1 One\n  - [ ] 1.1 A\n"],
    ["has fewer tasks", "- [ ] 1 One\n  - [ ] 1.1 A\n- [ ] 2 Two\n", "- [ ] 1 One\n  - [o] 1.1 A\n"],
    ["has another task in it", "- [ ] 1 One\n  - [ ] 1.1 A\n- [ ] 2 Two\n", "- [ ] 1 One\n  - [ ] 1.2 A\n"],
    ["has a task of another id", "- [ ] 1 One\n- [ ] 2 Two\n", "- [ ] 3 One\n"],
    ["has a task without an id", "- [ ] 1 One\n- [ ] 2 Two\n", "- [ ] a One\n"],
    ["holds a heading", "- [ ] 1 A\n\nB\n--b\n- [ ] 2 Two\n", "- [ ] 1 A\n\nB\n---\n"],
    ["is in place of a heading", "- [ ] 1 A\n\nB\n---\n- [ ] 2 Two\n", "- [ ] 1 A\n\nB\n--b\n"],
  ])("leaves it to others where the new chunk %s", (_, source, text) => {
    const [chunk, ...others] = cutChunks(text);
    expect(others).toEqual([]);
    expect(exchangeChunk(pageOf(source), 0, chunk as Chunk)).toBeNull();
  });

  it("adds its bytes up again where the text is another", () => {
    const page = pageOf("- [ ] 1 One\n- [ ] 2 Two\n");
    expect(page.byteLength()).toBe(24);
    const other = exchangeChunk(page, 0, cutChunks("- [ ] 1 Oné\n")[0] as Chunk);
    expect(other).toMatchObject({ length: 24, tasks: 2, placed: null });
    expect(other?.byteLength()).toBe(25);
    expect(ticked(page, 1)?.byteLength).toBe(page.byteLength);
  });

  it.each([0, 1, 2])("leaves the other tasks of the page where they were placed when number %d is ticked", (index) => {
    const { pages, plan } = openPlan(text);
    const page = ticked(pages[0] as Page, index);
    expect(page?.placed?.tasks).toEqual(plan.tasks.map((task, at) => (at === index ? { ...task, done: true } : task)));
    plan.tasks.forEach((task, at) => {
      expect(page?.placed?.tasks[at] === task).toBe(at !== index);
    });
  });

  it("places nothing where nothing was placed", () => {
    expect(ticked(openPlan(text).pages[0] as Page, 1)?.placed).toBeNull();
  });
});
