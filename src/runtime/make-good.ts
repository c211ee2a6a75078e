import { logPass } from "../effects/log-pass.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { InputError } from "../model/errors.ts";
import { spentOn } from "../model/ledger.ts";
import type { TaskId } from "../model/task.ts";
import { countOf } from "../model/text.ts";
import type { OpenPlan } from "../ports/documents.ts";
import { lostBoxes } from "../run/resume.ts";
import type { OwnerAnswer, OwnerQuestion, Start } from "./start.ts";

/**
 * Restore boxes and log lines of recorded passes that a power cut undid. If the machine has not rebooted since, nothing
 * is restored: no write was lost, so a person cleared the box. If it is unknown whether it
 * rebooted, the owner is asked.
 *
 * @param found The current plan.
 * @returns The plan afterwards.
 * @throws {InputError} `boxes-lost` if there is no one to ask
 */
export async function makeGood(
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
      `Cannot continue, these tasks have passed, but a power cut or a person cleared their boxes: ${boxes.join(", ")}`,
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
