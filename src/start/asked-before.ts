import { taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Ended, RunState } from "../run/run-state.ts";
import { rootOf } from "../run/spent.ts";

/** What a run has done up to a start; null where that begins one. */
type Before = { readonly state: RunState | null };

/**
 * How the start before has ended; where that was refused something before it could put a question again, the one that
 * has told it.
 */
export function endedBefore({ state }: Before): Ended | null {
  if (state?.ended?.ending.outcome !== "environment") return state?.ended ?? null;
  return state.turn.asked?.ended ?? state.ended;
}

/** What a question was about: a planned task, and the task of its tree that had failed. */
export interface AskedBefore {
  readonly root: TaskId;
  readonly current: TaskId;
}

/** The question to a person that has ended the start before; null when that has ended with anything else. */
export function askedBefore(before: Before): AskedBefore | null {
  const { state } = before;
  const key = questionBefore(before, (question) => question.endsWith("/askPerson"));
  if (state === null || key === null) return null;
  const current = taskOf(key);
  return { root: rootOf(state, current), current };
}

/** The planned task that has stopped the start before; null when that has ended with anything else. */
export function stoppedAt(before: Before): TaskId | null {
  const { state } = before;
  const ended = endedBefore(before);
  if (state === null || ended === null) return null;
  const { ending, denial } = ended;
  if (ending.outcome === "limit") return denial === null ? null : rootOf(state, denial.task);
  if (ending.outcome === "cancelled") return null;
  const key = questionBefore(before);
  return key === null ? null : rootOf(state, taskOf(key));
}

/** The question that the start before has told at its end, or was ended with. Of several in a batch, the one told. */
function questionBefore(before: Before, isMeant: (key: string) => boolean = () => true): string | null {
  const ended = endedBefore(before);
  if (ended === null || before.state === null) return null;
  const { questions, stopped } = before.state.turn;
  const { outcome, error } = ended.ending;
  if (outcome === "cancelled") return stopped;
  if (outcome !== "gate" && outcome !== "checkpoint") return null;
  const told = Object.entries(questions).findLast(([key, reason]) => isMeant(key) && reason === error);
  return told?.[0] ?? null;
}
