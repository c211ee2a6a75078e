import { fingerprint } from "../model/fingerprint.ts";
import type { MadeFor } from "../model/fix-task.ts";
import { interpreted } from "../model/interpreted.ts";
import type { Answered } from "../model/record.ts";
import { type AttemptKey, type Reply, taskOf } from "../model/reply.ts";
import { Role, worksOnTasks } from "../model/role.ts";
import { type Attempt, at, type RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task-id.ts";

/** What recorded decisions about an attempt were made from, as far as the journal holds it. */
export interface RecordedAttempt extends Pick<Attempt, "verify" | "reality" | "judgement" | "review"> {
  /** Null when it is not there yet, or is too long to stand in the journal. */
  readonly reply: Reply | null;
}

/** @param answered What is recorded of it with an answer that is not applied yet. */
export function recordedAttempt({ turn }: RunState, key: AttemptKey, answered: Answered): RecordedAttempt {
  const { reply, verify, reality, judgement, review } = { ...at(turn.attempts, key), ...factsOf(answered) };
  return {
    reply: reply === undefined || reply.text === null ? null : ({ ...reply, text: reply.text } as Reply),
    ...{ verify: verify ?? null, reality: reality ?? null, judgement: judgement ?? null, review: review ?? null },
  };
}

const factsOf = ({ reply, verify, reality, judgement, review }: Answered) =>
  Object.fromEntries(
    Object.entries({ reply, verify, reality, judgement, review }).filter(([, fact]) => fact !== undefined),
  ) as Partial<Pick<Answered, "reply" | "verify" | "reality" | "judgement" | "review">>;

/** The role that a task was given to in this turn; undefined when it was not. */
export function roleIn({ turn }: RunState, task: TaskId): Role | undefined {
  const keys = Object.keys(turn.executors).filter((key) => taskOf(key) === task);
  const roles = keys.map((key) => Role.parse(turn.executors[key]?.split(" ")[0], interpreted));
  return roles.findLast(worksOnTasks);
}

/** What a fix task was made for; null for a task that is none of this run. */
export function madeForIn({ fixes }: RunState, task: TaskId): MadeFor | null {
  const fix = at(fixes, task);
  return fix === undefined ? null : (fix.madeFor ?? { fingerprint: fingerprint(fix.error) });
}
