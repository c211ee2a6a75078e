import type { Answer } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { Fact } from "../model/explanation.ts";
import { spokenBy } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import { type Answered, type TimedRunRecord, usedFor } from "../model/record.ts";
import { attemptOf, numberOf, taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { eventsOf } from "../run/events-of.ts";

function factsInRecord(record: TimedRunRecord): Fact[] {
  const at = timeOf(record.at);
  switch (record.type) {
    case "delegated": {
      const { task, role, attempt, level = "normal", executor = 0 } = record;
      return [{ kind: "delegated", at, task, role, attempt, level, executor }];
    }
    case "answered":
      return factsInAnswer(record, at);
    case "refunded":
      return [{ kind: "refunded", at, task: taskOf(record.key), attempt: numberOf(record.key) }];
    case "reset":
      return [{ kind: "reset", at, task: record.task, ...spokenBy(record.by) }];
    case "guided":
      return [{ kind: "told", at, task: record.task, words: record.text, ...spokenBy(record.by) }];
    case "skipped":
      return [{ kind: "skipped", at, task: record.task, justification: record.justification, ...spokenBy(record.by) }];
    case "said": {
      const { event } = record;
      // Skip guidance here: it is also recorded for its task.
      if (event.type === "guidance.given") return [];
      const words = event.type === "decision.made" ? event.decision : event.type;
      return [{ kind: "told", at, task: null, words, ...spokenBy(record.by) }];
    }
    case "unheard": {
      const { word, key, by } = record;
      // The key of a Verify command does not name its task.
      return [{ kind: "unheard", at, task: key.includes("#") ? taskOf(key) : null, word, key, by }];
    }
    case "mended":
      return record.passes.map(({ key, verify: { command, result } }) => {
        return { kind: "mended", at, task: taskOf(key), command, durationMs: result.durationMs };
      });
    case "merged":
      return Object.entries(record.collided).map(([task, collision]) => ({ kind: "collided", at, task, ...collision }));
    case "addition": {
      const { cause, checks, plan } = record;
      return plan.tasks.map(({ id }) => ({ kind: "added", at, task: id, cause, checks }));
    }
    // The facts about these records come from other records.
    default:
      return [];
  }
}

function factsInAnswer(record: Answered, at: string): Fact[] {
  const { key, effect, answer, review, by } = record;
  const task = taskOf(key);
  const attempt = numberOf(attemptOf(key));
  const about = { at, task } as const;
  const asked = factsInQuestion(record, about);
  switch (effect) {
    case "verify":
      return [...factsInVerdict(answer, record, { ...about, attempt }), ...asked];
    case "readFailure": {
      const { kind, error, attemptedFix, status, fingerprint, signs = null } = answer;
      return [
        { kind: "failed", ...about, attempt, failure: { kind, error, attemptedFix, status, fingerprint }, signs },
      ];
    }
    case "review": {
      if (review === undefined) return asked;
      const { code, spec, round, verdict } = review;
      const findings = [code, spec].filter((text) => text !== "").join("\n");
      return [{ kind: "reviewed", ...about, round, passed: verdict === "pass", findings }, ...asked];
    }
    case "writeStuckReport":
      return [{ kind: "reported", ...about, path: answer.path }];
    case "askPerson": {
      if (answer.kind === "gate") return asked;
      const words = answer.kind === "guided" ? answer.text : answer.decision;
      return [{ kind: "told", ...about, words, ...spokenBy(by) }];
    }
    case "decide": {
      if (answer.kind === "begin") return [];
      const { kind, stuck, level, considered, counts } = answer;
      const decision = kind === "ask" ? "gate" : kind;
      return [{ kind: "decided", ...about, decision, stuck, level, considered, counts }];
    }
    case "nextPart":
      return [];
    default:
      return asked;
  }
}

interface About {
  readonly at: string;
  readonly task: TaskId;
}

/** The verdict with its evidence; only the result if no judgement is recorded. */
function factsInVerdict(
  answer: Answer<"verify">,
  { judgement, verify }: Pick<Answered, "judgement" | "verify">,
  about: About & { readonly attempt: number },
): Fact[] {
  const ran = verify === undefined ? null : { command: verify.command, durationMs: verify.result.durationMs };
  if (judgement !== undefined) {
    const { kind: verdict, layers, evidence } = judgement;
    return [{ kind: "judged", ...about, verdict, layers, evidence, verify: ran }];
  }
  if (answer.kind === "gate" || answer.kind === "blocked") return [];
  const layers = answer.kind === "accepted" ? [] : [answer];
  return [{ kind: "judged", ...about, verdict: answer.kind, layers, evidence: null, verify: ran }];
}

function factsInQuestion({ effect, answer }: Answered, about: About): Fact[] {
  if (answer.kind === "gate") {
    const { reason, hint } = answer;
    return [{ kind: "asked", ...about, decidable: effect === "askPerson", reason, hint }];
  }
  return answer.kind === "denied" ? [{ kind: "denied", ...about, limit: answer.limit, max: answer.max }] : [];
}

/** Milliseconds since 1970 as ISO 8601. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();

interface Told {
  readonly facts: readonly Fact[];
  readonly events: readonly RunEvent[];
}

/**
 * Derive facts from the records of a start, in order. @param state The state, to which the caller applies each record
 * first.
 */
export function createFactReader(state: RunState): (record: TimedRunRecord, policy: Policy) => Told {
  const begun = new Map<string, Extract<TimedRunRecord, { type: "delegated" }>>();
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
    const led = events.flatMap((event) => factsInEvent(event, timeOf(record.at)));
    return { facts: [...factsInRecord(record), ...tellUsage(record), ...led], events };
  };
}

/** The facts that an event adds to its record; none if the record already contains them. */
function factsInEvent(event: RunEvent, at: string): Fact | readonly Fact[] {
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
    // The content of all other events is in this record or the next record.
    default:
      return [];
  }
}
