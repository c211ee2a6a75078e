import type { Level } from "../../../src/model/escalation.ts";
import type { Progress, RunEnded, TimedRunEvent } from "../../../src/model/event.ts";
import type { FailureKind } from "../../../src/model/failure.ts";
import type { QuestionTopic } from "../../../src/model/person-event.ts";
import { Policy } from "../../../src/model/policy.ts";
import type { ChangeType } from "../../../src/model/reply.ts";
import type { Task } from "../../../src/model/task.ts";
import { task } from "../../support/sample-plan.ts";

export const at = "2026-01-02T03:04:05.678Z";

export const planned = (id: string, title: string, more: Partial<Task> = {}): Task =>
  task(id, { title, fields: {}, ...more });

export const started = (next: string | null = "1.2"): TimedRunEvent => ({
  type: "run.started",
  at,
  spec: "demo",
  total: 3,
  completed: 1,
  next,
  policy: Policy.parse({}),
  resumed: false,
});

export const delegated = (task: string, attempt: number, title = `Task ${task}`): TimedRunEvent => ({
  type: "task.delegated",
  at,
  task,
  title,
  role: "executor",
  attempt,
  key: `${task}#${attempt}`,
  iteration: attempt,
});

export const progressed = (
  task: string,
  { seconds = 0, ...seen }: Partial<Extract<TimedRunEvent, { type: "task.progress" }>>,
): TimedRunEvent => ({
  type: "task.progress",
  at: new Date(Date.parse(at) + seconds * 1000).toISOString(),
  task,
  key: `${task}#1`,
  stage: "work",
  tool: null,
  line: null,
  tokens: null,
  ...seen,
  seconds,
});

export const failed = (task: string, error: string, progress: Progress = null): TimedRunEvent => ({
  type: "task.failed",
  at,
  task,
  failure: { kind: "task", error, attemptedFix: "None", status: "Blocked" },
  progress,
});

export const fewer: NonNullable<Progress> = {
  failing: 4,
  of: 6,
  was: 5,
  change: "progress",
  lost: ["a"],
  gained: [],
  best: 4,
};

export const rejected = (task: string, reason: string): TimedRunEvent => ({
  type: "task.rejected",
  at,
  task,
  layer: "checkmarks",
  reason,
});

export const inserted = (
  task: string,
  fix: string,
  attempts: number,
  supersedes: string | null = null,
): TimedRunEvent => ({
  type: "fix.inserted",
  at,
  task,
  fix,
  supersedes,
  attempts,
  limit: 3,
});

export const passed = (task: string, attempts: number, ...fixes: string[]): TimedRunEvent => ({
  type: "task.passed",
  at,
  task,
  attempts,
  fixes,
  proof: { kind: "proven" },
});

export const notice = (message: string): TimedRunEvent => ({ type: "notice", at, message });

export const delegatedReview = (task: string, round: number): TimedRunEvent => ({
  type: "task.delegated",
  at,
  task,
  title: `Task ${task}`,
  role: "reviewer",
  attempt: round,
  key: `${task}#1/review`,
  iteration: 2,
});

export const askedOperator = (task: string, round: number, title = `Task ${task}`): TimedRunEvent => ({
  type: "task.delegated",
  at,
  task,
  title,
  role: "operator",
  attempt: round,
  key: `${task}#1/askOperator`,
  iteration: 2,
});

export const decided = (task: string): TimedRunEvent => ({
  type: "task.decided",
  at,
  task,
  decision: "pivot",
  stuck: "same-error",
  level: "normal",
  considered: [],
});

export const levelChanged = (task: string, level: Level, attempt = 0, max = 0): TimedRunEvent => ({
  type: "level.changed",
  at,
  task,
  level,
  attempt,
  max,
});

type Chosen = Extract<TimedRunEvent, { type: "repair.chosen" }>;

export const repairChosen = (task: string, strategy: Chosen["strategy"], detail: string): TimedRunEvent => ({
  type: "repair.chosen",
  at,
  task,
  strategy,
  detail,
  budgetLeft: 1,
});

export const repairRefused = (task: string, reason: string): TimedRunEvent => ({
  type: "repair.refused",
  at,
  task,
  reason,
});

export const skipped = (task: string, justification: string): TimedRunEvent => ({
  type: "task.skipped",
  at,
  task,
  justification,
});

export const personAsked = (task: string, about: QuestionTopic, question: string | null = null): TimedRunEvent => ({
  type: "person.asked",
  at,
  task,
  about,
  question,
});

export const paused: TimedRunEvent = { type: "run.paused", at };

export const resumed: TimedRunEvent = { type: "run.resumed", at };

export const reviewed = (task: string, passed: boolean, findings: string): TimedRunEvent => ({
  type: "review.ended",
  at,
  task,
  round: 1,
  passed,
  findings,
});

export const planChanged = (task: string, change: ChangeType, ...added: string[]): TimedRunEvent => ({
  type: "plan.changed",
  at,
  task,
  change,
  added,
});

export const changeRefused = (task: string, reason: string): TimedRunEvent => ({
  type: "change.refused",
  at,
  task,
  reason,
});

export const groupStarted = (...tasks: string[]): TimedRunEvent => ({ type: "group.started", at, tasks });

export const groupEnded = (...tasks: string[]): TimedRunEvent => ({ type: "group.ended", at, tasks });

/** @param until Milliseconds since 1970. */
export const waiting = (task: string, reason: FailureKind, until: number | null, error = ""): TimedRunEvent => ({
  type: "waiting",
  at,
  task,
  reason,
  until,
  error,
});

export const today = (hours: number, minutes: number): number => {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), hours, minutes).getTime();
};

export const ended = (more: Partial<RunEnded> = {}): TimedRunEvent => ({
  type: "run.ended",
  at,
  outcome: "complete",
  exitCode: 0,
  original: 3,
  fixes: 1,
  attempts: 5,
  skipped: [],
  tickedByHand: 0,
  durationMs: 192_000,
  ...more,
});

export const recovery: readonly TimedRunEvent[] = [
  started(),
  delegated("1.2", 1),
  failed("1.2", "File not found: src/parser.ts"),
  inserted("1.2", "1.2.1", 1),
  delegated("1.2.1", 1, "Fix: File not found: src/parser.ts"),
  passed("1.2.1", 1),
  delegated("1.2", 2),
  rejected("1.2", "checkmark mismatch: expected 1.1, found 1.1, 1.3"),
  delegated("1.2", 3),
  passed("1.2", 3, "1.2.1"),
  notice("The executor does not say what it used"),
  delegated("1.3", 1),
  passed("1.3", 1),
  ended(),
];
