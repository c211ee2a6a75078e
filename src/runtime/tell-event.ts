import { type Escalation, noEscalation } from "../model/escalation.ts";
import type { RunEvent } from "../model/event.ts";
import type { Fact, StuckCounts } from "../model/explanation.ts";
import type { FailureDigest } from "../model/failure.ts";
import { totalCap, totalSpent } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { escalates, hasLevels } from "../model/rung.ts";
import type { SpecContext } from "../model/spec-context.ts";
import type { TaskContext } from "../model/task-context.ts";
import type { TaskId } from "../model/task-id.ts";
import { afterFailure } from "../recover/track-escalation.ts";
import type { MachineNode, StepState } from "./step-state.ts";
import { timeOf } from "./time-of.ts";
import type { Move } from "./walk.ts";

/** What an event adds to the record that has led to it; null when that says it all. */
export function tellEvent(event: RunEvent, record: TimedRunRecord, move: Move, policy: Policy): Fact | null {
  const at = timeOf(record.at);
  switch (event.type) {
    case "task.decided": {
      const { task, decision, stuck, level, considered } = event;
      const counts = countsFrom(escalationAt(task, record, move), policy);
      return { kind: "decided", at, task, decision, stuck, level, considered, counts };
    }
    case "fix.inserted": {
      const { task, fix, supersedes, attempts, limit } = event;
      return { kind: "inserted", at, task, fix, supersedes, attempts, limit };
    }
    case "repair.chosen": {
      const { task, strategy, detail, budgetLeft } = event;
      return { kind: "repaired", at, task, strategy, detail, budgetLeft };
    }
    case "repair.refused":
      return { kind: "refused", at, task: event.task, what: "repair", reason: event.reason };
    case "change.refused":
      return { kind: "refused", at, task: event.task, what: "change", reason: event.reason };
    case "plan.changed":
      return { kind: "changed", at, task: event.task, change: event.change, added: event.added };
    case "waiting":
      return { kind: "waited", at, task: event.task, reason: event.reason, until: event.until };
    case "task.skipped":
      return { kind: "skipped", at, task: event.task, justification: event.justification };
    case "task.passed":
      return {
        kind: "passed",
        at,
        task: event.task,
        attempts: event.attempts,
        fixes: event.fixes,
        unverified: event.unverified,
      };
    case "task.failed":
      return event.progress === null ? null : { kind: "measured", at, task: event.task, progress: event.progress };
    // These stand in the record itself, or in the next.
    case "task.rejected":
    case "task.delegated":
    case "task.progress":
    case "check.started":
    case "pr.pushed":
    case "pr.opened":
    case "pr.waiting":
    case "pr.task":
    case "pr.ready":
    case "pr.merged":
    case "check.rerun":
    case "check.flaky":
    case "review.answered":
    case "review.ended":
    case "level.changed":
    case "person.asked":
    case "run.started":
    case "executor.chosen":
    case "run.paused":
    case "run.resumed":
    case "run.ended":
    case "group.started":
    case "group.ended":
    case "notice":
      return null;
  }
}

/** What was known of being stuck when a task was decided on: as its machine keeps it, or did before it ended. */
function escalationAt(task: TaskId, record: TimedRunRecord, { before, after }: Move): Escalation {
  const kept = contextOf(after, task);
  if (kept !== undefined) return kept.escalation;
  const failed = contextOf(before, task);
  if (failed !== undefined) return afterFailure(failed.escalation, task, failureIn(record));
  const { chosen, members } = (after.nodes[""] as MachineNode).context as SpecContext;
  return [chosen, ...members].find((each) => each?.current === task)?.escalation ?? noEscalation;
}

/** The context of the task machine that is at a task. */
const contextOf = ({ nodes }: StepState, task: TaskId): TaskContext | undefined =>
  Object.values(nodes)
    .map(({ context }) => context as Partial<TaskContext>)
    .find(({ current, escalation }) => current === task && escalation !== undefined) as TaskContext | undefined;

/** What the attempt has failed with; null when its claim was rejected. */
function failureIn(record: TimedRunRecord): FailureDigest | null {
  return record.type === "answered" && record.effect === "readFailure" ? record.answer : null;
}

const countsFrom = (escalation: Escalation, policy: Policy): StuckCounts => {
  const { sameErrors, unchanged, sinceBest, best, failures, admission } = escalation;
  return {
    sinceBest:
      Object.keys(best).length === 0
        ? null
        : { count: sinceBest, max: escalates(policy) ? policy.stuckAfterSameErrors : null },
    // Without a rung for it being stuck means nothing.
    sameErrors: { count: sameErrors, max: escalates(policy) ? policy.stuckAfterSameErrors : null },
    unchanged: { count: unchanged, max: escalates(policy) ? policy.stuckAfterUnchanged : null },
    failures: { count: failures, max: hasLevels(policy) ? null : totalCap(policy) },
    total: { count: totalSpent(policy, escalation), max: totalCap(policy) },
    admission,
  };
};
