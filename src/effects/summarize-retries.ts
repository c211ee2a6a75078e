import type { Repair } from "../model/directive.ts";
import type { LevelRung } from "../model/rung.ts";
import type { TaskId } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Summarize retries of a repair operator that did not help these tasks. @param level The next stuck level. */
export async function summarizeRetries(
  { documents, plan }: WholePorts,
  {
    repairs,
    tasks,
    level,
  }: {
    readonly repairs: readonly Repair[];
    readonly tasks: readonly TaskId[];
    readonly level: LevelRung | null;
  },
): Promise<void> {
  const retried = repairs
    .filter(({ task, directive }) => directive.strategy === "retry" && tasks.includes(task))
    .map(({ task }) => task);
  for (const task of new Set(retried)) {
    const attempts = retried.filter((other) => other === task).length;
    await plan.exclusively(() => documents.summarize({ kind: "exhausted", task, attempts, level }));
  }
}
