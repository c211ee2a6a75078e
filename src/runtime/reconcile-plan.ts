import { logPass } from "../effects/record-pass.ts";
import { revertUnverifiedTicks } from "../effects/revert-unverified-ticks.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { type TrackedPlan, trackPlan } from "../effects/tracked-plan.ts";
import { blockOf, tasksOf } from "../markdown/document/find-task.ts";
import { openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import { sameAgain, withAnswer } from "../model/command-line.ts";
import { InputError } from "../model/errors.ts";
import { spentOn } from "../model/ledger.ts";
import type { Plan } from "../model/plan.ts";
import { lookAtPlan, withTicks } from "../model/plan-parts.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import { countOf } from "../model/text.ts";
import type { OpenPlan } from "../ports/documents.ts";
import type { PlanCopy } from "../ports/journal.ts";
import { isBroken } from "../run/resolve-start.ts";
import { lostBoxes, resume } from "../run/resume.ts";
import { inputRecords, unparkRecords } from "../run/user-input.ts";
import { type ManualFixes, noManualFixes } from "./find-manual-fixes.ts";
import type { OwnerAnswer, OwnerQuestion, Start } from "./start.ts";

export interface ResumePoint {
  readonly plan: TrackedPlan;
  readonly found: Plan;
  /** Whether the run resumes inside its last turn, without a new choice of a task. */
  readonly midTurn: boolean;
  readonly records: readonly TimedRunRecord[];
  readonly mending: ManualFixes;
}

export interface StartDeps {
  readonly copy: PlanCopy;
  readonly hashOf: (text: string) => string;
  /**
   * Checks whether a person fixed what stopped the previous start.
   *
   * @param plan The known plan.
   * @param wasChanged Whether the text of a task changed since the previous start, so that the new text must first be
   * done.
   */
  readonly look: (plan: Plan, wasChanged: (task: TaskId) => boolean) => Promise<ManualFixes>;
  /** Throws if the plan cannot be followed, or would run commands that were not approved. */
  readonly check: (plan: Plan) => Promise<void>;
  readonly askOwner: (question: OwnerQuestion) => Promise<OwnerAnswer>;
}

/**
 * Read the plan while no one else works on it, ask its owner about unclear changes, and settle all changes since the
 * previous start.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`, `boxes-lost`, `ticks-unexplained`
 */
export async function reconcilePlan(
  { documents, reading, origin, options, address, emit }: Start,
  { copy, hashOf, look, check, askOwner }: StartDeps,
  memory: RunMemory,
): Promise<ResumePoint> {
  const opened = await documents.read();
  await check(opened.plan);
  const found = await restoreLostWrites({ documents, reading, emit }, memory, opened, askOwner);
  const seen = memory.planSeen();
  const before = seen === null ? null : versionOf(found, seen);
  const resumed = resume(origin, { known: before, found, hashOf });
  const { lost, ticks, questions } = resumed;
  if (resumed.change !== null) await acceptChange(resumed.change, found);
  const boxes = resumed.boxes(ticks.length > 0 && (await keepsTicks(ticks, found)) ? ticks : []);
  const known = resumed.isAtWork ? before : boxes && versionOf(found, withTicks(found, boxes));
  // Append the accepted plan only together with the end of the old turn: even if this start is killed, a turn never
  // resumes under another plan.
  const record: RunMemory["record"] = (seen) => memory.record(seen, { hold: true });
  const plan = trackPlan(
    documents,
    { planSeen: memory.planSeen, record },
    { base: known ?? undefined, keptAt: copy.path },
  );
  if (resumed.standing !== null) await revertUnverifiedTicks({ documents, plan }, resumed.standing);
  for (const task of [...resumed.unticked, ...lost]) await plan.tick(task, true);
  if (lost.length > 0) {
    const which = lost.join(", ");
    emit({
      type: "notice",
      message: `Ticked again in tasks.md: ${which}, which passed before the kill and lost the tick`,
    });
  }
  const { known: taken } = await plan.read();
  const isLooked = !origin.fresh && !resumed.toJudge && !resumed.isAtWork;
  const mending = isLooked ? await look(taken.plan, (task) => isRewritten(task, before, taken)) : noManualFixes;
  const passes = [...mending.mended];
  // If a person fixed the task, its turn is not resumed, and its questions are dropped.
  const midTurn = resumed.midTurn && passes.length === 0;
  const due = midTurn ? [] : resumed.leave(taken.plan);
  const said = passes.length === 0 ? inputRecords(options, origin.past, midTurn) : [];
  const takenUp = unparkRecords(options, origin.past);
  // The edits below make the plan differ from the plan recorded at the end of the previous start, so invalidate that
  // record first. If a question is asked again, its answer invalidates the record.
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
  // The steps of a handed-out run count as one start: keep the plan of the first step.
  if (!resumed.isAtWork) copy.keep(taken.text);
  for (const { key } of passes) await plan.tick(taskOf(key), true);
  const isPutAgain = (record: RunRecord): boolean => record.type === "answered" && questions.has(record.key);
  const held = origin.fresh ? [] : reading.records.filter((record) => !isPutAgain(record));
  return { plan, found: found.plan, midTurn, mending, records: held };

  function again(hash: string): string {
    return sameAgain(withAnswer(address, options), "--accept", hash);
  }

  async function acceptChange(changed: string, { text: foundText }: OpenPlan): Promise<void> {
    const text = "The plan was changed outside of the run.";
    const answer = await askOwner({ text, ask: "Continue with it?", items: [changed], facts: ["plan", foundText] });
    if (answer.accepted) return;
    throw new InputError(`Cannot continue, since the plan was changed during the run: ${changed}`, {
      code: "plan-changed",
      hint: lookAtPlan(`. To accept its current text: ${again(answer.hash)}`, copy.path),
    });
  }

  /** Ask whether to keep ticks without a verdict. If the answer is no, the ticks are cleared. */
  async function keepsTicks(ticks: readonly TaskId[], { text: foundText }: OpenPlan): Promise<boolean> {
    const text = "These tasks were ticked around the time of the kill, without a verdict.";
    const items = ticks.map((id) => `task ${id}`);
    const answer = await askOwner({ text, ask: "Keep the ticks?", items, facts: ["ticks", ticks, foundText] });
    if (answer.accepted || answer.isAsked) return answer.accepted;
    throw new InputError(`Cannot continue, since these tasks are ticked without a verdict: ${ticks.join(", ")}`, {
      code: "ticks-unexplained",
      hint: `Clear the boxes to repeat the tasks, or keep the ticks: ${again(answer.hash)}`,
    });
  }
}

function isRewritten(task: TaskId, before: PlanDocument | null, now: PlanDocument): boolean {
  if (before === null || tasksOf(before, task).length !== 1) return false;
  return blockOf(tickedIn(before, task, false), task) !== blockOf(tickedIn(now, task, false), task);
}

/** Parse another text of a plan, reusing parsed parts. */
const versionOf = (found: OpenPlan, text: string): PlanDocument =>
  "chunks" in found ? reopenPlan(found as PlanDocument, text) : openPlan(text);

/**
 * Restore boxes and log lines of recorded passes that a power cut undid. If the machine has not rebooted since the
 * previous start, nothing is restored: no write was lost, so a person cleared the box. If it is unknown whether the
 * machine rebooted, the owner is asked.
 *
 * @param found The current plan.
 * @returns The plan afterwards.
 * @throws {InputError} `boxes-lost` if there is no one to ask
 */
export async function restoreLostWrites(
  { documents, reading, emit }: Pick<Start, "documents" | "reading" | "emit">,
  memory: RunMemory,
  found: OpenPlan,
  askOwner: (question: OwnerQuestion) => Promise<OwnerAnswer>,
): Promise<OpenPlan> {
  const { unflushed, owed } = memory.state;
  const tasks = Object.keys(unflushed);
  const { rebooted } = reading;
  if (tasks.length === 0 || rebooted === false) return found;
  const lost = lostBoxes(memory.state, found.plan);
  if (lost.length > 0 && rebooted === null && !(await areLost(lost, found.text))) return found;
  for (const task of lost) await documents.tick(task, true);
  for (const task of found.plan.tasks) {
    if (!Object.hasOwn(unflushed, task.id) || Object.hasOwn(owed, task.id)) continue;
    const { fixes } = spentOn(memory.spent(task.id), task.id);
    await logPass({ documents, attempts: memory }, { task, commit: unflushed[task.id] ?? null, fixes });
  }
  await documents.flush?.();
  memory.record([{ type: "flushed", tasks }]);
  if (lost.length > 0) {
    emit({
      type: "notice",
      message: `${countOf(lost.length, "box", "boxes")} of the last run restored after a power cut`,
    });
  }
  return lost.length === 0 ? found : documents.read();

  async function areLost(boxes: readonly TaskId[], text: string): Promise<boolean> {
    const answer = await askOwner({
      text: "These tasks have passed, but their boxes are open, either because of a power cut, or because a person cleared them.",
      ask: "Tick them again?",
      items: boxes.map((id) => `task ${id}`),
      facts: ["boxes", boxes, text],
    });
    if (answer.accepted || answer.isAsked) return answer.accepted;
    throw new InputError(
      `Cannot continue, since a power cut or a person cleared the boxes of tasks that have passed: ${boxes.join(", ")}`,
      {
        code: "boxes-lost",
        ways: [
          { say: "Tick them again", words: ["--accept", answer.hash] },
          { say: "Do the tasks again", words: ["--new-run"] },
        ],
      },
    );
  }
}
