import { fileNamePart } from "./file-name-part.ts";
import type { TaskId } from "./task-id.ts";

/** Name of the progress log of a spec, or of that of a member of a batch. */
export const progressName = (member?: TaskId): string =>
  member === undefined ? ".progress.md" : `.progress-task-${fileNamePart(member)}.md`;
