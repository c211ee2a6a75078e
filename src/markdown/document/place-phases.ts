import type { Phase } from "../../model/plan.ts";
import type { Task } from "../../model/task.ts";
import type { Layout } from "./layout.ts";
import { beginsPhase } from "./phase-behind.ts";

/** The headings above tasks, in order. @param tasks All tasks of the document. */
export function placePhases({ pages, phaseLevel }: Layout, tasks: readonly Task[]): Phase[] {
  const phases: { title: string; line: number; tasks: string[] }[] = [];
  let above: { title: string; line: number } | null = null;
  let line = 1;
  let index = 0;
  for (const { headings, tasks: found, lines } of pages.flatMap(({ chunks }) => chunks)) {
    const placed = headings
      .filter((heading) => beginsPhase(heading, phaseLevel))
      .map((heading) => ({ title: heading.title, start: heading.start, line: line + heading.line }));
    for (const { start } of found) {
      const heading = placed.findLast((one) => one.start < start) ?? above;
      if (heading !== null) {
        if (phases.at(-1)?.line !== heading.line) phases.push({ title: heading.title, line: heading.line, tasks: [] });
        phases.at(-1)?.tasks.push((tasks[index] as Task).id);
      }
      index += 1;
    }
    above = placed.at(-1) ?? above;
    line += lines;
  }
  return phases;
}
