import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWithTail } from "../../../src/markdown/blocks/parse-blocks.ts";
import { createChunk } from "../../../src/markdown/document/chunk.ts";
import { cutChunks, cutDocument, mayFollow } from "../../../src/markdown/document/cut-chunks.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { readFields } from "../../../src/markdown/tasks/read-fields.ts";
import { documents, tornTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

/** What a text says, moved by an offset and by lines. */
function saying(text: string, offset = 0, line = 0) {
  const { tasks, headings, oddities } = readBlocks(text);
  return {
    tasks: tasks.map((task) => ({
      ...{ id: task.id, title: task.title, done: task.done, depth: task.depth, fields: readFields(text, task) },
      ...{ start: task.start + offset, end: task.end + offset, box: task.box + offset, line: task.line + line },
    })),
    headings: headings.map((heading) => ({ ...heading, start: heading.start + offset, line: heading.line + line })),
    oddities: oddities.map(({ rule, line: at }) => ({ rule, line: at + line })),
  };
}

const texts = (text: string): string[] => cutDocument(text).map((chunk) => chunk.text);

describe("mayFollow, for every text", () => {
  prop("lets follow what reads the same alone", [fc.oneof(documents, tornTexts), fc.nat()], (text, place) => {
    const { starts } = parseWithTail(text);
    const start = starts[place % starts.length] as number;
    const [before, behind] = [text.slice(0, start), text.slice(start)];
    if (start === 0 || !mayFollow(createChunk(before, parseWithTail(before)), behind)) return;
    const [one, other] = [saying(before), saying(behind, start, place % starts.length)];
    expect(saying(text)).toEqual({
      tasks: [...one.tasks, ...other.tasks],
      headings: [...one.headings, ...other.headings],
      oddities: [...one.oddities, ...other.oddities],
    });
  });
});

describe("cutChunks, for every text", () => {
  prop("gives chunks that may follow each other", [fc.oneof(documents, tornTexts)], (text) => {
    const chunks = cutChunks(text);
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
    chunks.forEach((chunk, index) => {
      expect(mayFollow(chunks[index - 1], chunk.text)).toBe(true);
    });
  });
});

describe("cutDocument", () => {
  it("gives an empty document an empty chunk", () => {
    expect(texts("")).toEqual([""]);
  });

  it("gives a chunk of its own to every item of the root that has a box", () => {
    const items = ["1. [ ] 1 One\n   - a\n", " 2. [x] 2 Two\n", "3) [ ] 3 Three\n\n", "  - [ ] 4 Four\n    - b\n"];
    expect(texts(items.join(""))).toEqual(items);
  });

  it("keeps items together that stand in each other", () => {
    const text = "1. [ ] 1 One\n   - [ ] 1.1 Sub\n   2. [ ] 1.2 Sub\n";
    expect(texts(text)).toEqual([text]);
    expect(texts("- [ ] 1 One\n  1. [ ] 1.1 Sub\n - [ ] 2 Two\n")).toEqual([
      "- [ ] 1 One\n  1. [ ] 1.1 Sub\n",
      " - [ ] 2 Two\n",
    ]);
  });

  it("keeps a number with the paragraph that it does not end", () => {
    expect(texts("text\n2. [ ] 2 Two\n1. [ ] 1 One\n")).toEqual(["text\n2. [ ] 2 Two\n", "1. [ ] 1 One\n"]);
    expect(texts("text\n\n2. [ ] 2 Two\n")).toHaveLength(2);
    expect(texts("text\n - [ ] 2 Two\n")).toEqual(["text\n", " - [ ] 2 Two\n"]);
  });

  it("goes on to where a fence or a comment closes", () => {
    const open = "- [ ] 1 One\n\n```\n# a\n- [ ] b\n```\n";
    expect(texts(`${open}- [ ] 2 Two\n`)).toEqual([open, "- [ ] 2 Two\n"]);
    expect(texts("<!--\n# a\n\n# b\n-->\n# c\n")).toEqual(["<!--\n# a\n\n# b\n-->\n", "# c\n"]);
    expect(texts("a\n<div>\n# b\n\n# c\n")).toEqual(["a\n<div>\n# b\n\n", "# c\n"]);
  });

  it("puts headings that follow each other together", () => {
    expect(texts("# a\n\n## b\n\n- [ ] 1 One\n")).toEqual(["# a\n\n## b\n\n", "- [ ] 1 One\n"]);
    expect(texts(`# ${"a".repeat(80)}\n## b\n`)).toHaveLength(2);
  });
});
