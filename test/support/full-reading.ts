import { beginsPhase } from "../../src/markdown/document/phase-behind.ts";
import { phaseLevel } from "../../src/markdown/document/phase-level.ts";
import { preambleLength } from "../../src/markdown/document/preamble.ts";
import { readBlocks } from "../../src/markdown/tasks/read-blocks.ts";
import { readFields } from "../../src/markdown/tasks/read-fields.ts";

/** A document read in one piece by the markdown parser, to hold the reading in chunks against. */
export function readInOnePiece(text: string) {
  const skip = preambleLength(text);
  const markdown = text.slice(skip);
  const line = text.slice(0, skip).split(/\r\n|\n|\r/).length;
  const { tasks, headings: all, oddities } = readBlocks(markdown);
  const level = phaseLevel(all);
  const headings = all.filter((heading) => beginsPhase(heading, level));
  return {
    tasks: tasks.map((task) => ({
      title: task.title,
      id: task.id,
      markers: [...task.markers],
      done: task.done,
      start: task.start + skip,
      end: task.end + skip,
      box: task.box + skip,
      line: task.line + line,
      depth: task.depth,
      phase: headings.findLast(({ start }) => start < task.start)?.title ?? null,
      fields: readFields(markdown, task),
    })),
    oddities: oddities.map((odd) => ({ rule: odd.rule, line: odd.line + line })),
  };
}
