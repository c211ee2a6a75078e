import { progressName } from "../model/progress-name.ts";
import type { TaskId } from "../model/task-id.ts";

/** The last part of a folder's path, whatever its separators. */
export const specName = (folder: string): string => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? "";

/** Where an executor writes what it has learned: the log of the spec, or that of a member of a batch. */
export const progressFileOf = (folder: string, member: TaskId | null): string =>
  `${folder}/${member === null ? progressName() : progressName(member)}`;
