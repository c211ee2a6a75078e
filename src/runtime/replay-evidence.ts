import { fingerprint } from "../model/fingerprint.ts";
import type { FixTask, MadeFor } from "../model/fix-task.ts";
import { type Answered, beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, type Reply, taskOf } from "../model/reply.ts";
import type { Role } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

/** What the records say of an attempt. */
export interface RecordedAttempt {
  /** Null when it is not there yet, or is too long to stand in the journal. */
  readonly reply: Reply | null;
  readonly verify: NonNullable<Answered["verify"]> | null;
  readonly reality: NonNullable<Answered["reality"]> | null;
  readonly judgement: NonNullable<Answered["judgement"]> | null;
  readonly review: NonNullable<Answered["review"]> | null;
}

/** What recorded decisions were made from, as far as the journal holds it. */
export interface Evidence {
  note(record: TimedRunRecord): void;
  attempt(key: AttemptKey): RecordedAttempt;
  /** The role a task was delegated in; undefined when it was not. */
  roleOf(task: TaskId): Role | undefined;
  /** The fix task that was recorded for a failed attempt; undefined without one. */
  fixFor(key: AttemptKey): FixTask | undefined;
  /** What a fix task was made for; null for a task that is none of this run. */
  madeFor(task: TaskId): MadeFor | null;
  planned(key: AttemptKey): Extract<TimedRunRecord, { type: "planned" }> | undefined;
  /** Whether a delegation was recorded under a key. */
  delegated(key: string): boolean;
}

const nothing: RecordedAttempt = { reply: null, verify: null, reality: null, judgement: null, review: null };

export function createEvidence(): Evidence {
  const attempts = new Map<AttemptKey, RecordedAttempt>();
  const roles = new Map<TaskId, Role>();
  const fixes = new Map<AttemptKey, FixTask>();
  const causes = new Map<TaskId, MadeFor>();
  const plans = new Map<AttemptKey, Extract<TimedRunRecord, { type: "planned" }>>();
  const delegations = new Set<string>();
  const attempt = (key: AttemptKey): RecordedAttempt => attempts.get(key) ?? nothing;
  const noteAnswer = (record: Answered): void => {
    const { key, reply, verify, reality, judgement, review } = record;
    // A task that is chosen begins with what its attempts have left in this turn.
    if (beginsTurn(record)) attempts.clear();
    if (reply === undefined && verify === undefined && judgement === undefined && review === undefined) return;
    attempts.set(attemptOf(key), {
      ...attempt(attemptOf(key)),
      ...(reply !== undefined && { reply: reply.text === null ? null : ({ ...reply, text: reply.text } as Reply) }),
      ...(verify !== undefined && { verify }),
      ...(reality !== undefined && { reality }),
      ...(judgement !== undefined && { judgement }),
      ...(review !== undefined && { review }),
    });
  };
  return {
    note: (record) => {
      if (record.type === "answered") noteAnswer(record);
      if (record.type === "planned") plans.set(record.key, record);
      if (record.type === "delegated") {
        delegations.add(record.key);
        if (record.role === "executor" || record.role === "verifier") roles.set(taskOf(record.key), record.role);
      }
      if (record.type !== "intended") return;
      fixes.set(record.key, record.fix);
      causes.set(record.fix.id, record.fix.madeFor ?? { fingerprint: fingerprint(record.fix.error) });
    },
    attempt,
    roleOf: (task) => roles.get(task),
    fixFor: (key) => fixes.get(key),
    madeFor: (task) => causes.get(task) ?? null,
    planned: (key) => plans.get(key),
    delegated: (key) => delegations.has(key),
  };
}
