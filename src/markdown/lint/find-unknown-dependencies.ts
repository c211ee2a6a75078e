import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { dependenciesIn, dependencyWords } from "../tasks/read-dependencies.ts";

/**
 * What open tasks say they depend on, in the form of an id of the plan, and no task is.
 *
 * @param text What the plan was read from.
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
      .map((word) => unknownDependency(id, word, line));
  });
}

/** An id with each of its numbers as `0`. */
const formOf = (id: string): string => id.replace(/\d+/g, "0");

const unknownDependency = (id: string, word: string, line: number): Problem =>
  lintProblem(
    "unknown-dependency",
    line,
    `Task \`${id}\` depends on \`${word}\`, which is not in the plan: it waits for nothing`,
    "Name a task of the plan, or say in words what has to be there.",
  );
