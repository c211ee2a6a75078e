import { learnings } from "./member-log.ts";
import { readProgress } from "./progress-section.ts";

/** Whether anything is written below `## Learnings`. */
export const hasLearnings = (log: string): boolean =>
  readProgress(log)
    .findAll(learnings)
    .some(({ endsWith }) => endsWith !== "heading");
