import { InputError } from "../../model/errors.ts";
import type { Task, TaskId } from "../../model/task.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import { chunkAt } from "./chunk.ts";
import type { PlanDocument } from "./plan-document.ts";

/** A task with its index in the plan, and as found in its chunk. */
export interface TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly found: FoundTask;
  /** Whether the task is a heading; if so, `found` is the first of its steps. */
  readonly isHeading: boolean;
}

/**
 * Find the task with an id.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function findTask(document: PlanDocument, id: TaskId): TaskPlace {
  const places = tasksOf(document, id);
  const open = places.filter(({ task }) => !task.done);
  // If several tasks have this id, take the open tasks; if none is open, take the first task.
  const [place, other] = open.length > 0 ? open : places.slice(0, 1);
  if (place === undefined) {
    throw new InputError(`Cannot find task \`${id}\`, expected it in the plan`, {
      code: "task-not-found",
      hint: "Name one of the tasks in tasks.md",
    });
  }
  if (other !== undefined) {
    const lines = `${place.task.line} and ${other.task.line}`;
    throw new InputError(`Cannot find task \`${id}\`, expected one line with this id, found lines ${lines}`, {
      code: "ambiguous-task",
      hint: "Give one of the two tasks another id.",
    });
  }
  return place;
}

/**
 * The source of a task's block.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function blockOf(document: PlanDocument, id: TaskId): string {
  const { start, end } = findTask(document, id).task;
  return document.text.slice(start, end);
}

export function tasksOf(document: PlanDocument, id: TaskId): TaskPlace[] {
  const places: TaskPlace[] = [];
  // Avoid intermediate lists, since each step of a run calls this function.
  document.plan.tasks.forEach((task, index) => {
    if (task.id === id) places.push(placeOf(document, task, index));
  });
  return places;
}

export function taskAt(document: PlanDocument, index: number): TaskPlace | undefined {
  const task = document.plan.tasks[index];
  return task === undefined ? undefined : placeOf(document, task, index);
}

function placeOf(document: PlanDocument, task: Task, index: number): TaskPlace {
  const { chunk, offset } = chunkAt(document.chunks, task.box);
  const found = chunk.tasks.find(({ box }) => offset + box === task.box) as FoundTask;
  return { task, index, found, isHeading: offset + found.start !== task.start };
}
