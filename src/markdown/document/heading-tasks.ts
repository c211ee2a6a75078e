import type { Task } from "../../model/task.ts";
import { readTree } from "../blocks/read-tree.ts";
import { isGeneratedId } from "../tasks/generated-id.ts";
import type { FoundHeading } from "../tasks/read-blocks.ts";
import { readFields } from "../tasks/read-fields.ts";
import { contentEnd, lineEnd, skipEnding, trimBlank } from "../text/line-ending.ts";

/** A heading with its place in the document. */
export interface PlacedHeading extends FoundHeading {
  /** Behind what stands below it: where a heading of its level or a higher one begins, or the document ends. */
  readonly end: number;
  /** Title of the nearest heading above of a higher level; null for none. */
  readonly above: string | null;
}

const named =
  /^(?:\*\*)?(?:Task[ \t]+(\d+(?:\.\d+)*)|(T\d+(?:\.\d+)*))\b(?:\*\*)?[ \t]*[:.)\u2013\u2014-]*(?:\*\*)?[ \t]*(.*)/i;

/**
 * The tasks of a plan, with a heading such as `### Task 1: Title` in place of the boxes without an id that stand below it: its
 * steps are done together, and their boxes ticked with it. Fix tasks below it stay tasks.
 */
export function headingTasks(tasks: readonly Task[], headings: readonly PlacedHeading[], text: string): Task[] {
  let next = 0;
  const names = headings.map(({ title }) => named.exec(title));
  const units = headings.flatMap((heading, at) => {
    while (next < tasks.length && (tasks[next] as Task).start < heading.start) next += 1;
    const name = names[at] ?? null;
    if (name === null) return [];
    // What stands below a task within it belongs to that.
    const inner = names.findIndex((other, index) => index > at && other !== null);
    if ((headings[inner]?.start ?? heading.end) < heading.end) return [];
    let behind = next;
    while (behind < tasks.length && (tasks[behind] as Task).start < heading.end) behind += 1;
    return unitOf(tasks.slice(next, behind), heading, name, text);
  });
  if (units.length === 0) return [...tasks];
  const steps = new Set(units.flatMap(({ boxes = [] }) => boxes));
  return [...tasks.filter(({ box }) => !steps.has(box)), ...units].sort((one, other) => one.start - other.start);
}

function unitOf(below: readonly Task[], heading: PlacedHeading, name: readonly string[], text: string): Task[] {
  const [, number, code, title = ""] = name;
  const id = number ?? code;
  const steps = below.filter(({ fixOf }) => fixOf === null);
  const [first] = steps;
  if (
    id === undefined ||
    first === undefined ||
    steps.filter(({ id: own }) => isGeneratedId(own)).length * 2 <= steps.length
  )
    return [];
  const end = contentEnd(text, heading.start, heading.end);
  const behindTitle = skipEnding(text, lineEnd(text, heading.start));
  const source = text.slice(behindTitle, end);
  const root = readTree(source);
  const fields = readFields(source, { item: root, owned: [] });
  const boxes = steps.flatMap(({ box, boxes: own = [box] }) => own);
  return [
    {
      id,
      title: trimBlank(title),
      markers: [],
      done: steps.every(({ done }) => done),
      phase: heading.above,
      fixOf: null,
      parent: null,
      line: heading.line,
      start: heading.start,
      end,
      box: first.box,
      boxes,
      fields,
    },
  ];
}
