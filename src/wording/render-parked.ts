import type { Question } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";
import { countOf } from "../model/text.ts";

type Asked = Pick<Question, "reason" | "hint">;

export function renderParked(
  parked: ReadonlyMap<TaskId, Asked>,
  { asking, waiting }: { readonly asking: readonly TaskId[]; readonly waiting: readonly TaskId[] },
): Question {
  const questions = asking.map((task) => [task, parked.get(task) as Asked] as const);
  return {
    kind: "gate",
    reason: [
      `All else is done; ${countOf(asking.length, "question waits", "questions wait")} for a person`,
      ...questions.map(([task, { reason }]) => `${task}: ${reason}`),
      ...(waiting.length === 0 ? [] : [`Tasks that wait for the answers: ${waiting.join(", ")}`]),
    ].join("\n"),
    hint: hintsOf(questions),
  };
}

export const hintsOf = (questions: Iterable<readonly [TaskId, Asked]>): string =>
  [...questions].flatMap(([task, { hint }]) => hint.split("\n").map((line) => `${task}: ${line}`)).join("\n");
