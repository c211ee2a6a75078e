import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";

/**
 * Create the turnstile of a batch: `beside` runs members in parallel; `alone` runs one member while no other member
 * runs.
 */
export function createTurnstile(): Pick<Attempts, "alone" | "beside"> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { readonly task: TaskId; readonly go: () => void } | null = null;
  const atWork = new Set<TaskId>();
  const isFree = (task: TaskId): boolean => [...atWork].every((other) => other === task);
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
    beside: async (task, act) => {
      for (let seen: unknown = null; seen !== last; ) {
        seen = last;
        await last;
      }
      atWork.add(task);
      try {
        return await act();
      } finally {
        atWork.delete(task);
        if (waiting !== null && isFree(waiting.task)) waiting.go();
      }
    },
  };
}
