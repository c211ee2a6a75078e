import assert from "node:assert/strict";
import { appendEntry } from "../../../src/markdown/progress/append-entry.ts";
import { mergeProgress } from "../../../src/markdown/progress/merge-progress.ts";
import { parseSignal } from "../../../src/parse/parse-signal.ts";
import type { ProgressEntry } from "../../../src/ports/documents.ts";
import { assertReadable } from "./assert-readable.ts";
import { readDocument } from "./read-document.ts";
import { pureSink } from "./sink.ts";

export const sampleLog = `# Progress

## Reality Check (BEFORE)
**Reproduction command**: \`npm test\`

## Completed Tasks
- [x] 0.9 Before

## Learnings
- It was there before
`;

export const entriesOf = (text: string): readonly ProgressEntry[] => [
  { kind: "completed", task: "1.1", title: text, commit: text },
  { kind: "completed", task: "1.1", title: text, commit: null },
  { kind: "suggestion", task: "1.1", text },
  { kind: "pull-request", number: 7, text },
  { kind: "reality", task: "1.1", command: text, exitCode: 1, output: text },
  { kind: "reality", task: "1.1", command: "npm test", exitCode: null, output: `${text}\nlast` },
];

export const progressSink = pureSink("progress log", (text) => {
  for (const before of [sampleLog, sampleLog.replaceAll("\n", "\r\n"), ""]) {
    for (const entry of entriesOf(text)) assertOnlyAdds(before, appendEntry(before, entry), entry);
  }
});

export const memberLogSink = pureSink("log of a member of a batch", (text) => {
  for (const member of [text, `- ${text}`, `## Learnings\n${text}`, `## ${text}\n\nx`, `\`\`\`\n${text}\n`]) {
    const after = mergeProgress(sampleLog, member);
    assertIsKept(sampleLog, after);
    assertReadable(after);
    assert.equal(readDocument(after).count("html_block"), 0, "HTML");
  }
});

const own = ["Reality Check (AFTER)", "Completed Tasks", "Review Suggestions", "Pull Request"];

function assertOnlyAdds(before: string, after: string, { kind }: ProgressEntry): void {
  assertIsKept(before, after);
  assertReadable(after);
  const [was, is] = [readDocument(before), readDocument(after)];
  assert.deepEqual(
    is.headings.filter((title) => !own.includes(title)),
    was.headings.filter((title) => !own.includes(title)),
  );
  assert.equal(is.count("html_block", "html_inline", "link", "image", "thematic_break"), 0, "another construct");
  assert.ok(is.count("code_block") - was.count("code_block") <= (kind === "reality" ? 1 : 0), "an additional fence");
  const boxes = (text: string): number =>
    text.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter((line) => /[-*+] \[[ xX]\]/.test(line)).length;
  assert.ok(boxes(after) - boxes(before) <= (kind === "completed" ? 1 : 0), "an additional box");
  for (const role of ["executor", "verifier"] as const) assert.notEqual(parseSignal(after, role), "complete");
}

export function assertIsKept(before: string, after: string): void {
  let at = 0;
  for (const line of before.split(/(?<=\n)/)) {
    const found = after.indexOf(line.trimEnd(), at);
    assert.ok(found >= 0, `an earlier line is gone: ${line}`);
    at = found + line.trimEnd().length;
  }
}
