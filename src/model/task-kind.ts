import type { Task } from "./task.ts";

/**
 * What a task asks for. `red`: only the failing test; `green`: the least code that makes it pass; `yellow`: clean up;
 * `end-to-end` and `goal` are verifications with a treatment of their own.
 */
export type TaskKind = "plain" | "red" | "green" | "yellow" | "verification" | "end-to-end" | "goal";

/** What is looked at to tell the kind of a task. */
export type TaskSign = Pick<Task, "id" | "title" | "markers">;

const goal = /\bgoal verification\b/i;
const endToEnd = /\bE2E\b/i;
const cleanup = /\b(?:clean(?:s|ing)?[ -]?up|tear(?:s|ing)?[ -]?down)\b/i;

/** The kind of a task, by its markers, its id and its title. */
export function kindOf({ id, title, markers }: TaskSign): TaskKind {
  if (markers.includes("VERIFY")) {
    if (/^VF/.test(id) || goal.test(title)) return "goal";
    return endToEnd.test(title) ? "end-to-end" : "verification";
  }
  if (markers.includes("RED")) return "red";
  if (markers.includes("GREEN")) return "green";
  return markers.includes("YELLOW") ? "yellow" : "plain";
}

/** Whether a task is carried out even though the run has to stop: it removes what others have set up. */
export const isCleanup = (task: TaskSign): boolean =>
  task.markers.includes("FINALLY") || (kindOf(task) === "end-to-end" && cleanup.test(task.title));
