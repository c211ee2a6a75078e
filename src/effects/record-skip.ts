import type { Answer, EffectInput } from "../model/effect.ts";
import { wholeOf } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Skip a task: its box stays open, and the summary says why. */
export async function recordSkip(
  { documents, plan }: WholePorts,
  { task, justification, by }: EffectInput<"recordSkip">,
): Promise<Answer<"recordSkip">> {
  await plan.exclusively(() => documents.summarize({ kind: "skipped", task, justification, by }));
  // A skipped part is not in the plan: its whole task is still checked.
  if (wholeOf(task) !== null) return { kind: "skipped", task };
  return { kind: "skipped", task, skipped: { root: task, justification } };
}
