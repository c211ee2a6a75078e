import type { Plan } from "../model/plan.ts";
import { openPlan } from "./document/plan-document.ts";

/**
 * Read the tasks of a plan.
 *
 * @param markdown
 *   A `tasks.md`: CommonMark with GFM task list items, in any of the dialects of docs/formats.md.
 * @returns
 *   Its tasks in document order. What cannot be followed stands in `problems`; nothing is thrown.
 * @see docs/formats.md
 */
export const readPlan = (markdown: string): Plan => openPlan(markdown).plan;
