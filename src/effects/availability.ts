import type { AttemptKey } from "../model/reply.ts";
import type { Role } from "../model/task.ts";
import type { Availability } from "../ports/attempts.ts";

/**
 * Executors that cannot work, as plain JSON: until when, null until a person has seen to them; and when that was said,
 * null when it is not known.
 */
export type KeptExecutors = readonly (readonly [name: string, until: number | null, said: number | null])[];

/** What is known of the executors of a run. */
export interface ExecutorWatch extends Availability {
  /** An attempt was given to an executor of a chain. */
  note(attempt: AttemptKey, role: Role, executor: number): void;
  /** A person had the time to see to those that need one. */
  seenTo(): void;
  kept(): KeptExecutors;
  /** Go on from there. */
  take(kept: KeptExecutors): void;
}

/** Until when an executor cannot work: by the wall clock, and by what was left of it when that was said. */
interface Block {
  readonly until: number;
  readonly said: number;
  readonly latestMs: number;
}

/**
 * Keep in mind which executors cannot work, and until when. A wall clock that is set back prolongs nothing.
 *
 * @param elapsedMs Time that nobody sets.
 */
export function watchExecutors(elapsedMs: () => number): ExecutorWatch {
  const given = new Map<AttemptKey, string>();
  const blocked = new Map<string, Block>();
  const block = (name: string, until: number, said: number): void => {
    blocked.set(name, { until, said, latestMs: elapsedMs() + until - said });
  };
  const nameOf = (role: Role, executor: number): string => `${role} ${executor}`;
  /** In how many milliseconds each of a chain can work. */
  const waits = (role: Role, executors: readonly number[], now: number): number[] =>
    executors.map((executor) => {
      const found = blocked.get(nameOf(role, executor));
      return found === undefined ? 0 : Math.max(0, Math.min(found.until - now, found.latestMs - elapsedMs()));
    });
  return {
    note: (attempt, role, executor) => given.set(attempt, nameOf(role, executor)),
    block: (attempt, told, said) => {
      const name = given.get(attempt);
      if (name !== undefined) block(name, told ?? Number.POSITIVE_INFINITY, said);
    },
    seenTo: () => {
      for (const [name, { until }] of blocked) if (!Number.isFinite(until)) blocked.delete(name);
    },
    kept: () => [...blocked].map(([name, { until, said }]) => [name, finite(until), finite(said)]),
    take: (kept) => {
      for (const [name, until, said] of kept) {
        block(name, until ?? Number.POSITIVE_INFINITY, said ?? Number.NEGATIVE_INFINITY);
      }
    },
    choose: (role, executors, now) => {
      const left = waits(role, executors, now);
      return executors[left.indexOf(Math.min(...left))] as number;
    },
    nextFree: (role, executors, now) => {
      const soonest = Math.min(...waits(role, executors, now));
      return Number.isFinite(soonest) ? now + soonest : null;
    },
  };
}

/** JSON has no infinity. */
const finite = (time: number): number | null => (Number.isFinite(time) ? time : null);
