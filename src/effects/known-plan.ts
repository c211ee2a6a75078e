import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { applyChange } from "../markdown/insert-tasks.ts";
import { closedIn, tickedIn } from "../markdown/tick-task.ts";
import { createQueue } from "../model/create-queue.ts";
import type { FixTask } from "../model/failure.ts";
import type { PlanChange } from "../model/plan-change.ts";
import { partsOf, withSteps } from "../model/plan-parts.ts";
import { type Splice, spliceOf } from "../model/splice.ts";
import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { Documents, OpenPlan, PlanEdit, WriteOptions } from "../ports/documents.ts";
import { editAgain } from "./edit-again.ts";

/**
 * The plan as the run knows it, beside the plan as it is found: what differs was done by others. Its text is a fact of
 * the run, recorded with each change.
 */
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
  /** Where the plan is kept as this start has begun with it, for people; null where it is not. */
  readonly keptAt: string | null;
  /** Texts of parts of the plan without the notes that were adopted from executors, by the keys of `partsOf`. */
  readonly planned: ReadonlyMap<string, string>;
  /** Take the texts of what was found as known. Boxes stay as they are known: only a tick of our own changes those. */
  adopt(found: OpenPlan): void;
  /** Do something to the documents while nobody else of this coordinator does. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * @param attempts Keeps its text.
 * @param base What is known, where it is not what the run has remembered; else the first look is taken as known.
 * @param keptAt Where people find it as it was at first.
 */
export function createKnownPlan(
  documents: Documents,
  attempts: Pick<Attempts, "planSeen" | "record">,
  { base, keptAt = null }: { base?: PlanDocument | undefined; keptAt?: string | null } = {},
): KnownPlan {
  let known = base;
  /** Whether the run remembers the text of what is known. */
  let isKept = false;
  const know = (plan: PlanDocument, found?: true): void => {
    const splice = spliceFrom(isKept && known !== undefined ? known.text : attempts.planSeen(), plan.text);
    known = plan;
    isKept = true;
    if (splice !== null) attempts.record([{ type: "planSeen", ...splice, ...(found && { found }) }]);
  };
  let begun = base;
  const planned = new Map<string, string>();
  const look = async (): Promise<{ known: PlanDocument; found: PlanDocument }> => {
    const found = documentOf(await documents.read());
    know(known === undefined || known.text === found.text ? found : known, true);
    begun ??= known;
    return { known: known ?? found, found };
  };
  const edit = async (make: () => Promise<PlanEdit>, same: (plan: PlanDocument) => PlanDocument): Promise<void> => {
    const { before, after } = await editAgain(make);
    know(known === undefined || known === documentOf(before) ? documentOf(after) : same(known));
  };
  return {
    known: async () => known ?? (await look()).known,
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
      know(adopted, true);
    },
    exclusively: createQueue(),
  };
}

/** What makes the text that the run remembers that of a plan; null where it is the same. */
const spliceFrom = (seen: string | null, text: string): Splice | null =>
  seen === text ? null : spliceOf(seen ?? "", text);

/** Remember the parts that the adopted text of a plan is about to replace. */
function keepPlanned(planned: Map<string, string>, known: PlanDocument, adopted: PlanDocument): void {
  const now = partsOf(adopted);
  for (const [key, { text }] of partsOf(known)) {
    if (now.get(key)?.text !== text && !planned.has(key)) planned.set(key, text);
  }
}

/** A plan with the boxes of another, where that has the task. */
function withBoxesOf(known: PlanDocument, found: PlanDocument): PlanDocument {
  const boxes = new Map(known.plan.tasks.map(({ id, done }) => [id, done]));
  const stepped = reopenPlan(found, withSteps(found, known));
  return stepped.plan.tasks.reduce((plan, { id, done }) => {
    const wasDone = boxes.get(id) ?? false;
    return wasDone === done ? plan : tickedIn(plan, id, wasDone);
  }, stepped);
}

/** Plans of stores that do not keep them as documents, read once each. */
const read = new WeakMap<OpenPlan, PlanDocument>();

function documentOf(plan: OpenPlan): PlanDocument {
  if ("chunks" in plan) return plan as PlanDocument;
  const document = read.get(plan) ?? openPlan(plan.text);
  read.set(plan, document);
  return document;
}
