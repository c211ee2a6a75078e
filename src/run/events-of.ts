import { detailOf } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { FailureDigest } from "../model/failure.ts";
import { fixesSinceProgress, lastAttempt, repairsLeft, reviewsOn, spentOn } from "../model/ledger.ts";
import type { QuestionTopic } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import { attemptOf, isServiceKind, numberOf, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { isEscalationRung } from "../model/rung.ts";
import { progressOf } from "../recover/escalation.ts";
import { countAtLevel } from "../recover/levels.ts";
import { decisionState, skipOf } from "./decision-state.ts";
import { eventOfShipping, isShipping } from "./pull-request.ts";
import { chosenRoot } from "./spending.ts";
import { refusedTwice } from "./turn.ts";

/**
 * Derive the events shown to people from a record.
 *
 * @param state The state after the record.
 */
export function eventsOf(state: RunState, policy: Policy, record: RunRecord): RunEvent[] {
  if (record.type === "answered") return eventsOfAnswer(state, policy, record);
  if (record.type !== "said") return [];
  const { type } = record.event;
  if (type === "pause") return [{ type: "run.paused" }];
  return type === "resume" ? [{ type: "run.resumed" }] : [];
}

function eventsOfAnswer(state: RunState, policy: Policy, answered: Answered): RunEvent[] {
  const { effect, key, answer } = answered;
  const task = taskOf(key);
  const standing = () => decisionState(state, policy, { root: chosenRoot(state, task), current: task });
  const asked = (about?: QuestionTopic): RunEvent => {
    const { question } = standing();
    return {
      type: "person.asked",
      task,
      about: about ?? question?.about ?? "repair",
      question: question?.text ?? null,
    };
  };
  switch (effect) {
    case "delegate":
      if (answer.kind === "raced")
        return [{ type: "task.raced", task, attempt: numberOf(attemptOf(key)), outcome: answer.outcome }];
      return "attempt" in answer && answer.attempt !== undefined
        ? [{ type: "race.ended", task, attempt: answer.attempt }]
        : [];
    case "chooseTask":
      return answer.kind === "batch" ? [{ type: "group.started", tasks: answer.members.map(({ root }) => root) }] : [];
    case "mergeProgress":
      return [{ type: "group.ended", tasks: [...state.batch] }];
    case "verify":
      if (answer.kind === "blocked") return [asked()];
      return answer.kind === "rejected"
        ? [{ type: "task.rejected", task, layer: answer.layer, reason: answer.reason }]
        : [];
    case "review": {
      if (answer.kind !== "accepted" && answer.kind !== "failed") return [];
      const passed = answer.kind === "accepted" && answer.passed;
      return [{ type: "review.ended", task, round: reviewsOn(state.tasks, task), passed, findings: answer.findings }];
    }
    case "readFailure": {
      if (answer.fallback !== true && isServiceKind(answer.kind)) {
        return [{ type: "waiting", task, reason: answer.kind, until: answer.until ?? null, error: answer.error }];
      }
      const failed = failedEvent(task, answer, standing().escalation);
      return answer.fallback !== true && answer.repeated === true ? [failed, asked()] : [failed];
    }
    case "changePlan":
      if (answer.kind === "refused") return [{ type: "change.refused", task, reason: answer.reason }];
      return answer.kind === "gate" ? [] : [{ type: "plan.changed", task, change: answer.change, added: answer.added }];
    case "decide": {
      if (answer.kind === "begin") return [];
      const { kind, stuck, level, considered } = answer;
      const decision = kind === "ask" ? "gate" : kind;
      const decided: RunEvent = { type: "task.decided", task, decision, stuck, level, considered };
      if (decision === "gate") return [decided, asked()];
      if (decision === "exhausted" || !isEscalationRung(decision)) return [decided];
      const now = standing();
      const { attempt, max } = countAtLevel(now.escalation, now.policy);
      // `attempt` is the number of the next attempt, which has not begun yet. A checkpoint is followed by no attempt.
      return [decided, { type: "level.changed", task, level: decision, attempt: max === 0 ? 0 : attempt + 1, max }];
    }
    case "insertFix":
      return answer.kind === "inserted" ? [inserted(answer.fix)] : [];
    case "checkWork":
    case "confirmCompletion":
      if (answer.kind === "checked" && Object.keys(answer.proofs).length > 0) {
        return [{ type: "work.checked", command: answer.before.command, proofs: answer.proofs }];
      }
      if (answer.kind !== "broken") return [];
      return [
        { type: "check.failed", task: answer.task, command: answer.command, error: answer.error },
        inserted(answer.fix),
      ];
    case "askOperator": {
      if (answer.kind === "denied") return [];
      if (answer.kind === "malformed") {
        const refused: RunEvent = { type: "repair.refused", task, reason: answer.reason };
        if (!key.endsWith("/askAgain")) return [refused];
        return [refused, chosen("escalate", refusedTwice(answer.reason)), asked()];
      }
      const { directive } = answer;
      const repaired = chosen(directive.strategy, detailOf(directive));
      if (directive.strategy === "escalate") return [repaired, asked()];
      return directive.strategy === "prune" ? [repaired, skipped()] : [repaired];
    }
    case "askPerson":
      return answer.kind === "decided" && (answer.decision === "skip" || answer.decision === "skip-task")
        ? [skipped()]
        : [];
    case "writeStuckReport":
      return [asked("checkpoint")];
    case "recordPass": {
      const { fixes } = spentOn(state.tasks, task);
      const { spent, proof, escalation } = standing();
      const left = progressOf(escalation);
      const passed: RunEvent = {
        type: "task.passed",
        task,
        attempts: lastAttempt(spent, task),
        fixes: fixes.filter((fix) => fix !== answer.fix),
        proof,
        ...(answer.later !== undefined && { later: answer.later }),
      };
      const told = left === null ? passed : { ...passed, left };
      return answer.fix === undefined ? [told] : [told, inserted(answer.fix)];
    }
    default:
      return isShipping(effect) ? [eventOfShipping(state, answer as Answer<typeof effect>) ?? []].flat() : [];
  }

  function chosen(strategy: "retry" | "decompose" | "prune" | "escalate", detail: string): RunEvent {
    const { spent, policy: own } = standing();
    return { type: "repair.chosen", task, strategy, detail, budgetLeft: repairsLeft(spent, own.repairBudget) };
  }

  function inserted(fix: string): RunEvent {
    const { fixOf = task, supersedes = null } = at(state.turn.fixes, attemptOf(key)) ?? {};
    return {
      ...{ type: "fix.inserted", task: fixOf, fix, supersedes: supersedes ?? null },
      ...{ attempts: fixesSinceProgress(state.tasks, fixOf), limit: policy.maxFixTasksPerOriginal },
    };
  }

  function skipped(): RunEvent {
    const { task: left, justification } = skipOf(standing());
    return { type: "task.skipped", task: left, justification };
  }
}

function failedEvent(task: string, digest: FailureDigest, escalation: Parameters<typeof progressOf>[0]): RunEvent {
  const { kind, error, attemptedFix, status, failing } = digest;
  const progress = failing === undefined ? null : progressOf(escalation);
  return { type: "task.failed", task, failure: { kind, error, attemptedFix, status }, progress };
}
