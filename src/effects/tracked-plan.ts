import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { applyChange } from "../markdown/insert-tasks.ts";
import { closedIn, tickedIn } from "../markdown/tick-task.ts";
import { createQueue } from "../model/create-queue.ts";
import { EnvironmentError } from "../model/errors.ts";
import type { FixTask } from "../model/failure.ts";
import type { PlanChange } from "../model/plan-change.ts";
import { partsOf, withSteps } from "../model/plan-parts.ts";
import { type Splice, spliceOf } from "../model/splice.ts";
import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { Documents, OpenPlan, PlanEdit, WriteOptions } from "../ports/documents.ts";

/**
 * The plan as the run knows it. Differences between the known plan and the plan found on disk are edits by someone
 * other than the run. The known text is part of the run state; each change of it is recorded.
 */
export interface TrackedPlan {
  /** The known plan. The file is read only the first time. */
  known(): Promise<PlanDocument>;
  /** The plan at the very first reading. */
  begun(): Promise<PlanDocument>;
  read(): Promise<{ readonly known: PlanDocument; readonly found: OpenPlan }>;
  insert(fix: FixTask): Promise<void>;
  change(change: PlanChange): Promise<void>;
  tick(task: TaskId, done: boolean, options?: WriteOptions): Promise<void>;
  close(task: TaskId, by: TaskId): Promise<void>;
  /** Path of the copy of the initial plan that this start saved for people; null if it saved none. */
  readonly keptAt: string | null;
  /** Original texts of plan parts to which notes of executors were added, by the keys of `partsOf`. */
  readonly planned: ReadonlyMap<string, string>;
  /** Accept the found text as the known text, except for its boxes: in the known text, only the run changes boxes. */
  adopt(found: OpenPlan): void;
  /** Run `work` while no other work of this coordinator uses the documents. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * @param attempts Stores the known text.
 * @param base The known plan until the run stores a text; by default, the plan of the first reading.
 * @param keptAt Path at which people find the initial plan.
 */
export function trackPlan(
  documents: Documents,
  attempts: Pick<Attempts, "planSeen" | "record">,
  { base, keptAt = null }: { base?: PlanDocument | undefined; keptAt?: string | null } = {},
): TrackedPlan {
  let known = base;
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

const spliceFrom = (seen: string | null, text: string): Splice | null =>
  seen === text ? null : spliceOf(seen ?? "", text);

function keepPlanned(planned: Map<string, string>, known: PlanDocument, adopted: PlanDocument): void {
  const now = partsOf(adopted);
  for (const [key, { text }] of partsOf(known)) {
    if (now.get(key)?.text !== text && !planned.has(key)) planned.set(key, text);
  }
}

/** A plan with the boxes of another plan, for tasks in both. */
function withBoxesOf(known: PlanDocument, found: PlanDocument): PlanDocument {
  const boxes = new Map(known.plan.tasks.map(({ id, done }) => [id, done]));
  const stepped = reopenPlan(found, withSteps(found, known));
  return stepped.plan.tasks.reduce((plan, { id, done }) => {
    const wasDone = boxes.get(id) ?? false;
    return wasDone === done ? plan : tickedIn(plan, id, wasDone);
  }, stepped);
}

/** Cache of the plans that a store returns as text only. */
const read = new WeakMap<OpenPlan, PlanDocument>();

function documentOf(plan: OpenPlan): PlanDocument {
  if ("chunks" in plan) return plan as PlanDocument;
  const document = read.get(plan) ?? openPlan(plan.text);
  read.set(plan, document);
  return document;
}

/** Maximum number of times to try an edit; if someone else edits each time, the run stops. */
const mostTries = 10;

/**
 * Edit the plan; if someone else edits it at the same moment, retry on the new text. Executors tick boxes while other
 * members of their batch are judged.
 *
 * @throws {EnvironmentError} `plan-changed-underneath` after the last retry
 */
export async function editAgain(edit: () => Promise<PlanEdit>): Promise<PlanEdit> {
  for (let tries = 1; ; tries++) {
    try {
      return await edit();
    } catch (error) {
      const isMissed = error instanceof EnvironmentError && error.code === "plan-changed-underneath";
      if (!isMissed || tries === mostTries) throw error;
    }
  }
}
