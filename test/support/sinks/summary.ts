import assert from "node:assert/strict";
import { appendSummary } from "../../../src/markdown/summary/append-summary.ts";
import type { SummaryEntry } from "../../../src/model/stuck-report.ts";
import { assertReadable } from "./assert-readable.ts";
import { assertIsKept } from "./progress-log.ts";
import { readDocument } from "./read-document.ts";
import { pureSink } from "./sink.ts";

export const summaryEntriesOf = (text: string): readonly SummaryEntry[] => [
  { kind: "retried", task: "1.1", adjustment: text },
  { kind: "skipped", task: "1.1", justification: text, by: "operator" },
  { kind: "decomposed", task: text, parts: 2, leftOut: 0 },
  { kind: "exhausted", task: text, attempts: 3, level: null },
];

const sample = "# Summary\n\n## Deviations from Plan\n- none\n\n## Notes\n\nkept\n";

export const summarySink = pureSink("summary", (text) => {
  for (const before of ["", sample]) {
    for (const entry of summaryEntriesOf(text)) {
      const after = appendSummary(before, entry);
      assertIsKept(before, after);
      assertReadable(after);
      const { headings, count } = readDocument(after);
      const others = headings.filter((title) => title !== "Issues Encountered" && title !== "Deviations from Plan");
      assert.deepEqual(others, before === "" ? ["Summary"] : ["Summary", "Notes"]);
      const sections = entry.kind === "skipped" ? 2 : 1;
      assert.equal(count("item"), sections + (before === "" ? 0 : 1));
      assert.equal(count("html_block", "html_inline", "link", "image", "code_block", "thematic_break"), 0);
    }
  }
});
