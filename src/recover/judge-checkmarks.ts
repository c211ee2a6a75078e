import { diffPlans, type PlanDifference, withoutTicks } from "../model/diff-plans.ts";
import type { CompletionEvidence, Finding } from "../model/evidence.ts";
import type { Plan } from "../model/plan.ts";
import { afterAll, type PlanPart, type PlanText, partsOf, withTicks } from "../model/plan-parts.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

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
    ...(foreign.length === 0 ? [] : [renderForeign(foreign)]),
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

function renderForeign(ids: readonly TaskId[]): string {
  const [its, their] = ids.length === 1 ? ["is", "its box is"] : ["are", "their boxes are"];
  return `you ticked ${list(ids)}, which ${its} not yours: ${their} open again`;
}

function list(ids: readonly TaskId[]): string {
  const named = ids.slice(0, maxIds);
  const rest = ids.length > maxIds ? `${ids.length - maxIds} more` : named.pop();
  return named.length === 0 ? `${rest}` : `${named.join(", ")} and ${rest}`;
}

const maxChanges = 3;
const maxText = 120;

export interface EditedPlan {
  readonly before: PlanText;
  readonly after: PlanText;
  /** Tasks that were worked on. Executors may add notes to the text of these tasks. */
  readonly own: ReadonlySet<TaskId>;
  /** Original texts of parts of `before` to which executors added notes. */
  readonly planned?: ReadonlyMap<string, string>;
  /** Tasks that the run itself was about to add (none if not given). */
  readonly added?: ReadonlySet<TaskId>;
  /** Whether the run itself wrote a task into the plan (no task if not given). */
  readonly isWritten?: (task: TaskId) => boolean;
}

export interface Edits {
  readonly reason: string | null;
  /** Missing tasks that the run wrote. They are missing because the plan was reset to an older text. */
  readonly lost: readonly TaskId[];
}

/**
 * Find forbidden edits: added, removed, renamed or moved tasks, and changed text of open tasks or outside of tasks.
 * Boxes are ignored, and so is white space except in a Verify command. In a finished task, only a change to its Verify
 * is forbidden, since fix tasks copy the Verify. Executors may add notes to their own block, and after the last task.
 */
export function findEdits({
  before,
  after,
  own,
  planned = new Map(),
  added = new Set(),
  isWritten = () => false,
}: EditedPlan): Edits {
  if (before === after || haveSameText(before, after)) return { reason: null, lost: [] };
  const differences = diffPlans(before.plan, after.plan).filter(
    (found) => found.kind !== "added" || !added.has(found.after.id),
  );
  const removed = differences.flatMap((found) => (found.kind === "removed" ? [found.before.id] : []));
  const lost = removed.filter(isWritten);
  const listed = differences.map((found) => ({ found, changes: describeDifference(found, lost) }));
  const described = new Set(
    listed.flatMap(({ found, changes }) => (found.kind === "edited" && changes.length > 0 ? [found.before.id] : [])),
  );
  const texts = describeTexts({ before, after, own, planned }, described);
  const changes = [...listed.flatMap((each) => each.changes), ...texts];
  // Report moves only if nothing else changed: a changed heading moves all tasks below it.
  const moved = changes.length > 0 ? [] : differences.flatMap((found) => (found.kind === "moved" ? [found.after] : []));
  return { reason: summarize([...changes, ...moved.map(({ id }) => `task ${id} was moved`)]), lost };
}

/** Whether two plans differ only in boxes. A fast path: plans are long, and most edits are ticks. */
const haveSameText = (before: PlanText, after: PlanText): boolean =>
  before.text.length === after.text.length &&
  withTicks(
    after,
    before.plan.tasks.map(({ done }) => done),
  ) === before.text;

const findTaskEdits = (before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): string | null =>
  summarize(diffPlans(before, after).flatMap((found) => describeDifference(found, [])));

