import type { Answer, EffectInput } from "../model/effect.ts";
import { wholeOf } from "../model/part-id.ts";
import type { WholePorts } from "./with-memory.ts";

/** Leave a task out: its box stays open, and the summary says why. */
export async function recordSkip(
  { documents, attempts, plan }: WholePorts,
  { task, justification }: EffectInput<"recordSkip">,
): Promise<Answer<"recordSkip">> {
  await plan.exclusively(() => documents.summarize({ kind: "skipped", task, justification }));
  // The whole of a part that is left out is still to be checked.
  if (wholeOf(task) !== null) return { kind: "skipped" };
  attempts.keepSkip(task, justification);
  return { kind: "skipped", skipped: { root: task, justification } };
}
