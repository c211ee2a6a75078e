import { describe, expect, it } from "vitest";
import { type PageStart, startOfPage, startsOfPages } from "../../../src/markdown/document/layout.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";

const headings = new Map([
  [0, "## Phase 1: Core\n"],
  [150, "## Phase 2: Docs\n"],
  [250, "### No phase\n"],
]);
/** Each is read as a chunk. */
const rows = Array.from(
  { length: 450 },
  (_, n) => headings.get(n) ?? (n % 3 === 0 ? `- [ ] Loose ${n}\n` : `- [ ] 1.${n} Task\n`),
);
const document = openPlan(rows.join(""));

function startBehind(before: readonly string[]): PageStart {
  const tasks = before.filter((row) => row.startsWith("- "));
  return {
    offset: before.join("").length,
    line: before.length + 1,
    phase: before.findLast((row) => row.startsWith("## "))?.slice(3, -1) ?? null,
    index: tasks.length,
    unnamed: tasks.filter((row) => row.includes("Loose")).length,
  };
}

/** What stands before each page, told from the rows. */
const expected = document.pages.map((_, number) =>
  startBehind(
    rows.slice(
      0,
      document.pages.slice(0, number).reduce((sum, { chunks }) => sum + chunks.length, 0),
    ),
  ),
);

describe("the starts of pages", () => {
  it("tell what stands before each page", () => {
    expect(expected.map(({ phase }) => phase)).toEqual([...[null, "Phase 1: Core", "Phase 2: Docs", "Phase 2: Docs"]]);
    expect(startsOfPages(document)).toEqual(expected);
  });

  it("are the same when asked for one by one", () => {
    expect(expected.map((_, number) => startOfPage(document, number))).toEqual(expected);
  });
});
