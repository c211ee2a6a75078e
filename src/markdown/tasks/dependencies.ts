import { groupsOf } from "../../model/select-work.ts";
import type { Task, TaskId } from "../../model/task.ts";

const id = String.raw`[A-Za-z]{0,8}-?\d[\w.\u2013-]{0,20}`;
const one = `(?:tasks? )?\`?${id}\`?`;
const between = String.raw`(?: \([^()\n]{0,40}\))?[ \t]{0,4}(?:[,;&+\u3001\uFF0C\u548C\u3068]|and )[ \t]{0,4}(?:and )?`;
/** Words before the ids of dependencies; the last pattern is Chinese and Japanese. */
const heads = [
  String.raw`(?<![A-Za-z])(?<!(?:not|no longer|n't) )(?:depends? on|depends|blocked by)(?:\*\*|__|_)?[ \t]{0,4}:?`,
  String.raw`(?<![A-Za-z])dependenc(?:y|ies)(?:\*\*|__|_)?[ \t]{0,4}:`,
  String.raw`\u4F9D(?:\u8D56(?:\u4E8E|\u4EFB\u52A1)?|\u5B58(?:\u95A2\u4FC2)?[:\uFF1A])(?:\*\*)?[:\uFF1A]?`,
];
const remark = new RegExp(
  String.raw`(?:${heads.join("|")})(?:\*\*|__|_)?[ \t]{0,4}(${one}(?:${between}${one}){0,40})`,
  "gi",
);
/** Japanese for "depends on …", with the text before it on the line. */
const japanese = /^(.{1,120})\u306B\u4F9D\u5B58/gm;
/** Only ids, and perhaps a noun after them, as in `1.1の実装`. */
const onlyIds = /^[\w.,\s\x60*+\u3001\uFF0C\u3068-]+(?:\u306E\S{1,16})?$/;
/** A range in words, such as `T001 through T004`. */
const through = /(?<=\d\w{0,2})[ \t](?:through|thru|to)[ \t](?=[A-Z]{0,8}-?\d)/g;
const word = new RegExp(id, "g");
const range = /^(.{1,24}?)(?:\u2013|-|\.\.)([A-Za-z]*-?\d[\w.]*)$/;
/** Text after a number that counts things and is no id, as in `3 packages`. */
const counted = /^[ \t](?!and\b|or\b|is\b|for\b)[a-z]/;
/** Maximum number of tasks in a range. */
const mostOfRange = 200;

/**
 * Find the dependencies in the text of a task: `(depends on T001, T002)`, `[Depends: 1.2]`, `_Dependencies: 1, 2_`, and
 * ranges such as `T004-T006`. Words that are not ids of the plan are ignored.
 *
 * @param block Source of the task. @param ids Ids of all tasks, in order. @param known Index of each id in `ids`.
 */
export function dependenciesIn(block: string, ids: readonly TaskId[], known: ReadonlyMap<TaskId, number>): TaskId[] {
  const found = dependencyWords(block);
  return [...new Set(found.flatMap((named) => (known.has(named) ? [named] : rangeOf(named, ids, known))))];
}

/**
 * Find the dependencies of a task, as written, whether or not the plan has such ids. @param block Source of the task.
 */
export function dependencyWords(block: string): string[] {
  // Check quickly first: few tasks have dependencies, and the patterns below are slow.
  if (!/depend|blocked by|\u4F9D/i.test(block)) return [];
  const text = block.replace(through, "..");
  const before = [...text.matchAll(japanese)].flatMap(([, said]) =>
    onlyIds.test(said as string) ? wordsIn(said as string) : [],
  );
  const named = [...text.matchAll(remark)].flatMap((match) => {
    const words = wordsIn(match[1] as string);
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 8);
    return /^\d+$/.test(words.at(-1) as string) && counted.test(behind) ? words.slice(0, -1) : words;
  });
  return [...named, ...before];
}

const wordsIn = (said: string): string[] =>
  [...said.matchAll(word)].map(([found]) => found.replace(/(?<![._-])[._-]+$/, ""));

function rangeOf(named: string, ids: readonly TaskId[], known: ReadonlyMap<TaskId, number>): readonly TaskId[] {
  const [, first = "", last = ""] = range.exec(named) ?? [];
  const [from = -1, to = -1] = [known.get(first), known.get(last)];
  return from < 0 || to < from ? [] : ids.slice(from, Math.min(to + 1, from + mostOfRange));
}

/** A node of the dependency graph: a task, or the start of a group. */
interface Step {
  /** Null for the start of a group. */
  readonly task: TaskId | null;
  readonly needs: Step[];
  readonly needed: Step[];
  /** Number of unresolved items in `needs`. */
  left: number;
}

/**
 * Find a circle of dependencies among open tasks and groups. Returns the tasks in the order of the circle; null if
 * there is no circle.
 */
export function findCircle(tasks: readonly Task[]): TaskId[] | null {
  if (tasks.every(({ after }) => after === undefined)) return null;
  const open = tasks.filter(({ done }) => !done);
  const steps = new Map<TaskId, Step>();
  const beginnings = new Map<Task, Step>();
  for (const task of open) {
    if (!steps.has(task.id)) steps.set(task.id, newStep(task.id));
    if (task.isGroup === true) beginnings.set(task, newStep(null));
  }
  const holderOf = groupsOf(open);
  for (const task of open) {
    const step = steps.get(task.id) as Step;
    const holder = holderOf(task);
    // A group has two nodes. The start of the group needs the group's dependencies, each task of the group needs the
    // start, and the end of the group needs each task.
    const first = beginnings.get(task) ?? step;
    for (const id of task.after ?? []) join(first, steps.get(id));
    // Ids are untrusted: a group may have the same id as the group that contains it.
    if (holder === undefined || holder.id === task.id) continue;
    join(steps.get(holder.id) as Step, step);
    join(first, beginnings.get(holder));
  }
  const all = [...steps.values(), ...beginnings.values()];
  const done = all.filter(({ left }) => left === 0);
  for (const step of done) {
    for (const other of step.needed) {
      other.left -= 1;
      if (other.left === 0) done.push(other);
    }
  }
  return circleFrom(all.find(({ left }) => left > 0));
}

const newStep = (task: TaskId | null): Step => ({ task, needs: [], needed: [], left: 0 });

function join(step: Step, need: Step | undefined): void {
  if (need === undefined) return;
  step.needs.push(need);
  need.needed.push(step);
  step.left += 1;
}

function circleFrom(first: Step | undefined): TaskId[] | null {
  const seen = new Map<Step, number>();
  for (let step = first; step !== undefined; step = step.needs.find(({ left }) => left > 0)) {
    const at = seen.get(step);
    if (at !== undefined) {
      const circle = [...seen.keys()].slice(at).flatMap(({ task }) => task ?? []);
      return circle.length === 0 ? null : circle;
    }
    seen.set(step, seen.size);
  }
  return null;
}
