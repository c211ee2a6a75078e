import type { Answer } from "../model/effect.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Look at the whole plan once more. Everything the coordinator knows as ticked was accepted by this run, or ticked
 * before it or by hand while it was stopped; the plan on the disk must say the same.
 */
export async function confirmCompletion({ plan }: WholePorts): Promise<Answer<"confirmCompletion">> {
  const reading = await plan.read();
  const known = reading.known.plan;
  const found = reading.found.plan;
  const accounted = new Set(known.tasks.filter(({ done }) => done).map(({ id }) => id));
  const open = found.tasks.filter(({ id, done }) => !done || !accounted.has(id)).map(({ id }) => id);
  const gone = [...accounted].filter((id) => !found.tasks.some((task) => task.id === id));
  if (found.tasks.length > 0 && open.length === 0 && gone.length === 0) return { kind: "complete" };
  return {
    kind: "gate",
    reason: `The plan was changed at the end of the run: ${[...open, ...gone].join(", ") || "it has no task"}`,
    hint: "Look at tasks.md, then run again",
  };
}
