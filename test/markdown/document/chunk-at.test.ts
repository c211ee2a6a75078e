import { describe, expect, it } from "vitest";
import { chunkAt, sourceAt } from "../../../src/markdown/document/chunk-at.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";

const line = (n: number) => `- [ ] ${n} Task\n`;

describe("chunkAt", () => {
  it("finds the chunk of each character, on whichever page it is", () => {
    const document = openPlan(Array.from({ length: 400 }, (_, n) => line(n)).join(""));
    expect(document.pages.length).toBeGreaterThan(2);
    let offset = 0;
    for (let index = 0; index < 400; index += 1) {
      const { length } = line(index);
      for (const at of [offset, offset + length - 1]) {
        expect(chunkAt(document, at)).toMatchObject({ chunk: { text: line(index) }, index, offset });
      }
      expect(sourceAt(document, offset + 6, offset + length)).toBe(`${index} Task\n`);
      offset += length;
    }
    expect(chunkAt(document, offset)).toMatchObject({ index: 399, offset: offset - line(399).length });
  });
});
