import type { Plan } from "../../model/plan.ts";
import type { Task, TaskFields } from "../../model/task.ts";
import type { Chunk } from "../document/chunk.ts";
import { applyEdit, type Edit, type PlanDocument } from "../document/plan-document.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import { countEndings, dominantEnding, type LineEnding, splitLines } from "../text/line-ending.ts";
import type { InsertPlace } from "./insert-place.ts";
import type { RenderedTask } from "./render-task.ts";

/** An edit with its verified result. */
export interface ProvenEdit extends Edit {
  readonly after: PlanDocument;
}

/**
 * Build the edit that inserts tasks at a place, with blank lines around each task if needed. Null if the parsed result
 * is not as intended.
 */
export function provenInsert(
  document: PlanDocument,
  place: InsertPlace,
  tasks: readonly RenderedTask[],
): ProvenEdit | null {
  const ending = endingOf(document);
  for (const blankLines of new Set([place.blankLines, 1])) {
    const { edit, intended } = layOut(place, tasks, ending, blankLines);
    const after = applyEdit(document, edit);
    if (proveInsert(document, after, edit, place, intended)) return { ...edit, after };
  }
  return null;
}

function layOut(
  { side, offset, needsBlankBehind }: InsertPlace,
  tasks: readonly RenderedTask[],
  ending: LineEnding,
  blankLines: number,
): { edit: Edit; intended: IntendedTask[] } {
  const gap = ending.repeat(1 + blankLines);
  const intended: IntendedTask[] = [];
  let text = "";
  for (const task of tasks) {
    const block = task.lines.join(ending);
    if (side === "behind") text += gap;
    const start = offset + text.length + block.search(/[^ \t]/);
    text += block;
    intended.push({ ...task, start, end: offset + text.length });
    if (side === "before") text += gap;
  }
  return { edit: { start: offset, end: offset, text: needsBlankBehind ? `${text}${ending}` : text }, intended };
}

export const endingOf = ({ text }: Pick<PlanDocument, "text">): LineEnding => dominantEnding(countEndings(text));

export interface IntendedTask extends Pick<RenderedTask, "id" | "markers" | "title" | "fields"> {
  readonly start: number;
  readonly end: number;
}

interface ChunkRun {
  readonly chunks: readonly Chunk[];
  readonly offset: number;
}

/**
 * Whether an edit adds exactly the intended tasks, with the intended fields and open boxes, and leaves every other task
 * and heading unchanged. Examines only the chunks that differ.
 */
export function proveInsert(
  before: PlanDocument,
  after: PlanDocument,
  edit: Edit,
  place: Pick<InsertPlace, "depth">,
  intended: readonly IntendedTask[],
): boolean {
  const run = differingChunks(before.chunks, after.chunks);
  const old = tasksIn(run.before);
  const now = tasksIn(run.after);
  const at = old.filter(({ start }) => start < edit.start).length;
  const added = now.slice(at, at + intended.length);
  const end = Math.max(...intended.map((task) => task.end));
  return (
    after.text.length === before.text.length + edit.text.length &&
    now.length === old.length + intended.length &&
    headingsIn(run.before) === headingsIn(run.after) &&
    intended.every((task, index) => isIntended(added[index], task, place.depth)) &&
    now.toSpliced(at, intended.length).every((task, index) => isSame(old[index] as FoundTask, task, edit, end)) &&
    areTasks([...before.plan.tasks, ...intended], after.plan)
  );
}

/** Whether a plan has all these tasks: a heading may be a task because of the boxes below it, which are its steps. */
function areTasks(tasks: readonly Pick<Task, "id">[], plan: Plan): boolean {
  const ids = new Set(plan.tasks.map(({ id }) => id));
  return tasks.every(({ id }) => ids.has(id));
}

function differingChunks(
  before: readonly Chunk[],
  after: readonly Chunk[],
): { readonly before: ChunkRun; readonly after: ChunkRun } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const shared = before.slice(0, head);
  const offset = shared.reduce((sum, { text }) => sum + text.length, 0);
  return {
    before: { chunks: before.slice(head, before.length - tail), offset },
    after: { chunks: after.slice(head, after.length - tail), offset },
  };
}

function tasksIn({ chunks, offset }: ChunkRun): FoundTask[] {
  let start = offset;
  return chunks.flatMap((chunk) => {
    const from = start;
    start += chunk.text.length;
    return chunk.tasks.map((task) => ({
      ...task,
      start: from + task.start,
      end: from + task.end,
      box: from + task.box,
    }));
  });
}

const headingsIn = ({ chunks }: ChunkRun): string =>
  chunks.flatMap(({ headings }) => headings.map(({ title, level }) => `${level} ${title}`)).join("\n");

function isIntended(task: FoundTask | undefined, intended: IntendedTask, depth: number): boolean {
  return (
    task !== undefined &&
    task.start === intended.start &&
    task.end === intended.end &&
    task.depth === depth &&
    task.id === intended.id &&
    task.title === intended.title &&
    !task.done &&
    isSameList(task.markers, intended.markers) &&
    hasSameFields(task.fields, intended.fields)
  );
}

/** Whether a task is unchanged by an edit, except that it was moved, or has grown if the edit lies within the task. */
function isSame(old: FoundTask, task: FoundTask, edit: Edit, addedEnd: number): boolean {
  const shift = edit.text.length;
  const moved = old.start >= edit.start ? shift : 0;
  const isAround = old.start < edit.start && edit.start <= old.end;
  const ends = old.end === edit.start ? [old.end, addedEnd] : [old.end + (isAround ? shift : moved)];
  return (
    task.id === old.id &&
    task.title === old.title &&
    task.done === old.done &&
    task.depth === old.depth &&
    isSameList(task.markers, old.markers) &&
    task.start === old.start + moved &&
    task.box === old.box + moved &&
    ends.includes(task.end) &&
    (task.end - task.start > old.end - old.start || hasSameFields(task.fields, old.fields))
  );
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);

const hasSameFields = (one: TaskFields, other: TaskFields): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => isSameText(value, other[key as keyof TaskFields]));

const isSameText = (one: string, other: string | undefined): boolean =>
  one === other || (other !== undefined && splitLines(one).join("\n") === splitLines(other).join("\n"));