function describeDifference(found: PlanDifference, lost: readonly TaskId[]): string[] {
  switch (found.kind) {
    case "added":
      return [`task ${found.after.id} was added to the plan`];
    case "removed":
      return lost.includes(found.before.id) ? [] : [`task ${found.before.id} vanished from the plan`];
    case "renamed":
      return [`task ${found.before.id} was renamed to ${found.after.id}`];
    case "edited":
      return describeFields(found.before, found.after);
    case "ticked":
    case "unticked":
    case "moved":
      return [];
  }
}

function describeFields(before: Task, after: Task): string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const watched = before.done ? (["Verify"] as const) : names;
  return watched
    .filter((name) => was[name] !== is[name])
    .map((name) => `${name} of task ${before.id} changed from ${quote(was[name])} to ${quote(is[name])}`);
}

const names = ["title", "Do", "Files", "Done when", "Verify", "Commit"] as const;

/** Texts in a form for comparison: reflowed prose is equal, but in a command every character counts. */
const fieldsOf = ({ title, markers, fields }: Task): Record<(typeof names)[number], string> => ({
  title: reflow([...markers.map((marker) => `[${marker}]`), title].join(" ")),
  Do: reflow(fields.do),
  Files: reflow(fields.files),
  "Done when": reflow(fields.doneWhen),
  Verify: (fields.verify ?? "").replace(/\r\n?/g, "\n"),
  Commit: reflow(fields.commit),
});

/** @param described Tasks with a field already reported. */
function describeTexts(
  { before, after, own, planned }: Required<Pick<EditedPlan, "before" | "after" | "own" | "planned">>,
  described: ReadonlySet<TaskId>,
): string[] {
  const found = partsOf(after);
  return [...partsOf(before)].flatMap(([key, part]) => {
    const now = found.get(key)?.text;
    const { task } = part;
    if (now === undefined || now === part.text || task?.done === true) return [];
    if (task !== null && described.has(task.id)) return [];
    const mayGrow = key === afterAll || (task !== null && own.has(task.id));
    const edit = differenceOf({ was: part.text, now, planned: planned.get(key) ?? part.text, mayGrow });
    return edit === null ? [] : [`${nameOf(part)} changed from ${quote(edit.from)} to ${quote(edit.to)}`];
  });
}

function nameOf({ task, above }: PlanPart): string {
  if (task !== null) return `text of task ${task.id}`;
  return above === null ? "text after the last task" : `text above task ${above.id}`;
}

interface PartEdit {
  readonly was: string;
  readonly now: string;
  readonly planned: string;
  readonly mayGrow: boolean;
}

/** The first changed line, before and after; null if the change is allowed. */
function differenceOf({ was, now, planned, mayGrow }: PartEdit): { readonly from: string; readonly to: string } | null {
  if (reflow(was) === reflow(now)) return null;
  const [lines, known, kept] = [now, was, planned].map(linesOf) as [string[], string[], string[]];
  const isGrown = mayGrow && !lines.some((line) => fieldLabel.test(line) && !known.includes(line));
  if (isWithin(kept, lines) && (isGrown || isWithin(lines, known))) return null;
  const gone = (mayGrow ? kept : known).find((line) => !lines.includes(line)) ?? "";
  const added = lines.find((line) => !known.includes(line)) ?? "";
  return gone === added ? { from: reflow(was), to: reflow(now) } : { from: gone, to: added };
}

/**
 * Labels of fields. Executors may not add a field: a duplicate has no effect, but misleads people who read the plan.
 */
const fieldLabel = /^(?:[-*+] )?(?:\*\*|__)(?:do|files|done when|verify|commit)\b/i;

function isWithin(lines: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const other of others) if (other === lines[at]) at += 1;
  return at === lines.length;
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map(reflow)
    .filter((line) => line !== "");

const reflow = (text: string | undefined): string =>
  withoutTicks(text ?? "")
    .replace(/\s+/g, " ")
    .trim();

function quote(text: string): string {
  if (text === "") return "nothing";
  const cut = clamp(text, maxText);
  return JSON.stringify(cut === text ? text : `${cut}…`);
}

function summarize(changes: readonly string[]): string | null {
  if (changes.length === 0) return null;
  const more = changes.length > maxChanges ? `; and ${changes.length - maxChanges} more` : "";
  return `${changes.slice(0, maxChanges).join("; ")}${more}`;
}
