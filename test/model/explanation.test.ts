import { describe, expect, it } from "vitest";
import { Explanation, Fact, Way } from "../../src/model/explanation.ts";

const at = "2026-01-01T00:00:00.000Z";
const task = "1.3";
const counted = { count: 1, max: 3 };
const verdict = { kind: "accepted", layers: [], evidence: null } as const;

/** One of each kind, with everything it needs. */
const facts: readonly object[] = [
  { kind: "started", at, start: 1, recovery: ["retry"], changed: [{ name: "maxCost", from: null, to: 2 }] },
  { kind: "ended", at, start: 1, outcome: "complete", error: null, denial: null },
  { kind: "ended", at, start: 1, outcome: "released", error: "x", denial: null },
  { kind: "ended", at, start: 1, outcome: "killed", error: null, denial: null },
  { kind: "delegated", at, task, role: "executor", attempt: 1, level: "normal", executor: 0 },
  { kind: "used", at, task, attempt: 1, usage: { inputTokens: 2, outputTokens: 1, costUsd: 0.5 }, durationMs: 4 },
  {
    ...{ kind: "judged", at, task, attempt: 1, verdict: verdict.kind, layers: [], evidence: null },
    verify: { command: "true", durationMs: 3 },
  },
  {
    ...{ kind: "failed", at, task, attempt: 1, signs: null },
    failure: { kind: "task", error: "x", attemptedFix: "", status: "", fingerprint: "0" },
  },
  { kind: "reviewed", at, task, round: 1, passed: false, findings: "none" },
  ...["retry", "gate", "exhausted"].map((decision) => ({
    ...{ kind: "decided", at, task, decision, stuck: null, level: "normal", considered: [] },
    counts: {
      ...{ sameErrors: counted, unchanged: { count: 0, max: null }, sinceBest: counted },
      ...{ failures: counted, total: counted, admission: null },
    },
  })),
  { kind: "denied", at, task, limit: "maxCost", max: 2 },
  { kind: "inserted", at, task, fix: "1.3.2", supersedes: "1.3.1", attempts: 1, limit: 3 },
  {
    ...{ kind: "measured", at, task },
    progress: { failing: 2, of: 5, was: 3, change: "progress", lost: ["a"], gained: [], best: 2 },
  },
  { kind: "repaired", at, task, strategy: "retry", detail: "x", budgetLeft: 1 },
  { kind: "refused", at, task, what: "repair", reason: "x" },
  { kind: "refused", at, task, what: "change", reason: "x" },
  { kind: "changed", at, task, change: "SPLIT_TASK", added: ["1.3a"] },
  { kind: "reported", at, task, path: "stuck-report.md" },
  { kind: "asked", at, task, decidable: true, reason: "x", hint: "y" },
  { kind: "told", at, task: null, words: "pause" },
  {
    kind: "unheard",
    at,
    task: null,
    word: "pause",
    key: "verify",
    by: { kind: "program", terminal: null, process: null, pid: null },
  },
  { kind: "waited", at, task, reason: "rate-limit", until: null },
  { kind: "skipped", at, task, justification: null },
  { kind: "reset", at, task },
  { kind: "added", at, task, cause: { kind: "thread", thread: "t", comment: "c", head: "h" }, checks: [] },
  { kind: "refunded", at, task, attempt: 1 },
  { kind: "mended", at, task, command: "true", durationMs: 3 },
  { kind: "collided", at, task, files: ["a.ts"], failed: null },
  { kind: "raced", at, task, attempt: 4, outcome: "stopped" },
  { kind: "taken", at, task, attempt: 3 },
  { kind: "collided", at, task, files: [], failed: "Verify failed (exit 1)" },
  {
    kind: "checked",
    at,
    task,
    command: "npm test",
    proof: { kind: "proven" },
  },
  { kind: "broken", at, task, command: "npm test", error: "exit 1" },
  {
    kind: "passed",
    at,
    task,
    attempts: 2,
    fixes: ["1.3.1"],
    proof: { kind: "unproven", reason: "green before the work" },
  },
];
const ways: readonly object[] = [
  { kind: "first", task, command: "fixpoint why 1.3 x" },
  { kind: "run", command: "fixpoint run x" },
  { kind: "wait", until: null },
  { kind: "raise", limit: "maxCost", flag: "--max-cost", max: 3, command: "fixpoint run x --max-cost 4" },
  { kind: "allow", rung: "fix", flag: "--recovery-mode", command: "fixpoint run x --recovery-mode" },
  { kind: "mend", task, command: "fixpoint run x" },
  { kind: "tick", task, line: 3 },
  { kind: "edit", task, line: null, command: "fixpoint run x" },
  { kind: "guide", command: "fixpoint resume x" },
  { kind: "decide", decision: "retry", task: "1.2", command: "fixpoint resume x" },
  { kind: "decide", decision: "skip", task: "1.2.1", command: "fixpoint resume x" },
  { kind: "decide", decision: "skip-task", task: "1.2", command: "fixpoint resume x" },
  { kind: "answer", hint: "x" },
];
const kindsOf = (options: readonly { readonly shape: { readonly kind: { readonly value: string } } }[]) =>
  options.map(({ shape }) => shape.kind.value).toSorted();

describe.each([
  ["Fact", Fact, facts],
  ["Way", Way, ways],
] as const)("%s", (_, schema, examples) => {
  it("has an example of every kind here", () => {
    expect([...new Set(examples.map((example) => (example as { kind: string }).kind))].toSorted()).toEqual(
      kindsOf(schema.options),
    );
  });

  it.each(examples)("keeps $kind as it is, and needs all of it", (example) => {
    expect(schema.parse(example)).toEqual(example);
    for (const name of Object.keys(example)) {
      const { [name]: left, ...rest } = example as Record<string, unknown>;
      expect(schema.safeParse(rest).success, `without ${name}: ${left}`).toBe(false);
    }
  });

  it("is of no other kind", () => {
    expect(schema.safeParse({ ...examples[0], kind: "bogus" }).success).toBe(false);
  });
});

describe("Explanation", () => {
  const explanation = { spec: "x", task, title: null, madeFor: null, state: "open", attempted: false, facts, ways };

  it.each(["passed", "running", "open", "skipped", "limit", "checkpoint", "gate"])(
    "is of a task that is %s",
    (state) => {
      expect(Explanation.parse({ ...explanation, state })).toEqual({ ...explanation, state });
    },
  );

  it("counts nothing below zero", () => {
    expect(Fact.safeParse({ kind: "refunded", at, task, attempt: -1 }).success).toBe(false);
    expect(Explanation.safeParse({ ...explanation, state: "bogus" }).success).toBe(false);
  });
});
