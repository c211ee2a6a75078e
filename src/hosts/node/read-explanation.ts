import { basename, join } from "node:path";
import { readJournal } from "../../adapters/journal.ts";
import { readPlanText } from "../../adapters/read-plan-text.ts";
import { refused } from "../../adapters/refused.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { TaskId } from "../../model/task-id.ts";
import { explain } from "../../runtime/explain.ts";
import { holderOf } from "./holder-of.ts";
import { startsIn } from "./starts-in.ts";

/**
 * Why a task of a spec is where it is, from its plan and the journal of its latest run; null for a task that neither
 * names. Changes nothing, and may be asked while a run is alive.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `plan-too-large`, `plan-too-deep`, `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readExplanation(folder: string, task: TaskId): Explanation | null {
  const path = join(folder, "tasks.md");
  const plan = readPlan(refused("read", path, () => readPlanText(path)));
  const journal = readJournal(join(folder, ".fixpoint"));
  return explain({ spec: basename(folder), plan, starts: startsIn(journal), alive: holderOf(journal) !== null }, task);
}
