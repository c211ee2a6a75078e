import { hostname } from "node:os";
import { basename, join } from "node:path";
import { type JournalReading, readJournal } from "../../adapters/journal.ts";
import { isAlive } from "../../adapters/process-identity.ts";
import { readPlanText } from "../../adapters/read-plan-text.ts";
import { refused } from "../../adapters/refused.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { TaskId } from "../../model/task-id.ts";
import { explain } from "../../runtime/explain.ts";
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
  return explain({ spec: basename(folder), plan, starts: startsIn(journal), alive: isHeld(journal) }, task);
}

/** Whether a coordinator of this machine is at work on it. */
function isHeld({ segments }: JournalReading): boolean {
  const last = segments.at(-1);
  const end = last?.records.at(-1)?.type;
  if (last === undefined || end === "ended" || end === "released") return false;
  return last.header.host === hostname() && isAlive(last.header);
}
