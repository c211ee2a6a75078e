import type { EffectInput } from "../model/effect.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import { leavesTurn } from "../run/follow.ts";
import { lastTold } from "./last-told.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { splitTurns } from "./split-turns.ts";
import type { StepState } from "./step-state.ts";
import { walkTurn } from "./walk.ts";

/** A question to a person that nobody has answered yet. */
export interface OpenQuestion extends Pick<EffectInput<"askPerson">, "task" | "root" | "about"> {
  readonly key: string;
}

/**
 * The questions that the last turn of a run waits with, as its records lead to them: put or not, and also those that a
 * start has ended with, or that were answered with the end of the run.
 */
export function openQuestions(starts: readonly RecordedStart[]): OpenQuestion[] {
  const turn = splitTurns(starts).at(-1);
  if (turn === undefined || turn.records.some(leavesTurn)) return [];
  const { moves, diverged } = walkTurn(turn, turn.records);
  const [record, move] = [...moves].at(-1) ?? [];
  if (diverged !== null || record === undefined || move === undefined) return [];
  return askedIn(putsOff(record) ? move.before : move.after);
}

/** The task that the last start has told a question about at its end, of several in a batch; null where it told none. */
export function toldAbout(starts: readonly RecordedStart[]): TaskId | null {
  const records = starts.flatMap((start) => start.records);
  const last = lastTold(records);
  if (last?.type !== "ended") return null;
  const { error } = last.ending;
  const told = records.findLast(
    (record) => record.type === "answered" && record.answer.kind === "gate" && record.answer.reason === error,
  );
  return told?.type === "answered" ? taskOf(told.key) : null;
}

/** Whether an answer leaves its question open: nobody was there, or the run was ended for it. */
function putsOff(record: TimedRunRecord): boolean {
  if (record.type !== "answered" || record.effect !== "askPerson") return false;
  const { answer } = record;
  return answer.kind === "gate" || (answer.kind === "decided" && answer.decision === "stop");
}

const askedIn = ({ nodes }: StepState): OpenQuestion[] =>
  Object.values(nodes)
    .flatMap(({ invoked }) => Object.values(invoked))
    .flatMap((child) => (child.kind === "effect" && child.effect.name === "askPerson" ? [child.effect] : []))
    .map(({ key, input: { task, root, about } }) => ({ key, task, root, about }));
