import { type Directive, detailOf } from "../src/model/directive.ts";
import type { Answer } from "../src/model/effect.ts";
import type { FailureDigest } from "../src/model/failure.ts";
import { attemptsOn, fixesSinceProgress, repairsLeft, reviewsOn, spentOn } from "../src/model/ledger.ts";
import type { QuestionTopic } from "../src/model/question.ts";
import type { Rejection, TaskContext } from "../src/model/task-context.ts";
import type { TaskId } from "../src/model/task-id.ts";
import { countAtLevel } from "../src/recover/count-at-level.ts";
import { fixFor } from "../src/recover/fix-for.ts";
import { progressOf } from "../src/recover/progress-of.ts";
import type { Emitted } from "./machine-type.ts";
import type { RepairEmitted } from "./repair.ts";
import { skipOf } from "./task-moves.ts";
import { deliberationIn } from "./task-outcome.ts";

export type TaskEmitted =
  | Emitted<"task.rejected" | "task.failed" | "task.decided" | "task.passed" | "task.skipped" | "waiting">
  | Emitted<"review.ended" | "plan.changed" | "change.refused" | "fix.inserted" | "level.changed" | "repair.chosen">
  | Emitted<"person.asked">
  | RepairEmitted;

/** What happens in a task, as it is told to those who watch. */
export const taskEvents = {
  rejected: ({ context: { current } }: Told, { layer, reason }: Rejection) => {
    return { type: "task.rejected", task: current, layer, reason } satisfies TaskEmitted;
  },
  failed: ({ context: { current, escalation } }: Told, digest: FailureDigest) => {
    const { kind, error, attemptedFix, status, failing } = digest;
    const failure = { kind, error, attemptedFix, status };
    const progress = failing === undefined ? null : progressOf(escalation);
    return { type: "task.failed", task: current, failure, progress } satisfies TaskEmitted;
  },
  waiting: ({ context: { current } }: Told, { kind, error, until = null }: FailureDigest) => {
    return { type: "waiting", task: current, reason: kind, until, error } satisfies TaskEmitted;
  },
  reviewed: ({ context: { current, spent } }: Told, review: Reviewed) => {
    const round = reviewsOn(spent, current);
    const passed = review.kind === "accepted" && review.passed;
    return { type: "review.ended", task: current, round, passed, findings: review.findings } satisfies TaskEmitted;
  },
  changed: ({ context: { current } }: Told, { change, added }: Changed) => {
    return { type: "plan.changed", task: current, change, added } satisfies TaskEmitted;
  },
  refused: ({ context: { current } }: Told, { reason }: { reason: string }) => {
    return { type: "change.refused", task: current, reason } satisfies TaskEmitted;
  },
  fixInserted: ({ context: { root, current, spent, policy, failure } }: Told, { fix }: { fix: TaskId }) => {
    const { task, supersedes } = fixFor({ root, current, spent, failure });
    const attempts = fixesSinceProgress(spent, task) + 1;
    const limit = policy.maxFixTasksPerOriginal;
    return { type: "fix.inserted", task, fix, supersedes, attempts, limit } satisfies TaskEmitted;
  },
  decided: ({ context }: Told) => {
    const { decision, stuck, considered } = deliberationIn(context);
    const { current: task, escalation } = context;
    const { level } = escalation;
    return {
      type: "task.decided",
      task,
      decision: decision.kind,
      stuck,
      level,
      considered: [...considered],
    } satisfies TaskEmitted;
  },
  levelChanged: ({ context: { current, escalation, policy } }: Told) => {
    const { level } = escalation;
    const { attempt, max } = countAtLevel(escalation, policy);
    // The attempt that it leads to is still to begin; a checkpoint leads to none.
    return {
      type: "level.changed",
      task: current,
      level,
      attempt: max === 0 ? 0 : attempt + 1,
      max,
    } satisfies TaskEmitted;
  },
  repairChosen: ({ context: { current, spent, policy } }: Told, { directive }: { directive: Directive }) => {
    const { strategy } = directive;
    const budgetLeft = repairsLeft(spent, policy.repairBudget);
    return {
      type: "repair.chosen",
      task: current,
      strategy,
      detail: detailOf(directive),
      budgetLeft,
    } satisfies TaskEmitted;
  },
  skipped: ({ context }: Told) => {
    const { task, justification } = skipOf(context);
    return { type: "task.skipped", task, justification } satisfies TaskEmitted;
  },
  personAsked: ({ context: { current, question } }: Told, { about }: { about: QuestionTopic }) => {
    return { type: "person.asked", task: current, about, question: question?.text ?? null } satisfies TaskEmitted;
  },
  passed: ({ context: { current, spent, unverified } }: Told) => {
    const { fixes } = spentOn(spent, current);
    const attempts = attemptsOn(spent, current);
    return { type: "task.passed", task: current, attempts, fixes, unverified } satisfies TaskEmitted;
  },
};

interface Told {
  readonly context: TaskContext;
}

export type Reviewed = Extract<Answer<"review">, { kind: "accepted" | "failed" }>;
export type Changed = Extract<Answer<"changePlan">, { kind: "replanned" | "extended" }>;
