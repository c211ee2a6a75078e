import type { Answer, EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Tick an accepted task and write its lines into the progress log. May run twice: nothing is written twice. */
export async function recordPass(ports: WholePorts, input: EffectInput<"recordPass">): Promise<Answer<"recordPass">> {
  const { documents, attempts, plan, git } = ports;
  const { id, title } = await findTask(ports, input.task);
  const { headBefore } = await attempts.recall(attemptOf(input.key));
  const head = (await git?.head()) ?? null;
  await plan.tick(id, true);
  await documents.append({ kind: "completed", task: id, title, commit: head === headBefore ? null : head });
  if (input.fixes.length > 0) await documents.append({ kind: "fixes", task: id, fixes: input.fixes, final: "PASS" });
  return { kind: "recorded" };
}
