import type { EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { tellHarm } from "../wording/tell-harm.ts";
import { guardWork, type Harmed } from "./guard-work.ts";
import type { WorkJudged } from "./judge-work.ts";
import type { WholePorts } from "./with-memory.ts";
import { changesSoFar } from "./work-so-far.ts";

/** The question about harmful changes, with hashes of the changes it shows. */
export const askAbout = (harmed: Harmed | null) =>
  harmed && { question: tellHarm(harmed, "reject")?.question ?? "", covers: [...harmed.covers] };

/** Find damage to the proof of a task or to other work, if its Verify passes. */
export async function lookForHarm(
  ports: WholePorts,
  { guard = "off" }: EffectInput<"verify">,
  task: Task,
  { run, proof, changes }: Pick<WorkJudged, "changes" | "proof"> & { readonly run: VerifyRun | null },
): Promise<Harmed | null> {
  if (guard === "off" || run === null || proof === null || changes === null) return null;
  return guardWork(ports, task, { run, changes, before: ports.attempts.before(task.id) });
}

/** Find undone work of others when an attempt is accepted without running its Verify. */
export async function lookForUndone(
  ports: WholePorts,
  { key, guard = "off", trustExecutor }: EffectInput<"verify">,
  task: Task,
): Promise<Harmed | null> {
  const { attempts, trees } = ports;
  if (guard === "off" || trustExecutor || trees?.keeps !== true || attempts.passed().length === 0) return null;
  const changes = await changesSoFar(ports, task, (await attempts.recall(attemptOf(key))).left);
  return changes && guardWork(ports, task, { run: null, changes, before: null });
}
