import { createKnownPlan, type KnownPlan } from "../effects/known-plan.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import { blockOf, tasksOf } from "../markdown/document/find-task.ts";
import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import { sameAgain } from "../model/command-line.ts";
import { InputError } from "../model/errors.ts";
import type { Plan } from "../model/plan.ts";
import { lookAtPlan, withTicks } from "../model/plan-parts.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import type { OpenPlan } from "../ports/documents.ts";
import type { PlanCopy } from "../ports/journal.ts";
import { isBroken } from "../run/origin.ts";
import { resume } from "../run/resume.ts";
import { recordsOf, takenUpBy } from "../run/words.ts";
import { type Mending, noMending } from "./find-mended.ts";
import { makeGood } from "./make-good.ts";
import type { OwnerAnswer, OwnerQuestion, Start } from "./start.ts";

/** Where the plan stands at a start, and how the run goes on from there. */
export interface Standing {
  readonly plan: KnownPlan;
  readonly found: Plan;
  /** Whether the run goes on in the middle of its last turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** The records that still hold. */
  readonly records: readonly TimedRunRecord[];
  /** What has become of the task that the start before has stopped at. */
  readonly mending: Mending;
}

/** What a start is settled with. */
export interface Desk {
  readonly copy: PlanCopy;
  /** A name for a text, by which a later start knows it again. */
  readonly hashOf: (text: string) => string;
  /**
   * Looks whether a person has mended what the start before has stopped at.
   *
   * @param plan As it is known.
   * @param wasChanged Whether the text of a task is another than that start has left: it is to be done as it says now.
   */
  readonly look: (plan: Plan, wasChanged: (task: TaskId) => boolean) => Promise<Mending>;
  /** Throws when the plan cannot be followed, or would run other commands than were agreed to. */
  readonly check: (plan: Plan) => Promise<void>;
  readonly askOwner: (question: OwnerQuestion) => Promise<OwnerAnswer>;
}

/**
 * Look at the plan now that nobody else is at work on it, ask what only its owner can say, and put in order what has
 * become of it since the start before.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`, `boxes-lost`, `ticks-unexplained`
 */
export async function settlePlan(
  { documents, reading, origin, options, address, emit }: Start,
  { copy, hashOf, look, check, askOwner }: Desk,
  memory: RunMemory,
): Promise<Standing> {
  const opened = await documents.read();
  await check(opened.plan);
  const found = await makeGood({ documents, reading, emit }, memory, opened, askOwner);
  const seen = memory.planSeen();
  const before = seen === null ? null : versionOf(found, seen);
  const resumed = resume(origin, { known: before, found, hashOf });
  const { lost, ticks, questions } = resumed;
  if (resumed.change !== null) await acceptChange(resumed.change, found);
  const boxes = resumed.boxes(ticks.length > 0 && (await keepsTicks(ticks, found)) ? ticks : []);
  const known = resumed.isAtWork ? before : boxes && versionOf(found, withTicks(found, boxes));
  // Behind a start that was killed the turn is left as the plan is taken: nobody goes on in it under another.
  const record: RunMemory["record"] = (seen) => memory.record(seen, { hold: true });
  const plan = createKnownPlan(
    documents,
    { planSeen: memory.planSeen, record },
    { base: known ?? undefined, keptAt: copy.path },
  );
  if (resumed.standing !== null) await takeTicksBack({ documents, plan }, resumed.standing);
  for (const task of [...resumed.unticked, ...lost]) await plan.tick(task, true);
  if (lost.length > 0) {
    const which = lost.join(", ");
    emit({
      type: "notice",
      message: `Ticked again in tasks.md: ${which}, passed before the kill, the tick lost since`,
    });
  }
  const { known: taken } = await plan.read();
  const isLooked = !origin.fresh && !resumed.toJudge && !resumed.isAtWork;
  const mending = isLooked ? await look(taken.plan, (task) => isRewritten(task, before, taken)) : noMending;
  const passes = [...mending.mended];
  // What was asked about a task that is mended is asked no more.
  const midTurn = resumed.midTurn && passes.length === 0;
  const due = midTurn ? [] : resumed.leave(taken.plan);
  const said = passes.length === 0 ? recordsOf(options, origin.past, midTurn) : [];
  const takenUp = takenUpBy(options, origin.past);
  // From here on the plan is edited, so that the next start cannot know it by what the one before this told. Where a
  // question is put again, its answer is recorded before anything is edited.
  const isContinued = midTurn && isBroken(origin) && questions.size === 0;
  const mended = passes.length > 0 ? [{ type: "mended", passes } as const] : [];
  const records: RunRecord[] = [
    ...due,
    ...takenUp,
    ...said,
    ...(isContinued ? [{ type: "continued" } as const] : []),
    ...mended,
  ];
  if (records.length > 0) memory.record(records);
  copy.keep(taken.text);
  for (const { key } of passes) await plan.tick(taskOf(key), true);
  const isPutAgain = (record: RunRecord): boolean => record.type === "answered" && questions.has(record.key);
  const held = origin.fresh ? [] : reading.records.filter((record) => !isPutAgain(record));
  return { plan, found: found.plan, midTurn, mending, records: held };

  /** Make sure that a person takes the plan as it stands. */
  async function acceptChange(changed: string, { text: foundText }: OpenPlan): Promise<void> {
    const text = "The plan was changed while the run was not looking.";
    const answer = await askOwner({ text, ask: "Go on with it?", items: [changed], facts: ["plan", foundText] });
    if (answer.accepted) return;
    throw new InputError(`Cannot go on, the plan was changed during the run: ${changed}`, {
      code: "plan-changed",
      hint: lookAtPlan(`. To accept its text as it stands: ${sameAgain(address, "--accept", answer.hash)}`, copy.path),
    });
  }

  /** Whether a person keeps ticks that no verdict explains; a no takes them back. */
  async function keepsTicks(ticks: readonly TaskId[], { text: foundText }: OpenPlan): Promise<boolean> {
    const text = "These tasks were ticked about when the run was killed, and no verdict has accepted them.";
    const items = ticks.map((id) => `task ${id}`);
    const answer = await askOwner({ text, ask: "Keep the ticks?", items, facts: ["ticks", ticks, foundText] });
    if (answer.accepted || answer.isAsked) return answer.accepted;
    throw new InputError(`Cannot go on, nobody has accepted what is ticked: ${ticks.join(", ")}`, {
      code: "ticks-unexplained",
      hint: `Clear the boxes to have it done, or keep them: ${sameAgain(address, "--accept", answer.hash)}`,
    });
  }
}

/** Whether a task says something else than it did, its box aside. */
function isRewritten(task: TaskId, before: PlanDocument | null, now: PlanDocument): boolean {
  if (before === null || tasksOf(before, task).length !== 1) return false;
  return blockOf(tickedIn(before, task, false), task) !== blockOf(tickedIn(now, task, false), task);
}

/** Another text of a plan: most of it was read already. */
const versionOf = (found: OpenPlan, text: string): PlanDocument =>
  "chunks" in found ? reopenPlan(found as PlanDocument, text) : openPlan(text);
