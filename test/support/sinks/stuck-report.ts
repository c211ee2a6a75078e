import assert from "node:assert/strict";
import { addressOf } from "../../../src/model/command-line.ts";
import type { StuckReport } from "../../../src/model/stuck-report.ts";
import { isStuckReport, renderStuckReport } from "../../../src/wording/report/render-stuck-report.ts";
import { boxedItems } from "../markdown-it-oracle.ts";
import { assertReadable } from "./assert-readable.ts";
import { readDocument } from "./read-document.ts";
import { pureSink } from "./sink.ts";

export const reportOf = (text: string): StuckReport => ({
  ...{
    at: 0,
    address: addressOf(text),
    task: { id: text, title: text, current: text },
    phase: text,
    done: 0,
    total: 1,
  },
  ...{
    failures: 3,
    earlier: 2,
    pivots: 1,
    researches: 1,
    races: 1,
    findings: [text, `${text} again`],
    fixes: [text],
    stuck: "same-error",
  },
  approaches: [
    { level: "normal", task: text, strategy: text, error: text },
    { level: "pivot", task: "1.1", strategy: null, error: text },
    { level: "research", task: "1.1", strategy: text, error: "" },
  ],
  repairs: [
    { task: text, directive: { strategy: "escalate", tried: text, decision: text } },
    { task: "1.1", directive: { strategy: "decompose", parts: [text, text] } },
  ],
  progress: { failing: 2, of: 3, was: 1, change: "moved", lost: [text], gained: [text], best: 1 },
  failing: [text, `${text} again`],
  ...{ lastError: text, rejected: text, sameErrors: 3, status: text, admission: text, changed: [text] },
  isRerun: true,
  verify: { command: text, exitCode: 1, output: text },
  ...{ errorLog: text, contextFiles: [{ name: text, path: text }] },
});

const { headings: sections } = readDocument(renderStuckReport(reportOf("word")));

export const stuckReportSink = pureSink("stuck report", (text) => {
  const report = renderStuckReport(reportOf(text));
  assertReadable(report);
  const { headings, count } = readDocument(report);
  assert.deepEqual(headings, sections);
  assert.ok(isStuckReport(report));
  assert.equal(count("html_block", "html_inline", "link", "image", "thematic_break", "block_quote"), 0);
  assert.ok(count("code_block") <= 1, "an additional fence");
  assert.deepEqual(boxedItems(report), []);
  const lines = report.split(/[\n\r\u2028\u2029\u0085\v\f]/);
  assert.ok(
    !lines.some((line) => /[-*+.)] \[[ xX]\]|<!--|^(?:ALL_TASKS|TASK)_COMPLETE$/.test(line)),
    "a word that machines search for",
  );
});
