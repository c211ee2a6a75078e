import { fileNamePart } from "./file-name-part.ts";
import type { TaskId } from "./task-id.ts";

/** Name of the progress log of a spec, or of that of a member of a batch. */
export const progressName = (member?: TaskId): string =>
  member === undefined ? ".progress.md" : `${start}${fileNamePart(member)}${end}`;

/** The member by whose log's name a file is called, where its id stands in there as it is; null for any other name. */
export function memberIn(name: string): TaskId | null {
  const member = name.slice(start.length, -end.length);
  return member !== "" && name === progressName(member) ? member : null;
}

const start = ".progress-task-";
const end = ".md";
