import type { AttemptKey } from "../model/reply.ts";
import type { Role } from "../model/task.ts";
import type { Availability } from "../ports.ts";

/** What is known of the executors of a run. */
export interface ExecutorWatch extends Availability {
  /** An attempt was given to an executor of a chain. */
  note(attempt: AttemptKey, role: Role, executor: number): void;
  /** A person had the time to see to those that need one. */
  seenTo(): void;
}

/** Keep in mind which executors cannot work, and until when. */
export function watchExecutors(): ExecutorWatch {
  const given = new Map<AttemptKey, string>();
  const blocked = new Map<string, number>();
  const nameOf = (role: Role, executor: number): string => `${role} ${executor}`;
  /** From when on each of a chain can work. */
  const times = (role: Role, count: number): number[] =>
    Array.from({ length: count }, (_, executor) => blocked.get(nameOf(role, executor)) ?? 0);
  return {
    note: (attempt, role, executor) => given.set(attempt, nameOf(role, executor)),
    block: (attempt, until) => {
      const name = given.get(attempt);
      if (name !== undefined) blocked.set(name, until ?? Number.POSITIVE_INFINITY);
    },
    seenTo: () => {
      for (const [name, until] of blocked) if (!Number.isFinite(until)) blocked.delete(name);
    },
    choose: (role, count, now) => {
      const from = times(role, count);
      const ready = from.findIndex((time) => time <= now);
      return ready === -1 ? from.indexOf(Math.min(...from)) : ready;
    },
    nextFree: (role, count, now) => {
      const soonest = Math.min(...times(role, count));
      return Number.isFinite(soonest) ? Math.max(soonest, now) : null;
    },
  };
}
