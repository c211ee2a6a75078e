import { basename } from "node:path";
import { addressBy } from "../../../model/command-line.ts";
import type { Explanation } from "../../../model/explanation.ts";
import type { TaskId } from "../../../model/task.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import { explain } from "../../../runtime/explain.ts";
import { specAddress } from "../find-spec.ts";
import { readRun } from "../read-run.ts";
import type { StatusOptions } from "./read-status.ts";
import { isAlive, startsIn } from "./recorded-starts.ts";

/**
 * Explain the state of a task from the plan and the journal of a run; null for an unknown task. Read-only, so it is
 * safe while the run is in progress.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `tasks-missing`, `run-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`,
 * `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readExplanation(
  folder: string,
  task: TaskId,
  { run, address = specAddress({ folder, name: basename(folder) }) }: StatusOptions = {},
): Explanation | null {
  const { plan, journal, isLatest, dataFolder } = readRun(folder, run, address);
  const starts = startsIn(journal);
  const alive = isLatest && isAlive({ dataFolder }, starts);
  const seed = journal.segments[0]?.header.seed;
  const recorded = {
    spec: basename(folder),
    address: addressBy(address, replayRecords(journal)),
    plan,
    starts,
    seed,
    alive,
  };
  return explain(recorded, task);
}
