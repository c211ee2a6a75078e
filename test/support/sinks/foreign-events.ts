import type { RunEvent, TimedRunEvent } from "../../../src/model/event.ts";
import { Policy } from "../../../src/model/policy.ts";

const policy = Policy.parse({});

export const eventsOf = (text: string): readonly TimedRunEvent[] =>
  runOf(text).map((event) => ({ ...event, at: "2026-01-01T00:00:00.000Z" }));

const runOf = (text: string): readonly RunEvent[] => [
  { type: "run.started", spec: text, total: 1, completed: 0, next: text, policy, resumed: false },
  {
    ...{ type: "task.delegated", task: "1.1", title: text, role: "executor", attempt: 1, key: text, iteration: 1 },
    output: text,
  },
  { type: "task.progress", task: "1.1", key: text, stage: "work", tool: text, line: text, tokens: 7, seconds: 3 },
  { type: "check.started", command: text },
  { type: "task.delegated", task: text, title: text, role: "reviewer", attempt: 1, key: text, iteration: 1 },
  { type: "task.rejected", task: "1.1", layer: "signal", reason: text },
  {
    ...{ type: "task.failed", task: "1.1" },
    failure: { kind: "task", error: text, attemptedFix: text, status: text },
    progress: { failing: 2, of: 3, was: 1, change: "moved", lost: [text], gained: [text, text], best: 1 },
  },
  { type: "fix.inserted", task: "1.1", fix: text, supersedes: text, attempts: 1, limit: 3 },
  { type: "review.ended", task: "1.1", round: 1, passed: false, findings: text },
  { type: "plan.changed", task: "1.1", change: "SPLIT_TASK", added: [text, text] },
  { type: "change.refused", task: "1.1", reason: text },
  { type: "level.changed", task: text, level: "pivot", attempt: 1, max: 3 },
  { type: "repair.chosen", task: "1.1", strategy: "retry", detail: text, budgetLeft: 1 },
  { type: "repair.refused", task: "1.1", reason: text },
  { type: "task.skipped", task: "1.1", justification: text },
  { type: "person.asked", task: text, about: "repair", question: text },
  { type: "group.started", tasks: [text, "1.1"] },
  { type: "group.ended", tasks: [text] },
  { type: "waiting", task: text, reason: "rate-limit", until: 1, error: text },
  { type: "notice", message: text },
  { type: "task.passed", task: "1.1", attempts: 1, fixes: [text], proof: { kind: "unproven", reason: text } },
  {
    ...{ type: "run.ended", outcome: "complete", exitCode: 0, original: 1, fixes: 0, attempts: 1 },
    ...{
      skipped: [text],
      unverified: [text],
      superseded: [text],
      tickedByHand: 0,
      durationMs: 1,
      error: text,
      hint: text,
    },
  },
];
