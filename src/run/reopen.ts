import type { Collision } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { noteCollision } from "./trees.ts";

/** A planned task that was accepted collides with others: it is open again, and no member of a batch any more. */
export function reopen(state: RunState, root: TaskId, collision: Collision): void {
  for (const byTask of [state.accepted, state.proofs, state.contents, state.owed, state.unflushed]) delete byTask[root];
  state.sequential[root] = true;
  noteCollision(state, root, collision);
}
