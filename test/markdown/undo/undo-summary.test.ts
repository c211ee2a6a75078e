import { describe, expect, it } from "vitest";
import { appendSummary } from "../../../src/markdown/summary/append-summary.ts";
import { undoSummary } from "../../../src/markdown/undo/undo-log.ts";
import type { SummaryEntry } from "../../../src/model/stuck-report.ts";

const entries: readonly SummaryEntry[] = [
  { kind: "retried", task: "1.3", adjustment: "install the *lexer*" },
  { kind: "exhausted", task: "1.4", attempts: 2, level: null },
  { kind: "decomposed", task: "1.5", parts: 2, leftOut: 0 },
  { kind: "skipped", task: "1.6", justification: "not reachable", by: "operator" },
];
const written = (summary: string): string => entries.reduce(appendSummary, summary);

describe("undoSummary", () => {
  it.each([
    ["no summary", "", null],
    ["a summary of a person", "# Mine\n\nAll went well.\n", undefined],
    [
      "sections with lines of a person",
      "# Mine\n\n## Deviations from Plan\n- None\n\n## Issues Encountered\n- [Node Repair - PRUNE] Task 1.6 skipped: by me\n",
      undefined,
    ],
  ])("restores %s byte for byte", (_, before, after) => {
    const { after: left, removed } = undoSummary(written(before), entries);
    expect(left).toBe(after === undefined ? before : after);
    expect(removed).toHaveLength(5);
  });

  it("keeps what the run has not written, and an empty summary", () => {
    const other = written("");
    expect(undoSummary(other, [{ kind: "exhausted", task: "1.4", attempts: 3, level: null }])).toEqual({
      after: other,
      removed: [],
    });
    for (const empty of ["", "# Summary\n"]) expect(undoSummary(empty, entries)).toEqual({ after: empty, removed: [] });
  });
});
