import type { Plan } from "../model/plan.ts";
import type { RunRecord } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";

type Tasks = Pick<Plan, "tasks">;

export interface PendingWrite {
  readonly ids: readonly TaskId[];
  readonly ticks: readonly TaskId[];
  /** Record to write if the change is cancelled. */
  readonly given: RunRecord | null;
}

export function pendingWrites({ turn }: RunState): PendingWrite[] {
  const isOpen = (key: string): boolean => !Object.hasOwn(turn.written, key);
  const { addition } = turn;
  return [
    ...Object.entries(turn.fixes).flatMap(([key, { id }]) =>
      isOpen(`${key}/insertFix`) ? [{ ids: [id], ticks: [], given: { type: "dropped", fix: id } as const }] : [],
    ),
    ...Object.entries(turn.changes).flatMap(([key, { change }]) => {
      const ids = change.tasks.map(({ id }) => id);
      const ticks = change.tick === true ? [change.task] : [];
      return isOpen(`${key}/changePlan`) ? [{ ids, ticks, given: { type: "withdrawn", key } as const }] : [];
    }),
    ...(addition === undefined ? [] : [{ ids: addition.change.tasks.map(({ id }) => id), ticks: [], given: null }]),
  ];
}

export const isWrittenIn = ({ tasks }: Tasks, { ids }: PendingWrite): boolean =>
  ids.every((wanted) => tasks.some(({ id }) => id === wanted));

export function interruptedWrites(
  state: RunState,
  found: Tasks,
): { readonly added: Set<TaskId>; readonly ticked: Set<TaskId> } {
  const made = pendingWrites(state).filter((each) => isWrittenIn(found, each));
  return { added: new Set(made.flatMap(({ ids }) => ids)), ticked: new Set(made.flatMap(({ ticks }) => ticks)) };
}
