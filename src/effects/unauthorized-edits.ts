import type { Question } from "../model/person-event.ts";
import { lookAtPlan, withTicks } from "../model/plan-parts.ts";
import { plannedTask, type Task, type TaskId, wholeOf } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { OpenPlan } from "../ports/documents.ts";
import { type Edits, findEdits } from "../recover/judge-checkmarks.ts";
import { revertUnverifiedTicks } from "./revert-unverified-ticks.ts";
import type { TrackedPlan } from "./tracked-plan.ts";
import { editAgain } from "./tracked-plan.ts";
import type { WholePorts } from "./with-memory.ts";

type Reading = Awaited<ReturnType<TrackedPlan["read"]>>;

export interface Inspection extends Reading {
  readonly question: Question | null;
  /** Tasks written by the run that were missing from the plan, and were inserted again. */
  readonly restored: readonly TaskId[];
}

/** Tasks that are worked on at the same time. Work on a part counts as work on its whole task. */
export function besides(attempts: Attempts, task: Pick<Task, "id">): TaskId[] {
  const others = [...attempts.inFlight()].filter((id) => id !== task.id);
  return wholeOf(task.id) === null ? others : [...others, plannedTask(task.id)];
}

/**
 * Check the plan for edits that attempts may not make. Ticks are cleared before a person is asked about an edit. If
 * only tasks written by the run are missing, the plan was reset to an older text, and is restored.
 */
export async function inspectPlan(ports: WholePorts, task: Task): Promise<Inspection> {
  const reading = await ports.plan.read();
  const { reason, lost } = editsIn(ports, task, reading);
  if (reason !== null) return askAboutEdits(ports, task, reading, reason);
  if (lost.length === 0) return { ...reading, question: null, restored: [] };
  const { known } = reading;
  await editAgain(() =>
    ports.documents.rewrite((found) => {
      const now = editsIn(ports, task, { known, found });
      return now.reason === null && now.lost.length > 0 ? withBoxesOf(found, known) : found.text;
    }),
  );
  const restored = await ports.plan.read();
  const left = editsIn(ports, task, restored);
  const missing = left.lost.map((id) => `task ${id} vanished from the plan`).join("; ") || null;
  const found = left.reason ?? missing;
  if (found !== null) return askAboutEdits(ports, task, restored, found);
  ports.onProgress?.({ type: "notice", message: `Lost tasks restored in tasks.md: ${lost.join(", ")}` });
  return { ...restored, question: null, restored: lost };
}

async function askAboutEdits(ports: WholePorts, { id }: Task, reading: Reading, reason: string): Promise<Inspection> {
  await revertUnverifiedTicks(ports);
  const question = {
    kind: "gate",
    ofRun: true,
    reason: `The plan was changed while task ${id} was worked on: ${reason}`,
    hint: lookAtPlan("; run again to see how to accept the current text", ports.plan.keptAt),
  } as const;
  return { ...reading, question, restored: [] };
}

function editsIn({ attempts, plan }: WholePorts, task: Task, { known, found }: Reading): Edits {
  return findEdits({
    ...{ before: known, after: found, planned: plan.planned },
    own: new Set([task.id, ...besides(attempts, task)]),
    isWritten: (id) =>
      attempts.intended(id) !== null ||
      attempts.changesOf(id).depth > 0 ||
      Object.hasOwn(attempts.pullRequest().tasks, id),
  });
}

function withBoxesOf({ plan: { tasks } }: OpenPlan, known: OpenPlan): string {
  const boxes = new Map(tasks.map(({ id, done }) => [id, done]));
  return withTicks(
    known,
    known.plan.tasks.map(({ id }) => boxes.get(id) ?? null),
  );
}

/**
 * Settle plan edits made outside a judged attempt: keep allowed texts, and clear ticks. Returns the question about an
 * unauthorized edit; null if there is none.
 */
export async function settleEdits(ports: WholePorts, task: Task): Promise<Question | null> {
  const { question, found } = await inspectPlan(ports, task);
  if (question !== null) return question;
  ports.plan.adopt(found);
  await revertUnverifiedTicks(ports, new Set(besides(ports.attempts, task)));
  return null;
}
