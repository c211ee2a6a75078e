import type { Task, TaskId } from "../../model/task.ts";
import { readTree } from "../blocks/read-tree.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { readFields } from "../tasks/read-fields.ts";
import { asideOf, generatedId, isGeneratedId, readTitle } from "../tasks/read-title.ts";
import { contentEnd, lineEnd, skipEnding } from "../text/line-ending.ts";
import { isCriteria, type Labels, proof } from "./section-words.ts";

/** Name of a heading that is a task, in one of several languages. */
const taskName =
  /^[^\p{L}\p{N}[]*(?:[A-Z]\d{1,2}[ \t])?(?:(?:Task|任务|任務|タスク|Tarea|Tarefa|Tâche|Aufgabe|Задача)(?:[ \t]*((?:[A-Z]{1,3}-?)?\d+[a-z]?(?:\.\d+[a-z]?)*)|[ \t]+[A-Z](?=:))|(T\d+(?:\.\d+)*))(?![\p{L}\p{N}])/iu;
/** Number of a heading, such as `### 1. Title`. */
const number = /^(\d{1,3})(?=[.)][ \t]+[^ \t~])/;
const ofTasks = /^(?:[\w-]+ )?tasks$/i;
/** Name of a phase heading. A phase heading is a task if all boxes below it are criteria. */
const phaseName = /^[^\p{L}\p{N}[]*Phase[ \t]+(\d+)(?=[ \t]?[:.\u2013\u2014-])/iu;
const separator = /^(?:\*\*)?[ \t]*[:：.)\u2013\u2014-]*(?:\*\*)?[ \t]*/;
const parallelBehind = /(?:\[P\]|\(P\))$/;
const proves = (title: string): boolean => proof.test(title) || /^tests?:?$/i.test(title);
const manual = /\b(?:manual|human)\b/i;

/**
 * Replace the boxes without an id below a heading such as `### Task 1: Title` by one task for the heading. The boxes
 * are the steps of the task: they are done together, and ticked with it. Fix tasks below the heading stay tasks.
 *
 * @param isOfCriteria Whether nearly all boxes of the plan are criteria: each heading with such a list is a task.
 */
export function headingTasks(
  tasks: readonly Task[],
  headings: readonly PlacedHeading[],
  labels: Labels,
  isOfCriteria: boolean,
  text: string,
): Task[] {
  const isLabelled = (step: Task): boolean => isCriteria(labels.get(step) ?? "");
  const above = headingsAbove(tasks, headings);
  const inner = startsOfNext(headings);
  let next = 0;
  const units = headings.flatMap((heading, at) => {
    while (next < tasks.length && (tasks[next] as Task).start < heading.start) next += 1;
    const task = taskName.exec(heading.title);
    const phase = phaseName.exec(heading.title);
    const name = task ?? phase ?? number.exec(heading.title) ?? (isOfCriteria ? anyName.exec(heading.title) : null);
    // If a task heading contains another task heading, only the inner heading is a task.
    if (name === null || (inner[at] as number) < heading.end) return [];
    let behind = next;
    while (behind < tasks.length && (tasks[behind] as Task).start < heading.end) behind += 1;
    const below = tasks.slice(next, behind).filter(({ fixOf }) => fixOf === null);
    const headingOf = (step: Task): PlacedHeading => above.get(step) as PlacedHeading;
    const isOwn = (step: Task): boolean => headingOf(step) === heading;
    const isProof = (step: Task): boolean => (isOwn(step) ? isLabelled(step) : proves(headingOf(step).title));
    // A numbered heading is a task if its steps are numbered, too, or are its criteria.
    const isStep = (step: Task): boolean => isOwn(step) && (isLabelled(step) || /\d/.test(text.charAt(step.start)));
    if (task === null && (heading.level === 1 || !below.every(phase === null ? isStep : isProof))) return [];
    const steps = task === null ? below.filter((step) => !manual.test(headingOf(step).title)) : below;
    const unnamed = steps.filter(({ id }) => isGeneratedId(id));
    return unnamed.length * 2 > steps.length ? [taskOf(steps, heading, name, text)] : [];
  });
  if (units.length === 0) return [...tasks];
  const steps = new Set(units.flatMap(({ boxes = [] }) => boxes));
  return [...tasks.filter(({ box }) => !steps.has(box)), ...units].sort((one, other) => one.start - other.start);
}

/** Find the nearest heading above each task; undefined for tasks above the first heading. */
export function headingsAbove<One extends Pick<Task, "start">>(
  tasks: readonly One[],
  headings: readonly PlacedHeading[],
): Map<One, PlacedHeading | undefined> {
  let next = 0;
  return new Map(
    tasks.map((task) => {
      while (next < headings.length && (headings[next] as PlacedHeading).start < task.start) next += 1;
      return [task, headings[next - 1]];
    }),
  );
}

