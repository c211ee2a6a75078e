import { join } from "node:path";
import { refused } from "../../adapters/files/refused.ts";
import { type JournalReading, latestRun, readJournal } from "../../adapters/journal/read-journal.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { readPlan } from "../../markdown/document/plan-document.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { Plan } from "../../model/plan.ts";
import { replayRecords } from "../../run/previous-start.ts";
import { findTasks } from "./find-spec.ts";
import { readPlanText } from "./reading/read-plan-file.ts";

interface RunReading {
  readonly plan: Plan;
  readonly journal: JournalReading;
  readonly dataFolder: string;
  readonly isLatest: boolean;
}

/**
 * Read a run of a spec without changing anything.
 *
 * @param folder Folder of the spec.
 * @param run Number of the run; the latest when not given.
 * @throws {InputError} `tasks-missing`, `run-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`,
 * `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readRun(folder: string, run: number | undefined, address: SpecAddress): RunReading {
  const path = join(folder, "tasks.md");
  const dataFolder = join(folder, ".fixpoint");
  findTasks({ tasksPath: path, dataFolder });
  const plan = readPlan(refused("read", path, () => readPlanText(path)));
  const journal = readJournal(dataFolder, { run });
  if (run !== undefined && journal.segments.length === 0) throw runMissing(run, address);
  return { plan, journal, dataFolder, isLatest: run === undefined || run === latestRun(dataFolder) };
}

export function recallRun(reading: JournalReading): RunMemory | null {
  const state = replayRecords(reading);
  return state && createRunMemory({ state });
}

const runMissing = (run: number, address: SpecAddress): InputError =>
  new InputError(`Cannot find run ${run}, expected a run that is stored below .fixpoint`, {
    code: "run-missing",
    hint: `See the latest: ${commandLine(address, "status")}`,
  });
