import { type DeniedAct, nameOfAct } from "../model/permissions.ts";
import type { TaskId } from "../model/task-id.ts";

/** What persons were asked about that tools did not allow, as plain JSON: planned tasks, each with an act. */
export type KeptDenials = readonly (readonly [root: TaskId, act: string])[];

/** What persons were asked about that tools did not allow: once for each planned task and act. */
export interface DenialBook {
  /** The first of these acts that nobody was asked about yet; null when there is none. */
  fresh(task: TaskId, denials: readonly DeniedAct[]): DeniedAct | null;
  /** A person is asked. */
  note(task: TaskId, denied: DeniedAct): void;
  kept(): KeptDenials;
  /** Go on from there. */
  take(kept: KeptDenials): void;
}

/** @param rootOf The planned task whose tree a task is in. */
export function createDenialBook(rootOf: (task: TaskId) => TaskId): DenialBook {
  const asked = new Map<TaskId, Set<string>>();
  const add = (root: TaskId, act: string): void => {
    asked.set(root, (asked.get(root) ?? new Set()).add(act));
  };
  return {
    fresh: (task, denials) => denials.find((each) => asked.get(rootOf(task))?.has(nameOfAct(each)) !== true) ?? null,
    note: (task, denied) => add(rootOf(task), nameOfAct(denied)),
    kept: () => [...asked].flatMap(([root, acts]) => [...acts].map((act) => [root, act] as const)),
    take: (kept) => {
      for (const [root, act] of kept) add(root, act);
    },
  };
}