/** The name of a heading that is a task, whether or not it has boxes. */
const nameOf = ({ title, above }: PlacedHeading): RegExpExecArray | null =>
  taskName.exec(title) ?? (ofTasks.test(above ?? "") ? number.exec(title) : null);

/** Any heading, with the number in front of its title if there is one: `Story 1.3: Title`, `US-003: Title`, `2.1 Title`. */
const anyName =
  /^(?:[^\p{L}\p{N}[]*(?:(?:User[ \t]+)?Story[ \t]+(\d+(?:\.\d+)*)|(US-?\d+|\d+(?:\.\d+)+))(?![\p{L}\p{N}]))?/iu;

/** Make the title of a plan its only task, with all boxes as steps. */
export const titleTask = (steps: readonly Task[], title: PlacedHeading, text: string): Task =>
  taskOf(steps, title, anyName.exec(title.title) as RegExpExecArray, text);

/** Find the headings whose section contains a task. Both lists are in the order of the text. */
export function withTasks(
  tasks: readonly Pick<Task, "start">[],
  headings: readonly PlacedHeading[],
): ReadonlySet<PlacedHeading> {
  let next = 0;
  return new Set(
    headings.filter(({ start, end }) => {
      while (next < tasks.length && (tasks[next] as Task).start < start) next += 1;
      return (tasks[next]?.start ?? end) < end;
    }),
  );
}

/** Find headings that name a task, but whose section contains no task and no other heading that names a task. */
export function unreadHeadings(tasks: readonly Task[], headings: readonly PlacedHeading[]): PlacedHeading[] {
  const inner = startsOfNext(headings);
  const holding = withTasks(tasks, headings);
  return headings.filter(
    (heading, at) => nameOf(heading) !== null && (inner[at] as number) >= heading.end && !holding.has(heading),
  );
}

/** Ids in the headings that name a task, but have no box; undefined for a heading without an id. */
export const idsWithoutBox = (
  tasks: readonly Task[],
  headings: readonly PlacedHeading[],
): ReadonlySet<TaskId | undefined> =>
  new Set(unreadHeadings(tasks, headings).map((heading) => idIn(nameOf(heading) as RegExpExecArray)));

const idIn = ([, count, code]: RegExpExecArray): TaskId | undefined => count ?? code;

/**
 * Create tasks from headings that are tasks, but have no box. The `box` of these tasks is the start of the heading.
 */
export const tasksWithoutBox = (headings: readonly PlacedHeading[], text: string): Task[] =>
  headings.map((heading) =>
    taskOf([], heading, nameOf(heading) ?? (anyName.exec(heading.title) as RegExpExecArray), text),
  );

/** Find headings such as `### 1.2 Title` below `## 1. Title`, which are the tasks of a plan without boxes. */
export const numberedHeadings = (headings: readonly PlacedHeading[]): PlacedHeading[] =>
  headings.filter(({ title, above }) => {
    const whole = /^\d{1,3}(?=(?:\.\d{1,3}){1,3}[ \t])/.exec(title)?.[0];
    return whole !== undefined && /^(?:Phase[ \t]+)?(\d{1,3})(?!\d)/i.exec(above ?? "")?.[1] === whole;
  });

/** For each heading, the start of the next heading that is a task. */
function startsOfNext(headings: readonly PlacedHeading[]): number[] {
  let start = Number.MAX_SAFE_INTEGER;
  return headings
    .toReversed()
    .map((heading) => {
      const next = start;
      if (taskName.test(heading.title)) start = heading.start;
      return next;
    })
    .reverse();
}

function taskOf(steps: readonly Task[], heading: PlacedHeading, name: RegExpExecArray, text: string): Task {
  const end = contentEnd(text, heading.start, heading.end);
  const source = text.slice(skipEnding(text, lineEnd(text, heading.start)), end);
  const written = heading.title.slice(name[0].length).replace(separator, "");
  const isParallel = parallelBehind.test(written);
  // `readTitle` reads markers only after an id, so put a number before the title.
  const own = readTitle(`1 ${isParallel ? written.slice(0, -3) : written}`);
  const boxes = steps.flatMap(({ box, boxes: own = [box] }) => own);
  const aside = asideOf("", own, source);
  return {
    ...(aside !== null && { aside }),
    id: idIn(name) ?? generatedId(own.title),
    title: own.title,
    markers: isParallel ? [...own.markers, "P"] : own.markers,
    done: steps.every(({ done }) => done),
    phase: heading.above,
    fixOf: null,
    parent: null,
    line: heading.line,
    start: heading.start,
    end,
    box: boxes[0] ?? heading.start,
    boxes,
    fields: readFields(source, { item: readTree(source), owned: [] }),
  };
}
