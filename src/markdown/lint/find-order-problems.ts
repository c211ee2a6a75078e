import type { Problem } from "../../model/rule.ts";
import { descendsFrom, isFixOf, type Task, type TaskId } from "../../model/task.ts";
import { dependenciesIn, dependencyWords } from "../tasks/dependencies.ts";
import { isGeneratedId } from "../tasks/read-title.ts";
import { finding } from "./finding.ts";

const numbered = /^(?<prefix>(?:.*\D)?)(?<number>\d{1,9})$/;

interface Numbered {
  readonly task: Task;
  readonly number: number;
}

/** Find task numbers that contradict the position of the task, or the task that it repairs. */
export const findNumberingProblems = (tasks: readonly Task[]): Problem[] => [
  ...backwardNumbers(tasks.filter(({ fixOf }) => fixOf === null)),
  ...fixProblems(tasks),
];

function backwardNumbers(tasks: readonly Task[]): Problem[] {
  const problems: Problem[] = [];
  const series = new Map<string, Numbered[]>();
  const known = new Set<TaskId>();
  for (const task of tasks) {
    const { prefix = "", number } = numbered.exec(task.id)?.groups ?? {};
    if (number === undefined || known.has(task.id) || isGeneratedId(task.id)) continue;
    known.add(task.id);
    const key = JSON.stringify([prefix, task.phase, task.parent]);
    const members = series.get(key);
    if (members === undefined) series.set(key, [{ task, number: Number(number) }]);
    else members.push({ task, number: Number(number) });
  }
  for (const members of series.values()) {
    members.forEach((member, index) => {
      if (goesBack(members, index)) {
        problems.push(
          finding("number-order", member.task.line, member.task.id, (members[index - 1] as Numbered).task.id),
        );
      }
    });
  }
  return problems;
}

/**
 * Whether a number is too low for its position. A single higher number before it, such as T053 between T017 and T018,
 * is an inserted task and no mistake.
 */
function goesBack(members: readonly Numbered[], index: number): boolean {
  const [earlier, before, task, next] = [index - 2, index - 1, index, index + 1].map((at) => members[at]?.number);
  if (before === undefined || task === undefined || task > before) return false;
  if (task === before - 1) return true;
  return earlier !== task - 1 && (next === undefined || next > before);
}

function fixProblems(tasks: readonly Task[]): Problem[] {
  const problems: Problem[] = [];
  const originals = new Map(tasks.map((task) => [task.id, task]));
  let previous: { readonly task: Task; readonly isPlaced: boolean } | undefined;
  for (const task of tasks) {
    const original = task.fixOf === null ? undefined : originals.get(task.fixOf);
    const isPlaced = original !== undefined && previous !== undefined && continues(original, previous);
    if (original !== undefined) {
      const { id, line } = task;
      if (!isFixOf(id, original.id)) problems.push(finding("unreachable-fix", line, id, original.id));
      else if (!isPlaced) problems.push(finding("misplaced-fix", line, id, original.id));
    }
    previous = { task, isPlaced };
  }
  return problems;
}

/** Whether the previous task ends the block of the original and its fixes, so that a fix may follow. */
function continues(original: Task, { task, isPlaced }: { readonly task: Task; readonly isPlaced: boolean }): boolean {
  const isInside = original.start <= task.start && task.start < original.end;
  return isInside || (isPlaced && descendsFrom(task.id, original.id));
}

/**
 * Find dependencies of open tasks that have the form of an id of this plan, but name no task.
 *
 * @param text Source of the plan.
 */
export function findUnknownDependencies(text: string, tasks: readonly Task[]): Problem[] {
  const ids = tasks.map(({ id }) => id);
  const known = new Map(ids.map((id, index) => [id, index]));
  const forms = new Set(ids.map(formOf));
  return tasks.flatMap(({ id, line, start, end, done }) => {
    if (done) return [];
    const words = new Set(dependencyWords(text.slice(start, end)));
    return [...words]
      .filter((word) => forms.has(formOf(word)) && dependenciesIn(`depends on ${word}`, ids, known).length === 0)
      .map((word) => finding("unknown-dependency", line, id, word));
  });
}

const formOf = (id: string): string => id.replace(/\d+/g, "0");
