import type { Task, TaskId } from "../../model/task.ts";
import { readTree } from "../blocks/read-tree.ts";
import { dependenciesIn } from "../tasks/dependencies.ts";
import type { FoundHeading } from "../tasks/read-blocks.ts";
import { readFields } from "../tasks/read-fields.ts";
import { isGeneratedId } from "../tasks/read-title.ts";
import { contentEnd, lineEnd, skipEnding, trimBlank } from "../text/line-ending.ts";

/** Share of tasks with an id from which boxes without an id do not count as tasks. */
const mostlyNamed = 0.75;
const fewest = 3;

/** A task that is still being completed. */
type Draft = { -readonly [Key in keyof Task]: Task[Key] };

/**
 * Complete the tasks of a plan as their authors mean them: find groups, criteria and dependencies.
 *
 * @param found In order, with their place; changed in place, so the caller must not share them.
 */
export function giveMeaning(found: readonly Task[], headings: readonly PlacedHeading[], text: string): readonly Task[] {
  const drafts: Draft[] = headingTasks(found, headings, text);
  groupFlat(drafts, text);
  markGroups(drafts, text);
  markByHeading(drafts, headings);
  const ids = drafts.map(({ id }) => id);
  const known = new Map(ids.map((id, index) => [id, index]));
  for (const [index, draft] of drafts.entries()) {
    // Dependencies in the nested tasks of a group do not belong to the group.
    const end = draft.isGroup === true ? (drafts[index + 1] as Draft).start : draft.end;
    const after = dependenciesIn(text.slice(draft.start, end), ids, known).filter((id) => id !== draft.id);
    if (after.length > 0) draft.after = after;
  }
  return drafts;
}

/** Make a task the parent of later tasks whose ids extend its id, whatever their indentation. */
function groupFlat(tasks: readonly Draft[], text: string): void {
  const wholes = new Map<TaskId, Draft>();
  /** Parents of the tasks grouped here, and of their fixes. */
  const wholeOf = new Map<TaskId, Draft>();
  for (const [index, task] of tasks.entries()) {
    if (isGeneratedId(task.id)) continue;
    const { fixOf, id } = task;
    const whole = fixOf === null ? wholes.get(id.slice(0, Math.max(0, id.lastIndexOf(".")))) : wholeOf.get(fixOf);
    if (whole !== undefined && task.parent === null && whole.phase === task.phase) {
      task.parent = whole.id;
      wholeOf.set(id, whole);
    }
    if (fixOf !== null) continue;
    if (/^\d+$/.test(task.id) && saysNothing(task, tasks[index + 1], text)) wholes.set(task.id, task);
  }
}

/** Lines of a task without any instruction. */
const remark = /^\s*(?:[-*+]\s+)?_.*_\s*$|^\s*$/;

/** Whether a task consists only of its title and of nested tasks. */
function saysNothing({ start, end, fields }: Draft, next: Draft | undefined, text: string): boolean {
  const [, ...lines] = text.slice(start, Math.min(end, next?.start ?? end)).split(/\r\n|\n|\r/);
  return Object.keys(fields).length === 0 && lines.every((line) => remark.test(line));
}

/**
 * Mark tasks without text that contain others as groups. A group is done when its tasks are, and is optional if all of
 * them are.
 */
function markGroups(tasks: readonly Draft[], text: string): void {
  const held = new Map<Draft, Draft[]>();
  // Of several tasks with the same id, the last one before a task is its parent.
  const last = new Map<TaskId, Draft>();
  for (const task of tasks) {
    const holder = task.parent === null || task.fixOf !== null ? undefined : last.get(task.parent);
    if (holder !== undefined) {
      const inner = held.get(holder) ?? [];
      inner.push(task);
      held.set(holder, inner);
    }
    last.set(task.id, task);
  }
  // Inner groups first, since groups come before their tasks.
  for (const [index, task] of [...tasks.entries()].reverse()) {
    const inner = held.get(task) ?? [];
    if (inner.length === 0 || task.fixOf !== null || !saysNothing(task, tasks[index + 1], text)) continue;
    task.isGroup = true;
    if (inner.every(({ aside }) => aside === "optional")) task.aside ??= "optional";
  }
}

