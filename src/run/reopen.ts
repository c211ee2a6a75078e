import { spentOn } from "../model/ledger.ts";
import type { Collision } from "../model/record.ts";
import { attemptKey } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { noteCollision, noteLeft } from "./trees.ts";

/**
 * Reopen an accepted task whose worktree conflicts with other work; it leaves the batch. Its work is reused when it
 * resumes, unless that was merged.
 */
export function reopen(state: RunState, root: TaskId, collision: Collision): void {
  const content = at(state.contents, root) ?? null;
  for (const byTask of [state.accepted, state.proofs, state.contents, state.owed, state.unflushed]) delete byTask[root];
  state.sequential[root] = true;
  noteCollision(state, root, collision);
  if (content === null || collision.files.length === 0) return;
  noteLeft(state, attemptKey(root, spentOn(state.tasks, root).attempts), content);
}
