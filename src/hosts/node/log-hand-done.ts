import type { RunMemory } from "../../effects/run-memory.ts";
import { spentOn } from "../../model/ledger.ts";
import type { Plan } from "../../model/plan.ts";
import type { Documents } from "../../ports/documents.ts";

/** What the log still calls failed, of tasks whose fixes a limit stopped and that a person has ticked. */
export async function logHandDone({ tasks }: Plan, documents: Documents, memory: RunMemory): Promise<void> {
  const superseded = [...memory.superseded().keys()];
  for (const { id: task, done } of tasks) {
    const { fixes } = spentOn(memory.ledger.tasks, task);
    if (!done || fixes.length === 0 || memory.accepted.has(task)) continue;
    await documents.append({ kind: "fixes", task, fixes, superseded, final: "done by hand" });
  }
}