/** Headings of sections whose boxes are criteria or questions. */
const criteria =
  /\b(?:success|acceptance|completion|exit|quality) criteria\b|\bdefinition of done\b|\b(?:unresolved|open) questions\b/i;
/** Status lines that a tool writes below a plan; their numbers are its own. */
const statusLines = /\bstatus markers$/i;
const forPeople =
  /^(?:\d{1,4}[.)][ \t]?)?(?:manual|human)(?: (?:steps?|tasks?|tests?|testing|verification|validation|checks?|qa|reviews?|actions?|work|setup|follow-?ups?)\b|[:：]|$)/i;
const forLater =
  /^(?:deferred|out of scope)(?:$|[:：(]| (?:tasks?|items?|work|features?|to|until|for)\b| [\u2013\u2014-])/i;

/** Set aside boxes that are not tasks, and tasks below a heading that excludes them. */
function markByHeading(tasks: readonly Draft[], headings: readonly PlacedHeading[]): void {
  const planned = tasks.filter(({ fixOf }) => fixOf === null);
  const named = planned.filter(({ id }) => !isGeneratedId(id));
  const isNamed = named.length >= fewest && named.length >= planned.length * mostlyNamed;
  const starts = new Set(headings.map(({ start }) => start));
  const hasHeadings = named.some(({ start }) => starts.has(start));
  const above = headingsAbove(planned, headings);
  const withNamed = new Set(named.map((task) => above.get(task)));
  for (const task of planned) {
    const heading = above.get(task);
    const title = heading?.title ?? "";
    const isBare = isGeneratedId(task.id);
    const isCriterion = criteria.test(title) || (isNamed && (hasHeadings || !withNamed.has(heading)));
    if (statusLines.test(title) || (isBare && named.length > 0 && isCriterion)) task.aside ??= "criterion";
    else if (forPeople.test(title)) task.aside ??= "person";
    else if (forLater.test(title)) task.aside ??= "deferred";
  }
}

/** Find the nearest heading above each task. */
function headingsAbove(
  tasks: readonly Draft[],
  headings: readonly PlacedHeading[],
): Map<Draft, PlacedHeading | undefined> {
  let next = 0;
  return new Map(
    tasks.map((task) => {
      while (next < headings.length && (headings[next] as PlacedHeading).start < task.start) next += 1;
      return [task, headings[next - 1]];
    }),
  );
}

/** A heading with its place in the document. */
export interface PlacedHeading extends FoundHeading {
  /** End of its section: the next heading of the same or a higher level, or the end of the document. */
  readonly end: number;
  /** Title of the nearest heading above of a higher level; null for none. */
  readonly above: string | null;
}

const named =
  /^(?:\*\*)?(?:Task[ \t]+(\d+(?:\.\d+)*)|(T\d+(?:\.\d+)*))\b(?:\*\*)?[ \t]*[:.)\u2013\u2014-]*(?:\*\*)?[ \t]*(.*)/i;

/**
 * Replace the boxes without an id below a heading such as `### Task 1: Title` by one task for the heading: its steps
 * are done together, and their boxes are ticked with it. Fix tasks below it stay tasks.
 */
function headingTasks(tasks: readonly Task[], headings: readonly PlacedHeading[], text: string): Task[] {
  let next = 0;
  const names = headings.map(({ title }) => named.exec(title));
  const units = headings.flatMap((heading, at) => {
    while (next < tasks.length && (tasks[next] as Task).start < heading.start) next += 1;
    const name = names[at] ?? null;
    if (name === null) return [];
    // If a task heading contains another one, the inner one is the task.
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
