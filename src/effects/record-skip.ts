import type { Answer, EffectInput } from "../model/effect.ts";
import { wholeOf } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Leave a task out: its box stays open, and the summary says why. */
export async function recordSkip(
  { documents, plan }: WholePorts,
  { task, justification, by }: EffectInput<"recordSkip">,
): Promise<Answer<"recordSkip">> {
  await plan.exclusively(() => documents.summarize({ kind: "skipped", task, justification, by }));
  // The whole of a part that is left out is still to be checked.
  if (wholeOf(task) !== null) return { kind: "skipped", task };
  return { kind: "skipped", task, skipped: { root: task, justification } };
}
