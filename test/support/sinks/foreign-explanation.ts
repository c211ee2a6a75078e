import type { Explanation } from "../../../src/model/explanation.ts";

const at = "2026-01-01T00:00:00.000Z";

export const explanationOf = (text: string): Explanation => ({
  ...{ spec: text, task: text, title: text, madeFor: text, state: "gate", attempted: true },
  facts: [
    { kind: "started", at, start: 1, recovery: ["retry"], changed: [{ name: text, from: text, to: text }] },
    { kind: "delegated", at, task: text, role: "executor", attempt: 1, level: "normal", executor: 0 },
    {
      ...{ kind: "judged", at, task: text, attempt: 1, verdict: "rejected", evidence: null },
      layers: [{ layer: "signal", kind: "rejected", reason: text }],
      verify: { command: text, durationMs: 1 },
    },
    {
      ...{ kind: "failed", at, task: text, attempt: 1 },
      failure: { kind: "task", error: text, attemptedFix: text, status: text, fingerprint: text },
      signs: { strategy: text, findings: [text], admission: text, fileState: text, changed: true },
    },
    { kind: "reviewed", at, task: text, round: 1, passed: false, findings: text },
    { kind: "repaired", at, task: text, strategy: "retry", detail: text, budgetLeft: 1 },
    { kind: "refused", at, task: text, what: "change", reason: text },
    { kind: "changed", at, task: text, change: "SPLIT_TASK", added: [text] },
    { kind: "reported", at, task: text, path: text },
    { kind: "asked", at, task: text, decidable: true, reason: text, hint: text },
    { kind: "told", at, task: text, words: text },
    { kind: "skipped", at, task: text, justification: text },
    { kind: "ended", at, start: 1, outcome: "limit", error: text, denial: null },
  ],
  ways: [
    { kind: "run", command: text },
    { kind: "guide", command: text },
    { kind: "answer", hint: text },
    { kind: "first", task: text, command: text },
  ],
});
