import { describe, expect, it } from "vitest";
import { type Chunk, readChunk, tickChunk, utf8Length } from "../../../src/markdown/document/chunk.ts";
import { chunkEnd, cutDocument } from "../../../src/markdown/document/cut-chunks.ts";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";

const chunkOf = (text: string): Chunk => {
  const [chunk, ...others] = cutDocument(text);
  expect(others).toEqual([]);
  return chunk as Chunk;
};
const texts = (text: string): string[] => cutDocument(text).map((chunk) => chunk.text);

describe("a chunk", () => {
  it("holds the fields of its tasks", () => {
    for (const ending of ["\n", "\r\n", "\r"]) {
      const text = `- [ ] 1 One${ending}  - **Do**: it${ending}`;
      expect(chunkOf(text).tasks.map(({ fields }) => fields)).toEqual([{ do: "it" }]);
      expect(readChunk(text)).toEqual(chunkOf(text));
    }
  });

  it("counts its lines and bytes, and keeps no block", () => {
    const chunk = chunkOf("- [ ] 1 \u00f6\r\n\r\n  - [ ] 1.1 b\r\n");
    expect(chunk).toMatchObject({ lines: 3, bytes: 29, open: null });
    expect(chunk.tasks.map((task) => Object.keys(task))).toEqual(
      Array(2).fill(["id", "markers", "title", "done", "start", "end", "box", "line", "depth", "fields"]),
    );
  });

  it("tells where it ends in code or HTML that nothing closes", () => {
    expect(chunkOf("a\n\n```\nb\n").open).toBe(3);
    expect(chunkOf("a\n\n<!-- b\n").open).toBe(3);
    expect(chunkOf("a\n\n```\nb\n```\n").open).toBeNull();
    expect(chunkOf("- [ ] 1 a\n  ```\n").open).toBeNull();
  });
});

describe("cutDocument", () => {
  it("gives an empty document no chunk", () => {
    expect(texts("")).toEqual([]);
  });

  it.each(["---\na: 1\n---\n", "\uFEFF", "\uFEFF---\na: 1\n---\n"])(
    "gives the preamble %j a chunk, which says nothing",
    (text) => {
      const [preamble, ...others] = cutDocument(`${text}# One\n`);
      expect(others).toHaveLength(1);
      expect(preamble).toMatchObject({ text, tasks: [], headings: [], oddities: [], open: null });
      expect(preamble?.lines).toBe(text.split("\n").length - 1);
    },
  );

  it("gives a chunk of its own to every heading and every task at the margin", () => {
    const parts = [
      "Words\n\n",
      "# One\n\ntext\n\n",
      "- [ ] 1 One\n  - a\n",
      "- [x] 2 Two\n\n",
      "2. [ ] 3 Three\n",
      "## Two\n",
    ];
    expect(texts(parts.join(""))).toEqual(parts);
    let at = 0;
    for (const { length } of parts) {
      expect(chunkEnd(parts.join(""), at)).toBe(at + length);
      at += length;
    }
  });
});

describe("tickChunk", () => {
  const text = "- [ ] 1 One\n  - **Do**: it\n";

  it.each(["x", "X"])("puts %s in a box, and leaves all else as it is", (character) => {
    const chunk = chunkOf(text);
    const ticked = tickChunk(chunk, 3, character);
    expect(ticked?.text).toBe(text.replace("[ ]", `[${character}]`));
    expect(ticked?.tasks).toEqual([{ ...chunk.tasks[0], done: true }]);
    expect(ticked?.tasks[0]?.fields).toBe(chunk.tasks[0]?.fields);
    const open = tickChunk(ticked as Chunk, 3, " ");
    expect([open?.text, open?.tasks]).toEqual([text, chunk.tasks]);
  });

  it.each([
    ["the character is no tick", text, 3, "-"],
    ["the character is none", text, 3, ""],
    ["the character is more than one", text, 3, "x]"],
    ["the place is no box", text, 6, "x"],
    ["other tasks stand in it", "- [ ] 1 One\n  - **Do**:\n    - [ ] 1.1 Two\n", 3, "x"],
    ["there is no task", "# One\n", 3, "x"],
    ["the place is a box of no task", "- [ ] 1 One\n  - [ ] check\n", text.indexOf("- **") + 3, "x"],
    ["the box is in progress", "- [-] 1 One\n", 3, "x"],
    ["no blank is behind the box", "- [ ]1 One\n", 3, "x"],
  ])("leaves it to a reader where %s", (_, source, box, character) => {
    expect(tickChunk(readChunk(source), box, character)).toBeNull();
    const edited = applyEdit(openPlan(source), { start: box, end: box + 1, text: character });
    const after = `${source.slice(0, box)}${character}${source.slice(box + 1)}`;
    expect(edited.text).toBe(after);
    expect(edited.plan.tasks).toEqual(openPlan(after).plan.tasks);
  });
});

describe("utf8Length", () => {
  it.each([
    ["", 0],
    ["\x7f", 1],
    ["\x80", 2],
    ["\u07ff", 2],
    ["\u0800", 3],
    ["\uffff", 3],
    ["\u{10000}", 4],
    ["\ud800", 3],
  ])("of %j is %d", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
    expect(utf8Length(`a${text}bé`)).toBe(bytes + 4);
  });
});
