import type { CompletionEvidence } from "../model/evidence.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Finding } from "../model/verdict.ts";
import { findTaskEdits } from "./find-edits.ts";

/** Ids up to which both sides of a mismatch are given in full, and up to which the differing ones are. */
const maxIds = 12;

/**
 * Judge the plan that an attempt has left. Boxes other than the task's own are the coordinator's. A tick that is missing
 * is restored and says nothing about the claim: tools that put files back to an older text lose it. Texts of tasks are
 * the plan somebody has approved, so a change of them is for a person to decide.
 */
export function judgeCheckmarks({
  task,
  before,
  after,
  requireExecutorTick,
  beside,
  restored = [],
}: Pick<CompletionEvidence, "task" | "before" | "after" | "requireExecutorTick" | "beside" | "restored">): Finding {
  // There was no box to tick in a text without the task.
  const mustTick = requireExecutorTick && !restored.includes(task.id);
  if (before === after && !mustTick) return accepted([], restored);
  const edits = findTaskEdits(before, after);
  if (edits !== null) return { kind: "undecided", reason: edits };
  const found = ticked(after);
  const expected = ticked(before);
  // Whether those are ticked is judged when it is their turn, or was.
  for (const other of beside) {
    found.delete(other);
    expected.delete(other);
  }
  const lost = [...expected].filter((id) => !found.has(id));
  if (mustTick || found.has(task.id)) expected.add(task.id);
  const isForeign = [...found].some((id) => !expected.has(id));
  if (!isForeign && (!mustTick || found.has(task.id))) return accepted(lost, restored);
  return { kind: "rejected", reason: `checkmark mismatch: ${compare(inOrder(after, expected), [...found])}` };
}

function accepted(lost: readonly TaskId[], restored: readonly TaskId[]): Finding {
  const notes = [
    ...(lost.length === 0 ? [] : [`ticked again: ${list(lost)}`]),
    ...(restored.length === 0 ? [] : [`put back: ${list(restored)}`]),
  ];
  return { kind: "accepted", ...(notes.length > 0 && { note: notes.join("; ") }) };
}

const ticked = ({ tasks }: Plan): Set<TaskId> => new Set(tasks.filter(({ done }) => done).map(({ id }) => id));

const inOrder = ({ tasks }: Plan, ids: ReadonlySet<TaskId>): TaskId[] =>
  tasks.map(({ id }) => id).filter((id) => ids.has(id));

function compare(expected: readonly TaskId[], found: readonly TaskId[]): string {
  if (Math.max(expected.length, found.length) <= maxIds) return `expected ${list(expected)}, found ${list(found)}`;
  const [wanted, there] = [new Set(expected), new Set(found)];
  const missing = expected.filter((id) => !there.has(id));
  const extra = found.filter((id) => !wanted.has(id));
  return `expected ${list(missing)}, found ${list(extra)} beside ${found.length - extra.length} that agree`;
}

function list(ids: readonly TaskId[]): string {
  if (ids.length === 0) return "none";
  const more = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : "";
  return `${ids.slice(0, maxIds).join(", ")}${more}`;
}
