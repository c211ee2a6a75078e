import assert from "node:assert/strict";
import { Parser } from "commonmark";
import { type Escalation, noEscalation } from "../../../src/model/escalation.ts";
import type { FailureEvidence } from "../../../src/model/failure.ts";
import { parseDirective } from "../../../src/parse/parse-directive.ts";
import { parseModificationRequest } from "../../../src/parse/parse-modification-request.ts";
import { parseReview } from "../../../src/parse/parse-review.ts";
import { parseSignal } from "../../../src/parse/parse-signal.ts";
import { renderOperatorPrompt } from "../../../src/prompt/render-operator-prompt.ts";
import { renderPrompt } from "../../../src/prompt/render-prompt.ts";
import { renderReviewPrompt } from "../../../src/prompt/render-review-prompt.ts";
import { pureSink } from "./sink.ts";

const spec = { name: "sample", folder: "/work/specs/sample" };
const parser = new Parser();

function promptsOf(text: string): readonly string[] {
  const earlier = [{ attempt: "1.1#1", text, verdict: text }];
  const task = { id: "1.1", title: text, markers: [text], fields: { doneWhen: text, verify: text } };
  const approaches = [
    { level: "pivot" as const, task: "1.1", strategy: text, error: text },
    { level: "normal" as const, task: "1.1", strategy: null, error: text },
  ];
  const check = { tool: text, id: text, file: text, line: 1, message: text, expected: text, actual: text };
  const evidence: FailureEvidence = {
    command: {
      ...{ line: text, exitCode: 1, timedOut: false, source: "tools" },
      ...{ failures: [check, { ...check, id: `${text} again` }], head: text, tail: text },
    },
    ...{ claim: text, findings: text },
  };
  const failing = { stage: "vitest", count: 3, ids: null, ran: 4 };
  const escalation: Escalation = {
    ...{ ...noEscalation, approaches, findings: [text, text], lastError: text, sameErrors: 2 },
    ...{ failing, change: "moved", before: 2, lost: [text], gained: [text], evidence },
  };
  const told = { task, block: text, spec, progress: text, earlier, adjustment: text, guidance: text, escalation };
  const common = { ...told, progressFile: null, requireExecutorTick: true, escalates: true };
  const climb = { attempt: 1, max: 3 };
  return [
    renderPrompt({ ...common, role: "executor" }),
    renderPrompt({ ...common, role: "executor", original: text, maxEvidence: 1000 }),
    renderPrompt({ ...common, role: "verifier", climb: { ...climb, level: "pivot" } }),
    renderPrompt({ ...common, role: "executor", climb: { ...climb, level: "research" } }),
    renderPrompt({ ...common, role: "executor", part: { of: "1.1", number: 1, count: 2, title: text } }),
    renderReviewPrompt({
      ...{ task, block: text, spec, changed: [text], commits: [{ hash: "abc", subject: text }], design: text },
      ...{ requirements: text, findings: [text], round: 1 },
    }),
    renderOperatorPrompt({
      ...{ task, block: text, spec, expected: text, actual: text, phase: text, budget: 2, earlier, refusal: text },
      ...{ goal: text, escalation, maxEvidence: 8000 },
      neighbours: {
        before: [{ id: "1.0", title: text, done: true }],
        after: [{ id: "1.2", title: text, done: false }],
      },
      repairs: [{ task: "1.1", directive: { strategy: "retry", adjustment: text } }],
    }),
  ];
}

const labelled = /^(?:Concluded: |Your previous answer could not be followed: )/;

function linesOutside(prompt: string): readonly string[] {
  const lines: (string | null)[] = prompt.split(/\r\n|\n|\r/);
  const walker = parser.parse(prompt).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    if (step.node.type !== "code_block") continue;
    const [[first], [last]] = step.node.sourcepos;
    for (let line = first; line <= last; line += 1) lines[line - 1] = null;
  }
  return lines.filter((line) => line !== null && line.trim() !== "" && !labelled.test(line)) as string[];
}

const own = promptsOf("word").map((prompt) => new Set(linesOutside(prompt)));

export const promptSink = pureSink("prompts", (text) => {
  for (const [index, prompt] of promptsOf(text).entries()) {
    const stranger = linesOutside(prompt).find((line) => own[index]?.has(line) !== true);
    assert.equal(stranger, undefined, "a line outside of the fences");
    for (const role of ["executor", "verifier", "reviewer"] as const) {
      assert.equal(parseSignal(prompt, role), null, role);
    }
    assert.equal(parseDirective(prompt).kind, "malformed");
    assert.equal(parseModificationRequest(prompt).kind, "none");
    assert.equal(parseReview(prompt).verdict, "none");
  }
});
