import type { Task, TaskId } from "../../model/task.ts";
import { dependenciesIn } from "../tasks/dependencies.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { isGeneratedId } from "../tasks/read-title.ts";
import { headingsAbove, headingTasks, idsWithoutBox, titleTask, unreadHeadings, withTasks } from "./heading-tasks.ts";
import {
  forLater,
  forPeople,
  isCriteria,
  type Labels,
  labelsOf,
  mayBeLeft,
  mostProofs,
  part,
  progress,
  proof,
  statusLines,
  tasksBelow,
} from "./section-words.ts";

/** If tasks with an id have at least this share of all boxes, boxes without an id may be set aside. */
const mostlyNamed = 0.75;
const fewest = 3;

type Draft = { -readonly [Key in keyof Task]: Task[Key] };

/**
 * Complete the tasks of a plan as their authors mean them: find groups, criteria and dependencies.
 *
 * @param found Tasks in order, with their offsets. This function modifies the tasks, so the caller must not share them.
 */
export function interpretTasks(
  found: readonly Task[],
  headings: readonly PlacedHeading[],
  text: string,
): readonly Task[] {
  const labels = labelsOf(found, text);
  const isProof = tasksBelow(found, headings, isCriteria, labels);
  const read = headingTasks(found, headings, labels, isProof.size > found.length * mostProofs, text);
  const drafts: Draft[] = asOneTask(read, headings, text) ?? read;
  groupFlat(drafts, text);
  markGroups(drafts, text);
  markByHeading(drafts, headings, labels);
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

/**
 * Set the parent of tasks such as `1.2` to the earlier task `1`, if task `1` has no text. Indentation does not matter.
 */
function groupFlat(tasks: readonly Draft[], text: string): void {
  const wholes = new Map<TaskId, Draft>();
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

/** A line without an instruction. */
const remark = /^\s*(?:[-*+]\s+)?_.*_\s*$|^\s*$/;

/** Whether a task consists only of its title and of nested tasks. */
function saysNothing({ start, end, fields }: Draft, next: Draft | undefined, text: string): boolean {
  const [, ...lines] = text.slice(start, Math.min(end, next?.start ?? end)).split(/\r\n|\n|\r/);
  return Object.keys(fields).length === 0 && lines.every((line) => remark.test(line));
}

/**
 * Mark as groups the tasks that contain other tasks and have no text of their own. A group is done when all its tasks
 * are done, and optional if all its tasks are optional. The tasks within a task that is set aside are set aside, too.
 */
function markGroups(tasks: readonly Draft[], text: string): void {
  const held = new Map<Draft, Draft[]>();
  // If several tasks have the id of the parent, the last one before the task is its parent.
  const last = new Map<TaskId, Draft>();
  for (const task of tasks) {
    const holder = task.parent === null || task.fixOf !== null ? undefined : last.get(task.parent);
    if (holder !== undefined) {
      const inner = held.get(holder) ?? [];
      inner.push(task);
      held.set(holder, inner);
      if (holder.aside !== undefined) task.aside ??= holder.aside;
    }
    last.set(task.id, task);
  }
  // Go backwards to visit inner groups first, since a group comes before its tasks.
  for (const [index, task] of [...tasks.entries()].reverse()) {
    const inner = held.get(task) ?? [];
    if (inner.length === 0 || task.fixOf !== null || !saysNothing(task, tasks[index + 1], text)) continue;
    task.isGroup = true;
    if (inner.every(({ aside }) => aside === "optional")) task.aside ??= "optional";
  }
}

/** An id of a criterion, or a number in front of it, which is no id: `4 files exist`. */
const criterionId = /^(?:\d+|(?:AC|SC|DOD)-?\d[\d.]*)$/;
/** The section of BMAD that holds all tasks of a story. */
const onlyTasks = /^tasks ?\/ ?subtasks$/i;

/** Read a plan with a title in which hardly anything but criteria has boxes; null for other plans. */
function asOneTask(read: readonly Task[], headings: readonly PlacedHeading[], text: string): Draft[] | null {
  const [title, ...sections] = headings;
  if (title?.level !== 1 || isCriteria(title.title)) return null;
  const planned = read.filter(({ fixOf }) => fixOf === null);
  const starts = new Set(headings.map(({ start }) => start));
  const isTask = ({ id, start }: Task): boolean => starts.has(start) || !(isGeneratedId(id) || criterionId.test(id));
  const { size } = tasksBelow(planned, sections, isCriteria);
  if (size <= planned.length * mostProofs || planned.some(isTask)) return null;
  if (unreadHeadings(planned, headings).length > 0) return null;
  return [titleTask(planned, title, text), ...read.filter(({ fixOf }) => fixOf !== null)];
}

/** Set aside boxes that are not tasks, and tasks below a heading that excludes them. */
function markByHeading(tasks: readonly Draft[], headings: readonly PlacedHeading[], labels: Labels): void {
  const planned = tasks.filter(({ fixOf }) => fixOf === null);
  const tasksIn = (isMeant: (title: string) => boolean): ReadonlySet<Draft> =>
    tasksBelow(planned, headings, isMeant, labels);
  const starts = new Set(headings.map(({ start }) => start));
  const isProof = tasksIn(isCriteria);
  const unread = idsWithoutBox(planned, headings);
  const isCounted = ({ id, start }: Draft): boolean => (criterionId.test(id) && !starts.has(start)) || unread.has(id);
  const named = planned.filter((task) => !isGeneratedId(task.id) && !(isProof.has(task) && isCounted(task)));
  const isNamed = named.length >= fewest && boxesIn(named) >= boxesIn(planned) * mostlyNamed;
  const hasHeadings = named.some(({ start }) => starts.has(start));
  const above = headingsAbove(planned, headings);
  const withNamed = new Set(named.map((task) => above.get(task)));
  const withId = new Set(named);
  const isOfPeople = tasksIn((title) => forPeople.test(title));
  const isLater = tasksIn((title) => forLater.test(title));
  const isOptional = tasksIn(mayBeLeft);
  const isTask = tasksIn((title) => onlyTasks.test(title));
  const isRepeat = repeatsIn(planned, headings, starts);
  // If nearly all boxes of the plan are criteria, the criteria are the tasks.
  const isOther = named.length > 0 || isProof.size <= planned.length * mostProofs;
  const hasOthers = isOther || unread.size > 0;
  for (const task of planned) {
    const heading = above.get(task);
    const title = heading?.title ?? "";
    const isOutside = (isTask.size > 0 && !isTask.has(task)) || (isProof.has(task) && hasOthers);
    const isBeside = hasHeadings ? isNamed || proof.test(title) : isNamed && !withNamed.has(heading);
    const isNone = statusLines.test(title) || isRepeat.has(task) || (!withId.has(task) && (isOutside || isBeside));
    if (isNone && !forPeople.test(title)) task.aside ??= "criterion";
    else if (isOfPeople.has(task)) task.aside ??= "person";
    else if (isLater.has(task)) task.aside ??= "deferred";
    else if (isOptional.has(task)) task.aside ??= "optional";
  }
}

/** Find boxes that repeat a heading with tasks, such as `Phase 2`, or that repeat a task in a list of progress. */
function repeatsIn(
  tasks: readonly Draft[],
  headings: readonly PlacedHeading[],
  starts: ReadonlySet<number>,
): ReadonlySet<Draft> {
  const nameOf = (title: string): string | undefined => part.exec(title)?.[1]?.toLowerCase();
  const parts = new Map(Array.from(withTasks(tasks, headings), (heading) => [nameOf(heading.title), heading]));
  const listed = tasksBelow(tasks, headings, (title) => progress.test(title));
  const titles = new Set(tasks.flatMap((task) => (listed.has(task) ? [] : [task.title])));
  return new Set(
    tasks.filter((task) => {
      if (starts.has(task.start)) return false;
      if (listed.has(task) && titles.has(task.title)) return true;
      const whole = parts.get(nameOf(task.title) ?? "");
      return whole !== undefined && (task.start < whole.start || task.start >= whole.end);
    }),
  );
}

/** Count the boxes of tasks. A task made from a heading has the boxes of its steps. */
const boxesIn = (tasks: readonly Draft[]): number => tasks.reduce((sum, { boxes }) => sum + (boxes?.length ?? 1), 0);
