import type { RunEnded } from "../model/event.ts";
import type { Ended } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { rootOf } from "./spent.ts";

/** What the start before has told people. */
export interface Past {
  /**
   * How it has ended; where it was refused something before it could put a question again, how the one has that had
   * told it.
   */
  readonly ended: Ended | null;
  /** The question to a person that it has ended with; null when it has ended with anything else. */
  readonly asked: AskedBefore | null;
  /** The planned task that has stopped it; null when it has ended with anything else. */
  readonly stoppedAt: TaskId | null;
  /** The planned tasks that it has ended without; null when it has ended with anything else. */
  readonly skipped: readonly TaskId[] | null;
  /** Questions that tasks wait with, while the run went on with others. */
  readonly parked: readonly AskedBefore[];
}

/** What a question was about: a planned task, and the task of its tree that had failed. */
export interface AskedBefore {
  readonly root: TaskId;
  readonly current: TaskId;
}

export function pastOf(state: RunState | null): Past {
  if (state === null) return { ended: null, asked: null, stoppedAt: null, skipped: null, parked: [] };
  const ended = endedBefore(state);
  const skipped = state.ended?.ending.outcome === "skipped" ? Object.keys(state.skipped) : null;
  const parked = Object.entries(state.parked).map(([root, { key }]) => ({ root, current: taskOf(key) }));
  if (ended === null) return { ended, asked: null, stoppedAt: null, skipped, parked };
  const asked = questionBefore(state, ended, isAsked);
  const current = asked === null ? null : taskOf(asked);
  return {
    ...{ ended, skipped, parked, stoppedAt: stoppedAt(state, ended) },
    asked: current === null ? null : { root: rootOf(state, current), current },
  };
}

function endedBefore({ ended, turn }: RunState): Ended | null {
  return ended?.ending.outcome === "environment" ? (turn.asked?.ended ?? ended) : ended;
}

function stoppedAt(state: RunState, ended: Ended): TaskId | null {
  const { denial, ending } = ended;
  if (ending.outcome === "limit") return denial && rootOf(state, denial.task);
  const key = ending.outcome === "cancelled" ? null : questionBefore(state, ended);
  return key && rootOf(state, taskOf(key));
}

/** The question that a start has told at its end, or was ended with. Of several in a batch, the one told. */
function questionBefore(
  { turn }: RunState,
  { ending }: Pick<Ended, "ending">,
  isMeant = (_: string) => true,
): string | null {
  const { outcome, error } = ending;
  if (outcome === "cancelled") return turn.stopped;
  if (outcome !== "gate" && outcome !== "checkpoint") return null;
  const told = Object.entries(turn.questions).findLast(([key, reason]) => isMeant(key) && reason === error);
  return told?.[0] ?? null;
}

/**
 * Whether people know that a start has ended so: its question was told when it was asked, or the start before has ended
 * with the same, and nothing was delegated since.
 *
 * @param before How the start before has ended; null when it was killed, and when there was none.
 */
export function isKnown(ending: RunEnded, state: RunState, before: Ended | null): boolean {
  if (questionBefore(state, { ending }, isAsked) !== null) return true;
  const { outcome, error, attempts } = before?.ending ?? {};
  return outcome === ending.outcome && error === ending.error && attempts === ending.attempts;
}

/** Whether an effect puts a question to a person, which is told before it is answered. */
const isAsked = (key: string): boolean => key.endsWith("/askPerson");
