import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applyEdit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import { assertBlocks } from "../block-oracles.ts";
import { dialectPlans } from "../dialect-arbitraries.ts";
import { readingOf } from "../full-reading.ts";
import { documents, fixTexts, tornTexts } from "../markdown-arbitraries.ts";
import { boxedItems, headingsElsewhere } from "../markdown-it-oracle.ts";
import { attempt } from "./insert.ts";
import { property } from "./property.ts";

const id = /^(?:[*`]*)(?:[A-Z]{1,3})?\d+[a-z]?(?:\.\d+[a-z]?)*(?=[.:*`]*(?:\s|$))/;

function assertReadsElsewhere({ text, chunks }: PlanDocument): void {
  const skipped = /^\uFEFF?(?:---\r?\n(?:.*\r?\n)*?---\r?\n)?/.exec(text)?.[0] ?? "";
  const linesBefore = skipped.split("\n").length - 1;
  const lineOf = (offset: number): number => text.slice(0, offset).split(/\r\n|\n|\r/).length;
  const { tasks, headings } = readingOf(chunks);
  const expected = boxedItems(text.slice(skipped.length))
    // Inside a task, a box without an id belongs to a check of the task.
    .filter((item) => item.depth === 0 || id.test(item.text))
    .map(({ line, done, lastLine }) => ({ line: line + linesBefore, done, lastLine: lastLine + linesBefore }));
  assert.deepEqual(
    tasks.map(({ line, done, end }) => ({ line: line + 1, done, lastLine: lineOf(end) })),
    expected,
  );
  assert.deepEqual(
    headings.map(({ line, level, title }) => ({ line: line + 1, level, title })),
    headingsElsewhere(text.slice(skipped.length)).map(({ line, ...heading }) => ({
      ...heading,
      line: line + linesBefore,
    })),
  );
}

export const structureProperties = [
  property(
    "blocks are those that commonmark.js reads",
    100_000,
    fc.oneof(documents, tornTexts, tornTexts),
    (text) => {
      assertBlocks(text);
      return undefined;
    },
    ["+  [a]: b\n[ ] ]", "- [ ] 1.1 Add\n    1. Add\n  -\n  [ ] 4.5 loose\n- [ ] 1.2 Add", "[ ]* \n1) > * "],
  ),

  property("tasks and headings are those that another parser finds", 100_000, dialectPlans, (text) => {
    assertReadsElsewhere(openPlan(text));
    return undefined;
  }),

  property(
    "I6: a plan with a fix has one box more for another parser",
    50_000,
    fc.tuple(dialectPlans, fixTexts, fc.nat(20)),
    ([text, texts, which]) => {
      const document = openPlan(text);
      const found = attempt(document, texts, which);
      if (typeof found === "string") return found;
      const after = applyEdit(document, found.edit);
      assertReadsElsewhere(after);
      assert.equal(boxedItems(after.text).length, boxedItems(text).length + 1);
      return undefined;
    },
  ),
];
