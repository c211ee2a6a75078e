import { basename, join } from "node:path";
import { readJournal } from "../../adapters/journal.ts";
import { readPlanText } from "../../adapters/read-plan-text.ts";
import { latestRun } from "../../adapters/read-segments.ts";
import { refused } from "../../adapters/refused.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { TaskId } from "../../model/task-id.ts";
import { explain } from "../../runtime/explain.ts";
import { holderOf } from "./holder-of.ts";
import type { StatusOptions } from "./read-status.ts";
import { runMissing } from "./run-missing.ts";
import { specAddress } from "./spec-address.ts";
import { startsIn } from "./starts-in.ts";

/**
 * Why a task of a spec is where it is, from its plan and the journal of its latest run, or another; null for a task that neither
 * names. Changes nothing, and may be asked while a run is alive.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `run-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readExplanation(
  folder: string,
  task: TaskId,
  { run, address = specAddress({ folder, name: basename(folder) }) }: StatusOptions = {},
): Explanation | null {
  const path = join(folder, "tasks.md");
  const plan = readPlan(refused("read", path, () => readPlanText(path)));
  const dataFolder = join(folder, ".fixpoint");
  const journal = readJournal(dataFolder, { run });
  if (run !== undefined && journal.segments.length === 0) throw runMissing(run, address);
  const isLatest = run === undefined || run === latestRun(dataFolder);
  const alive = isLatest && holderOf(journal) !== null;
  return explain({ spec: basename(folder), address, plan, starts: startsIn(journal), alive }, task);
}
