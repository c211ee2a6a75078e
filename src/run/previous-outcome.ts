import type { RunEnded } from "../model/event.ts";
import type { Ended } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { rootOf } from "./spending.ts";

export interface PreviousOutcome {
  /**
   * Outcome of the previous start. If the previous start was refused before it repeated a question, this is the outcome
   * of the start that asked the question.
   */
  readonly ended: Ended | null;
  /** The question to a person that ended the start; null if something else ended it. */
  readonly asked: PendingQuestion | null;
  /** The planned task that stopped the start; null if something else stopped it. */
  readonly stoppedAt: TaskId | null;
  /** The skipped planned tasks, if the start ended with the outcome `skipped`; null otherwise. */
  readonly skipped: readonly TaskId[] | null;
  /** Questions of parked tasks; the run continued with other tasks. */
  readonly parked: readonly PendingQuestion[];
}

export interface PendingQuestion {
  readonly root: TaskId;
  readonly current: TaskId;
}

export function previousOutcome(state: RunState | null): PreviousOutcome {
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

/** The question that a start asked at its end; if a batch asked several questions, the reported question. */
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
 * Whether people already know this ending: its question was reported when it was asked, or the previous start ended the
 * same way and nothing was delegated since.
 *
 * @param before Outcome of the previous start; null without a previous start, or if the previous start was killed.
 */
export function isKnown(ending: RunEnded, state: RunState, before: Ended | null): boolean {
  if (questionBefore(state, { ending }, isAsked) !== null) return true;
  const { outcome, error, attempts } = before?.ending ?? {};
  return outcome === ending.outcome && error === ending.error && attempts === ending.attempts;
}

/** Whether an effect asks a person. Such a question is reported before it is answered. */
const isAsked = (key: string): boolean => key.endsWith("/askPerson");
