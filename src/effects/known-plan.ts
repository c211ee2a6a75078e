import { applyEdit, openPlan, type PlanDocument } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { tickEdit } from "../markdown/tick-task.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Documents, OpenPlan, PlanEdit } from "../ports.ts";

/** The plan as the coordinator left it, beside the plan as it is found: what differs was done by somebody else. */
export interface KnownPlan {
  /** What the coordinator knows, without a look at the plan but for the first. */
  known(): Promise<PlanDocument>;
  /** A look at the plan. */
  read(): Promise<{ readonly known: PlanDocument; readonly found: OpenPlan }>;
  insert(fix: FixTask): Promise<void>;
  tick(task: TaskId, done: boolean): Promise<void>;
  /** Take what is found as known, but for the box of `open`, which stays open until its task is recorded as passed. */
  adopt(open: TaskId | null): Promise<void>;
}

/**
 * @param base What an earlier start left, when the run goes on; else the first look at the plan is taken as known.
 * @param onAdopt Called with a text that was taken over from somebody else.
 */
export function createKnownPlan(
  documents: Documents,
  { base, onAdopt }: { base?: PlanDocument | undefined; onAdopt?: (text: string) => void } = {},
): KnownPlan {
  let known = base;
  const look = async (): Promise<{ known: PlanDocument; found: PlanDocument }> => {
    const found = documentOf(await documents.read());
    if (known === undefined || (known !== found && known.text === found.text)) known = found;
    return { known, found };
  };
  const edit = async (edited: Promise<PlanEdit>, same: (plan: PlanDocument) => PlanDocument): Promise<void> => {
    const { before, after } = await edited;
    known = known === undefined || known === documentOf(before) ? documentOf(after) : same(known);
  };
  return {
    known: async () => known ?? (await look()).known,
    read: look,
    insert: (fix) => edit(documents.insert(fix), (plan) => fixEdit(plan, fix).after),
    tick: (task, done) => edit(documents.tick(task, done), (plan) => ticked(plan, task, done)),
    adopt: async (open) => {
      const { known: before, found } = await look();
      if (before === found) return;
      known = open === null ? found : ticked(found, open, false);
      onAdopt?.(known.text);
    },
  };
}

function ticked(plan: PlanDocument, task: TaskId, done: boolean): PlanDocument {
  const edit = tickEdit(plan, task, done);
  return edit === null ? plan : applyEdit(plan, edit);
}

/** Plans of stores that do not keep them as documents, read once each. */
const read = new WeakMap<OpenPlan, PlanDocument>();

function documentOf(plan: OpenPlan): PlanDocument {
  if ("pages" in plan) return plan as PlanDocument;
  const document = read.get(plan) ?? openPlan(plan.text);
  read.set(plan, document);
  return document;
}
