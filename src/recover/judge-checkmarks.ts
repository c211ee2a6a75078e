import { clamp } from "../model/clamp.ts";
import { diffPlans, type PlanDifference, withoutTicks } from "../model/diff-plans.ts";
import type { CompletionEvidence } from "../model/evidence.ts";
import type { Plan } from "../model/plan.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Finding } from "../model/verdict.ts";

/** Ids up to which both sides of a mismatch are given in full, and up to which the differing ones are. */
const maxIds = 12;
/** Changes that are told, and code points of each text in them. */
const maxChanges = 3;
const maxText = 120;

/**
 * Whether an attempt left the plan in order. Boxes other than the task's own are the coordinator's; texts of open
 * tasks are the plan somebody has approved, so a change of them is for a person to decide.
 */
export function judgeCheckmarks({
  task,
  before,
  after,
  requireExecutorTick,
  beside,
}: Pick<CompletionEvidence, "task" | "before" | "after" | "requireExecutorTick" | "beside">): Finding {
  if (before === after && !requireExecutorTick) return { kind: "accepted" };
  const changes = findChanges(before, after, new Set([task.id, ...beside]));
  if (changes.length > 0) return { kind: "undecided", reason: told(changes) };
  const found = ticked(after);
  const expected = ticked(before);
  // Whether those are ticked is judged when it is their turn, or was.
  for (const other of beside) {
    found.delete(other);
    expected.delete(other);
  }
  if (requireExecutorTick || found.has(task.id)) expected.add(task.id);
  const agree = found.size === expected.size && [...expected].every((id) => found.has(id));
  return agree
    ? { kind: "accepted" }
    : { kind: "rejected", reason: `checkmark mismatch: ${compare(inOrder(after, expected), [...found])}` };
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

const findChanges = (before: Plan, after: Plan, own: ReadonlySet<TaskId>): string[] =>
  diffPlans(before, after).flatMap((found) => tellChange(found, own));

function tellChange(found: PlanDifference, own: ReadonlySet<TaskId>): string[] {
  switch (found.kind) {
    case "added":
      return [`task ${found.after.id} was added to the plan`];
    case "removed":
      return [`task ${found.before.id} vanished from the plan`];
    case "renamed":
      return [`task ${found.before.id} is named ${found.after.id}`];
    case "edited":
      return tellTexts(found.before, found.after, own);
    case "ticked":
    case "unticked":
    case "moved":
      return [];
  }
}

function tellTexts(before: Task, after: Task, own: ReadonlySet<TaskId>): string[] {
  const was = textsOf(before);
  const is = textsOf(after);
  // What a finished task says counts no more, but for the command that it lends to others.
  const free = own.has(before.id) || before.done;
  const watched = free ? (["Verify"] as const) : (["title", "Do", "Files", "Verify"] as const);
  return watched
    .filter((name) => was[name] !== is[name])
    .map((name) => `${name} of task ${before.id} changed from ${quote(was[name])} to ${quote(is[name])}`);
}

/** Texts as they are compared. Reflowed prose is the same prose; in a command every character counts. */
const textsOf = ({ title, markers, fields }: Task) => ({
  title: reflow([...markers.map((marker) => `[${marker}]`), title].join(" ")),
  Do: reflow(withoutTicks(fields.do ?? "")),
  Files: reflow(fields.files),
  Verify: (fields.verify ?? "").replace(/\r\n?/g, "\n"),
});

const reflow = (text: string | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

function quote(text: string): string {
  if (text === "") return "nothing";
  const cut = clamp(text, maxText);
  return JSON.stringify(cut === text ? text : `${cut}…`);
}

function told(changes: readonly string[]): string {
  const more = changes.length > maxChanges ? `; and ${changes.length - maxChanges} more` : "";
  return `${changes.slice(0, maxChanges).join("; ")}${more}`;
}
