import type { Plan } from "./plan.ts";
import { keysOf } from "./plan-parts.ts";
import type { Task, TaskFields } from "./task.ts";

/**
 * The change of one task between two versions of a plan. Titles, markers and fields are compared as written, except for
 * boxes in them; notes are not compared.
 */
export type PlanDifference =
  | { readonly kind: "added"; readonly after: Task }
  | { readonly kind: "removed"; readonly before: Task }
  /** The task has the same texts and another id. */
  | { readonly kind: "renamed"; readonly before: Task; readonly after: Task }
  | { readonly kind: "ticked" | "unticked"; readonly before: Task; readonly after: Task }
  | { readonly kind: "edited"; readonly before: Task; readonly after: Task; readonly texts: readonly TaskText[] }
  /** The task has another position among the tasks of both plans, another phase or another parent. */
  | { readonly kind: "moved"; readonly before: Task; readonly after: Task };

export type TaskText = "title" | "markers" | keyof TaskFields;

/**
 * Compare two versions of a plan, task by task. Tasks are matched by id; tasks with the same id are matched in order.
 * Notes, and boxes within a field, are ignored.
 *
 * @returns Changes in the order of the later plan, after the removed tasks.
 */
export function diffPlans(before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): PlanDifference[] {
  if (before === after) return [];
  const old = keyed(before.tasks);
  const now = keyed(after.tasks);
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, task]) => task);
  const gone = new Map<string, Task[]>();
  for (const task of removed) gone.set(textOf(task), [...(gone.get(textOf(task)) ?? []), task]);
  const stays = keptOrder(
    [...now.keys()].flatMap((key) => old.get(key) ?? []),
    before.tasks,
  );
  const there = [...now].flatMap(([key, task]): PlanDifference[] => {
    const was = old.get(key);
    if (was !== undefined) return differencesOf(was, task, !stays.has(was));
    const origin = gone.get(textOf(task))?.shift();
    if (origin === undefined) return [{ kind: "added", after: task }];
    return [{ kind: "renamed", before: origin, after: task }, ...differencesOf(origin, task, false)];
  });
  const lost = new Set([...gone.values()].flat());
  return [
    ...removed.filter((task) => lost.has(task)).map((task) => ({ kind: "removed", before: task }) as const),
    ...there,
  ];
}

function differencesOf(before: Task, after: Task, isOutOfOrder: boolean): PlanDifference[] {
  if (before === after && !isOutOfOrder) return [];
  const texts = textsThatDiffer(before, after);
  const isMoved = isOutOfOrder || before.parent !== after.parent || before.phase !== after.phase;
  return [
    ...(before.done === after.done ? [] : [{ kind: after.done ? "ticked" : "unticked", before, after } as const]),
    ...(texts.length === 0 ? [] : [{ kind: "edited", before, after, texts } as const]),
    ...(isMoved ? [{ kind: "moved", before, after } as const] : []),
  ];
}

function textsThatDiffer(before: Task, after: Task): TaskText[] {
  const fields = ["do", "files", "doneWhen", "verify", "commit"] as const;
  return [
    ...(before.title === after.title ? [] : (["title"] as const)),
    ...(before.markers.join("\n") === after.markers.join("\n") ? [] : (["markers"] as const)),
    ...fields.filter((field) => untickedIn(before, field) !== untickedIn(after, field)),
  ];
}

const untickedIn = ({ fields }: Task, field: keyof TaskFields): string | undefined =>
  field === "verify" ? fields.verify : fields[field] && withoutTicks(fields[field]);

/** Open all boxes in a text: the steps of a task may contain boxes. */
export const withoutTicks = (text: string): string => text.replace(/(?<=[-*+.)][ \t])\[[xX]\]/g, "[ ]");

const textOf = ({ title, markers, fields }: Task): string => JSON.stringify([title, markers, fields]);

function keyed(tasks: readonly Task[]): Map<string, Task> {
  const keys = keysOf(tasks);
  return new Map(tasks.map((task, index) => [keys[index] as string, task]));
}

/** Find the largest set of tasks with an unchanged order (longest increasing subsequence). */
function keptOrder(tasks: readonly Task[], order: readonly Task[]): ReadonlySet<Task> {
  const rank = new Map(order.map((task, index) => [task, index]));
  const rankOf = (index: number): number => rank.get(tasks[index] as Task) as number;
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  tasks.forEach((_, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rankOf(tails[middle] as number) < rankOf(index)) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1]);
    tails[low] = index;
  });
  const kept = new Set<Task>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) kept.add(tasks[at] as Task);
  return kept;
}
