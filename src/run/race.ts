import type { Answer } from "../model/effect.ts";
import { type AttemptKey, attemptKey, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import type { RaceSoFar } from "../model/turn.ts";
import { noteLeft, noteLost, refund } from "./trees.ts";

/** Note that one attempt of a race has ended. */
export function noteRaced({ turn }: RunState, key: AttemptKey, result: RaceSoFar["ended"][AttemptKey]): void {
  const race = at(turn.races, taskOf(key));
  if (race !== undefined) turn.races[taskOf(key)] = { ...race, ended: { ...race.ended, [key]: result } };
}

type Taken = Extract<Answer<"delegate">, { readonly kind: "replied" | "requested" }>;

/**
 * End a race with the attempt that is kept. Of the others, an attempt whose executor was unavailable counts as not
 * spent, the rest as failed. Does nothing if there was no race.
 */
export function endRace(state: RunState, task: TaskId, { attempt, content = null }: Taken): void {
  const { turn } = state;
  const race = at(turn.races, task);
  if (race === undefined) return;
  delete turn.races[task];
  const number = attempt ?? race.first;
  const taken = attemptKey(task, number);
  const others = Array.from({ length: race.of }, (_, index) => attemptKey(task, race.first + index)).filter(
    (key) => key !== taken && Object.hasOwn(turn.executors, key),
  );
  for (const key of others) {
    delete turn.unanswered[key];
    turn.claims[key] = "judged";
    const { outcome, tried } = at(race.ended, key) ?? {};
    if (outcome === "unable") refund(state, task);
    else noteLost(state, task, tried);
  }
  delete turn.unanswered[taken];
  turn.claims[taken] = "claimed";
  turn.taken[task] = number;
  if (content !== null) noteLeft(state, taken, content);
}
