import type { CompletionEvidence, Finding } from "../model/evidence.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import { findTaskEdits } from "./find-edits.ts";

/** Maximum number of ids to name. */
const maxIds = 12;

/**
 * Judge the plan after an attempt. Boxes other than the task's own belong to the coordinator. A missing tick is
 * restored and does not affect the claim: tools that reset files lose ticks. Task texts are the approved plan, so a
 * person decides about changes to them.
 */
export function judgeCheckmarks({
  task,
  before,
  after,
  requireExecutorTick,
  beside,
  restored = [],
}: Pick<CompletionEvidence, "task" | "before" | "after" | "requireExecutorTick" | "beside" | "restored">): Finding {
  // A restored task had no box to tick.
  const mustTick = requireExecutorTick && !restored.includes(task.id);
  if (before === after && !mustTick) return accepted([], restored);
  const edits = findTaskEdits(before, after);
  if (edits !== null) return { kind: "undecided", reason: edits };
  const found = ticked(after);
  const expected = ticked(before);
  // Ignore the boxes of tasks that are worked on at the same time.
  for (const other of beside) {
    found.delete(other);
    expected.delete(other);
  }
  const lost = [...expected].filter((id) => !found.has(id));
  const foreign = [...found].filter((id) => id !== task.id && !expected.has(id));
  const wrong = [
    ...(foreign.length === 0 ? [] : [tellForeign(foreign)]),
    ...(mustTick && !found.has(task.id) ? [`you have not ticked ${task.id}, your own box`] : []),
  ];
  return wrong.length === 0 ? accepted(lost, restored) : { kind: "rejected", reason: wrong.join("; ") };
}

function accepted(lost: readonly TaskId[], restored: readonly TaskId[]): Finding {
  const notes = [
    ...(lost.length === 0 ? [] : [`ticked again: ${list(lost)}`]),
    ...(restored.length === 0 ? [] : [`restored: ${list(restored)}`]),
  ];
  return { kind: "accepted", ...(notes.length > 0 && { note: notes.join("; ") }) };
}

const ticked = ({ tasks }: Plan): Set<TaskId> => new Set(tasks.filter(({ done }) => done).map(({ id }) => id));

function tellForeign(ids: readonly TaskId[]): string {
  const [its, their] = ids.length === 1 ? ["is", "its box is"] : ["are", "their boxes are"];
  return `you ticked ${list(ids)}, which ${its} not yours: ${their} open again`;
}

function list(ids: readonly TaskId[]): string {
  const named = ids.slice(0, maxIds);
  const rest = ids.length > maxIds ? `${ids.length - maxIds} more` : named.pop();
  return named.length === 0 ? `${rest}` : `${named.join(", ")} and ${rest}`;
}
