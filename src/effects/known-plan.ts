import { closedIn } from "../markdown/close-task.ts";
import { openPlan, type PlanDocument } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { applyChange } from "../markdown/insert-tasks.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { PlanChange } from "../model/plan-change.ts";
import { partsOf } from "../model/plan-parts.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Documents, OpenPlan, PlanEdit, WriteOptions } from "../ports/documents.ts";
import { createQueue } from "./create-queue.ts";
import { editAgain } from "./edit-again.ts";

/** The plan as the coordinator left it, beside the plan as it is found: what differs was done by somebody else. */
export interface KnownPlan {
  /** What the coordinator knows, without a look at the plan but for the first. */
  known(): Promise<PlanDocument>;
  /** The plan at the first look of all. */
  begun(): Promise<PlanDocument>;
  /** A look at the plan. */
  read(): Promise<{ readonly known: PlanDocument; readonly found: OpenPlan }>;
  insert(fix: FixTask): Promise<void>;
  change(change: PlanChange): Promise<void>;
  tick(task: TaskId, done: boolean, options?: WriteOptions): Promise<void>;
  close(task: TaskId, by: TaskId): Promise<void>;
  /** Where the plan is kept as it was begun with or last taken over, for people; null where it is not. */
  readonly keptAt: string | null;
  /** Texts of parts of the plan without the notes that were adopted from executors, by the keys of `partsOf`. */
  readonly planned: ReadonlyMap<string, string>;
  /** Take the texts of what was found as known. Boxes stay as they are known: only a tick of our own changes those. */
  adopt(found: OpenPlan): void;
  /** Somebody has edited the plan for the coordinator: its text is known, and so are the boxes of these tasks. */
  trust(tasks: readonly TaskId[]): void;
  /** Do something to the documents while nobody else of this coordinator does. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * @param base What an earlier start left, when the run goes on; else the first look at the plan is taken as known.
 * @param kept Where its text is kept up to date.
 * @param keptAt Where people find it.
 * @param onAdopt Called with a text that was taken over from somebody else.
 */
export function createKnownPlan(
  documents: Documents,
  {
    base,
    kept,
    onAdopt,
    keptAt = null,
  }: {
    base?: PlanDocument | undefined;
    kept?: { text: string | null } | undefined;
    onAdopt?: (text: string) => void;
    keptAt?: string | null;
  } = {},
): KnownPlan {
  let known = base;
  const know = (plan: PlanDocument): void => {
    known = plan;
    if (kept !== undefined) kept.text = plan.text;
  };
  let begun = base;
  const planned = new Map<string, string>();
  /** Tasks whose boxes are known as they are found, with the text; null when the plan is not to be trusted. */
  let trusted: readonly TaskId[] | null = null;
  const look = async (): Promise<{ known: PlanDocument; found: PlanDocument }> => {
    const found = documentOf(await documents.read());
    if (known !== undefined && trusted !== null) know(withBoxesOf(known, found, trusted));
    trusted = null;
    if (known === undefined || (known !== found && known.text === found.text)) know(found);
    begun ??= known;
    return { known: known ?? found, found };
  };
  const edit = async (make: () => Promise<PlanEdit>, same: (plan: PlanDocument) => PlanDocument): Promise<void> => {
    const { before, after } = await editAgain(make);
    know(known === undefined || known === documentOf(before) ? documentOf(after) : same(known));
  };
  return {
    known: async () => (trusted === null ? known : undefined) ?? (await look()).known,
    begun: async () => begun ?? (await look()).known,
    read: look,
    insert: (fix) =>
      edit(
        () => documents.insert(fix),
        (plan) => fixEdit(plan, fix).after,
      ),
    change: (change) =>
      edit(
        () => documents.change(change),
        (plan) => applyChange(plan, change),
      ),
    tick: (task, done, options) =>
      edit(
        () => documents.tick(task, done, options),
        (plan) => tickedIn(plan, task, done),
      ),
    close: (task, by) =>
      edit(
        () => documents.close(task, by),
        (plan) => closedIn(plan, task, by),
      ),
    keptAt,
    planned,
    adopt: (found) => {
      if (known === found) return;
      const adopted = known === undefined ? documentOf(found) : withBoxesOf(known, documentOf(found));
      if (known !== undefined && known.text !== adopted.text) keepPlanned(planned, known, adopted);
      know(adopted);
      onAdopt?.(adopted.text);
    },
    trust: (tasks) => {
      trusted = [...(trusted ?? []), ...tasks];
    },
    exclusively: createQueue(),
  };
}

/** Remember the parts that the adopted text of a plan is about to replace. */
function keepPlanned(planned: Map<string, string>, known: PlanDocument, adopted: PlanDocument): void {
  const now = partsOf(adopted);
  for (const [key, { text }] of partsOf(known)) {
    if (now.get(key)?.text !== text && !planned.has(key)) planned.set(key, text);
  }
}

/** A plan with the boxes of another, where that has the task. @param but Tasks that keep the boxes they have. */
function withBoxesOf(
  { plan: { tasks } }: PlanDocument,
  found: PlanDocument,
  but: readonly TaskId[] = [],
): PlanDocument {
  const boxes = new Map(tasks.map(({ id, done }) => [id, done]));
  return found.plan.tasks.reduce((plan, { id, done }) => {
    const known = boxes.get(id) ?? false;
    return known === done || but.includes(id) ? plan : tickedIn(plan, id, known);
  }, found);
}

/** Plans of stores that do not keep them as documents, read once each. */
const read = new WeakMap<OpenPlan, PlanDocument>();

function documentOf(plan: OpenPlan): PlanDocument {
  if ("pages" in plan) return plan as PlanDocument;
  const document = read.get(plan) ?? openPlan(plan.text);
  read.set(plan, document);
  return document;
}
