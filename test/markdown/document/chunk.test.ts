import { describe, expect, it } from "vitest";
import { type Chunk, fieldsOf, preambleChunk, tickChunk, utf8Length } from "../../../src/markdown/document/chunk.ts";
import { cutDocument } from "../../../src/markdown/document/cut-chunks.ts";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";

const chunkOf = (text: string): Chunk => {
  const [chunk, ...others] = cutDocument(text);
  expect(others).toEqual([]);
  return chunk as Chunk;
};

describe("a chunk", () => {
  it("holds the fields of its tasks", () => {
    for (const ending of ["\n", "\r\n"]) {
      const chunk = chunkOf(`- [ ] 1 One${ending}  - **Do**: it${ending}`);
      expect(chunk.fields).toEqual([{ do: "it" }]);
      expect(fieldsOf(chunk, 0)).toBe(chunk.fields?.[0]);
      expect(chunk.isPreamble).toBe(false);
    }
  });

  it("may be a preamble, which says nothing", () => {
    expect(preambleChunk("---\na: 1\n---\n")).toMatchObject({
      ...{ isPreamble: true, tasks: [], headings: [], oddities: [], unnamed: 0, lines: 3 },
    });
  });
});

describe("tickChunk", () => {
  const text = "- [ ] 1 One\n  - **Do**: it\n";

  it.each(["x", "X"])("puts %s in a box, and leaves all else as it is", (character) => {
    const chunk = chunkOf(text);
    const ticked = tickChunk(chunk, 3, character);
    expect(ticked?.text).toBe(text.replace("[ ]", `[${character}]`));
    expect(ticked?.tasks).toEqual([{ ...chunk.tasks[0], done: true }]);
    expect(ticked?.fields).toBe(chunk.fields);
    const open = tickChunk(ticked as Chunk, 3, " ");
    expect([open?.text, open?.tasks]).toEqual([text, chunk.tasks]);
  });

  it("ticks a task that stands in another, whose fields are read again when they are asked for", () => {
    const chunk = chunkOf("- [ ] 1 One\n  - **Do**:\n    - [ ] 1.1 Two\n");
    const ticked = tickChunk(chunk, chunk.text.lastIndexOf("[") + 1, "x") as Chunk;
    expect(ticked.tasks.map(({ id, done }) => [id, done])).toEqual([
      ["1", false],
      ["1.1", true],
    ]);
    expect(fieldsOf(chunk, 0)).toEqual({ do: "- [ ] 1.1 Two" });
    expect(ticked.fields).toBeNull();
    expect(fieldsOf(ticked, 0)).toEqual({ do: "- [x] 1.1 Two" });
  });

  it.each([
    ["the character is no tick", text, 3, "-"],
    ["the character is none", text, 3, ""],
    ["the character is more than one", text, 3, "x]"],
    ["the place is no box", text, 6, "x"],
    ["the place is a box of no task", "- [ ] 1 One\n  - [ ] check\n", text.indexOf("- **") + 3, "x"],
    ["the box is in progress", "- [-] 1 One\n", 3, "x"],
    ["no blank is behind the box", "- [ ]1 One\n", 3, "x"],
  ])("leaves it to a reader where %s", (_, source, box, character) => {
    expect(tickChunk(chunkOf(source), box, character)).toBeNull();
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
