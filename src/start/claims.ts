import { type AttemptKey, taskOf } from "../model/reply.ts";
import type { ClaimStage, RunState } from "../model/run-state.ts";
import { plannedTask, type TaskId } from "../model/task-id.ts";

/** Attempts of the turn whose claims have come so far. */
export const claimsAt = ({ turn }: Pick<RunState, "turn">, ...stages: readonly ClaimStage[]): AttemptKey[] =>
  Object.entries(turn.claims).flatMap(([key, stage]) => (stages.includes(stage) ? [key] : []));

/** Tasks whose executors had begun, and whose claims were not judged, when the start before ended. */
export const tasksBegun = (state: Pick<RunState, "turn">): ReadonlySet<TaskId> =>
  new Set(claimsAt(state, "begun", "claimed", "refunded").map((key) => plannedTask(taskOf(key))));

/** Tasks that were accepted: their boxes may be ticked already. */
export const tasksAccepted = (state: Pick<RunState, "turn">): ReadonlySet<TaskId> =>
  new Set(claimsAt(state, "accepted", "passed").map(taskOf));
