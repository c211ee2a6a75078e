import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";

/** Lets members of a batch do something one after the other, while no executor of another one is at work. */
export interface Turnstile extends Pick<Attempts, "alone" | "notAlone"> {
  /** Somebody has begun or ended. */
  readonly look: () => void;
}

/** @param atWork Tasks whose executors are at work. */
export function createTurnstile(atWork: () => readonly TaskId[]): Turnstile {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { readonly task: TaskId; readonly go: () => void } | null = null;
  const isFree = (task: TaskId): boolean => atWork().every((other) => other === task);
  const whenFree = (task: TaskId, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted || isFree(task)) {
        resolve();
        return;
      }
      const stop = (): void => {
        waiting = null;
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      const go = (): void => {
        waiting = null;
        signal.removeEventListener("abort", stop);
        resolve();
      };
      waiting = { task, go };
    });
  return {
    alone: (task, act, signal) => {
      const mine = last.then(async () => {
        await whenFree(task, signal);
        signal.throwIfAborted();
        return act();
      });
      last = mine.catch(() => {});
      return mine;
    },
    notAlone: async () => {
      await last;
    },
    look: () => {
      if (waiting !== null && isFree(waiting.task)) waiting.go();
    },
  };
}
