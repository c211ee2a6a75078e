import type { Task } from "../model/task.ts";

/** What a task is expected to come to, in one line: its Done when and its Verify, else its title. */
export function expectedOf({ title, fields }: Pick<Task, "title" | "fields">): string {
  const { doneWhen, verify } = fields;
  const told = [doneWhen, verify === undefined ? undefined : `Verify: ${verify}`].filter((text) => text !== undefined);
  return (told.length === 0 ? title : told.join("; ")).replace(/\s+/g, " ").trim();
}
