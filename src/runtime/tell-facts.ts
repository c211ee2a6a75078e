import type { RunEvent } from "../model/event.ts";
import type { Fact } from "../model/explanation.ts";
import type { Policy } from "../model/policy.ts";
import { type TimedRunRecord, usedFor } from "../model/record.ts";
import { attemptOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import { eventsOf } from "../run/events-of.ts";
import { tellRecord } from "./tell-record.ts";
import { timeOf } from "./time-of.ts";

/** Facts and events that a record leads to. */
interface Told {
  readonly facts: readonly Fact[];
  readonly events: readonly RunEvent[];
}

/** Derive facts from the records of a start, in order. @param state The state; apply each record to it first. */
export function factTeller(state: RunState): (record: TimedRunRecord, policy: Policy) => Told {
  const begun = new Map<string, Extract<TimedRunRecord, { type: "delegated" }>>();
  /** Usage that an executor reported, with the duration of its attempt. */
  const tellUsage = (record: TimedRunRecord): Fact[] => {
    if (record.type === "delegated") begun.set(record.key, record);
    const usage = record.type === "answered" ? usedFor(record) : undefined;
    if (record.type !== "answered" || usage === undefined) return [];
    const made = begun.get(attemptOf(record.key));
    if (made === undefined) return [];
    const { task, attempt, at } = made;
    const durationMs = record.at - at;
    return [{ kind: "used", at: timeOf(record.at), task, attempt, usage, durationMs }];
  };
  return (record, policy) => {
    const events = eventsOf(state, policy, record);
    const led = events.flatMap((event) => tellEvent(event, timeOf(record.at)));
    return { facts: [...tellRecord(record), ...tellUsage(record), ...led], events };
  };
}

/** The facts an event adds to its record; none if the record says it all. */
function tellEvent(event: RunEvent, at: string): Fact | readonly Fact[] {
  switch (event.type) {
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
        proof: event.proof,
      };
    case "task.failed":
      return event.progress === null ? [] : { kind: "measured", at, task: event.task, progress: event.progress };
    case "work.checked":
      return Object.entries(event.proofs).map(([task, proof]) => ({
        ...{ kind: "checked", at, task, command: event.command, proof },
      }));
    case "task.raced":
      return { kind: "raced", at, task: event.task, attempt: event.attempt, outcome: event.outcome };
    case "race.ended":
      return { kind: "taken", at, task: event.task, attempt: event.attempt };
    case "check.failed":
      return { kind: "broken", at, task: event.task, command: event.command, error: event.error };
    // This record or the next one holds the content of all other events.
    default:
      return [];
  }
}
