import { closedIn } from "../markdown/close-task.ts";
import { hasSameText } from "../markdown/document/differing-chunks.ts";
import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import { InputError } from "../model/errors.ts";
import type { RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { repairedBy, type TaskId } from "../model/task-id.ts";
import type { OpenPlan } from "../ports/documents.ts";
import type { PlanBases } from "../ports/journal.ts";
import { type Intention, intentionsIn, madeIn, standsIn } from "./intention.ts";

type Reading = { readonly segments: readonly RecordedEdits[]; readonly records: readonly RunRecord[] };
type RecordedEdits = { readonly header: { readonly segment: number }; readonly records: readonly RunRecord[] };

/**
 * The plan as the starts before left it: what the last of them began with, and the edits that were recorded since. A
 * start that was killed before it kept what it began with has edited nothing. Edits that cannot be made to it are left
 * out: what is kept may be younger than they are.
 *
 * @param found The plan as it is now: whether an edit that was only intended was made still.
 */
export function rebuildBase(
  bases: Pick<PlanBases, "keep" | "find">,
  { segments, records }: Reading,
  found: OpenPlan,
): PlanDocument | undefined {
  const kept = lastKept(bases, segments);
  if (kept === null) return undefined;
  const recorded = segments.slice(kept.from).flatMap((segment) => segment.records);
  const intended = intentionsIn(records);
  const made = madeIn(records);
  // What was intended and not answered was made when it stands there: also by a start after the one that intended it.
  const pending = [...intended].filter(([key, edit]) => !made.has(key) && standsIn(found.plan, edit));
  const start = openBase(kept.text, found);
  const { isTicked, stands } = edited(start);
  const isFound = (id: TaskId): boolean => found.plan.tasks.some((task) => task.done && task.id === id);
  const edits = recorded.flatMap((record) => editIn(record, { intended, made, isTicked, stands, isFound }));
  const base = [...edits, ...pending.map(([, edit]) => edit)].reduce(orWithout, start);
  // Most often it is as it was left: then nobody has to compare them, task by task.
  return "pages" in found && hasSameText(base.pages, (found as PlanDocument).pages) ? (found as PlanDocument) : base;
}

/** Where the plan is kept that starts before have left; null when none of them came to keep it. */
export function keptBy(bases: PlanBases, segments: Reading["segments"]): string | null {
  const kept = lastKept(bases, segments);
  return kept && bases.pathOf((segments[kept.from] as Reading["segments"][number]).header.segment);
}

/** Most of what is kept is found still, and was read when that was. */
const openBase = (text: string, found: OpenPlan): PlanDocument =>
  "pages" in found ? reopenPlan(found as PlanDocument, text) : openPlan(text);

/** What of the edits of a run is in what was kept already. Nothing that was recorded is ever taken back there. */
function edited({ plan: { tasks } }: PlanDocument): Pick<Known, "isTicked" | "stands"> {
  const standing = new Map(tasks.map((task) => [task.id, task]));
  // Of two tasks with one id nobody can say which was meant: such an edit is left out in any case.
  return {
    isTicked: (task) => standing.get(task)?.done === true,
    stands: (fix, fixOf) => standing.get(fix)?.fixOf === fixOf,
  };
}

function lastKept(
  { find }: Pick<PlanBases, "find">,
  segments: Reading["segments"],
): { readonly from: number; readonly text: string } | null {
  for (const [from, { header }] of [...segments.entries()].reverse()) {
    const text = find(header.segment);
    if (text !== null) return { from, text };
  }
  return null;
}

type Edit = Pick<Intention, "apply">;

/** What edits are told from. */
interface Known {
  readonly intended: ReadonlyMap<string, Intention>;
  readonly made: ReadonlySet<string>;
  /** Whether a task is ticked in what was kept, so that a tick changes nothing. */
  readonly isTicked: (task: TaskId) => boolean;
  /** Whether a fix task stands there, so that to insert it changes nothing. */
  readonly stands: (fix: TaskId, fixOf: TaskId | null) => boolean;
  /** Whether a task is found ticked. */
  readonly isFound: (task: TaskId) => boolean;
}

/** The edit of the plan that an answer tells of, if it tells of one that is still to be made. */
function editIn(record: RunRecord, { intended, made, isTicked, stands, isFound }: Known): Edit[] {
  const tickTask = (task: TaskId): Edit[] => (isTicked(task) ? [] : [{ apply: (plan) => tickedIn(plan, task, true) }]);
  const tick = (key: string): Edit[] => tickTask(taskOf(key));
  // These tasks are recorded before they are ticked. If a start was killed in between, the next one ticks them.
  if (record.type === "closed") {
    const { fix, by } = record;
    return isTicked(fix) || !isFound(fix) ? [] : [{ apply: (plan) => closedIn(plan, fix, by) }];
  }
  if (record.type === "reached") return record.tasks.filter(isFound).flatMap(tickTask);
  if (record.type === "mended") return record.passes.flatMap((pass) => tick(pass.key));
  if (record.type === "passed") return tick(record.key);
  if (record.type !== "answered") return [];
  const { key } = record;
  if (record.effect === "recordPass" && record.answer.open !== true) return tick(key);
  const edit = made.has(key) ? intended.get(key) : undefined;
  if (edit === undefined) return [];
  const [fix] = edit.ids;
  return record.effect === "insertFix" && fix !== undefined && stands(fix, repairedBy(fix)) ? [] : [edit];
}

function orWithout(plan: PlanDocument, { apply }: Edit): PlanDocument {
  try {
    return apply(plan);
  } catch (error) {
    if (error instanceof InputError) return plan;
    throw error;
  }
}
