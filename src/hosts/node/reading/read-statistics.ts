import { join } from "node:path";
import { latestRun, latestSegment, readJournal, runFolder } from "../../../adapters/journal/read-journal.ts";
import { readVerify } from "../../../markdown/tasks/read-verify.ts";
import { FixpointError } from "../../../model/errors.ts";
import { globalCap } from "../../../model/limits.ts";
import { asideIn, planWithout } from "../../../model/plan-parts.ts";
import { type Policy, policyOver, readPolicy } from "../../../model/policy.ts";
import { orderOf } from "../../../model/select-work.ts";
import type { Forecast, PlannedTask, RunSeen, Statistics } from "../../../model/statistics.ts";
import type { Task } from "../../../model/task.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import { expectedOf, lookAtRun, statisticsOf } from "../../../runtime/statistics.ts";
import { type SpecFolder, specAddress } from "../find-spec.ts";
import { findSpecs, specsBeside } from "../find-specs.ts";
import type { RunOptions } from "../run-options.ts";
import { announceProjectCheck } from "../start/find-project-check.ts";
import { readPlanFile } from "./read-plan-file.ts";

export interface FolderStatistics extends Statistics {
  /** Number of specs that have a run. */
  readonly specs: number;
  readonly unread: readonly { readonly run: string; readonly reason: string }[];
}

/**
 * Compute statistics from the journals of all specs below a folder. Read-only, so it is safe while runs are in
 * progress.
 *
 * @param folder Absolute.
 * @throws {InputError} `specs-missing`
 * @throws {EnvironmentError} `file-refused`
 */
export function readStatistics(folder: string): FolderStatistics {
  const { runs, specs, unread } = readRuns(findSpecs(folder));
  return { specs, ...statisticsOf(runs), unread };
}

function readRuns(folders: readonly string[]): Pick<FolderStatistics, "specs" | "unread"> & {
  readonly runs: readonly RunSeen[];
} {
  const runs: RunSeen[] = [];
  const unread: { run: string; reason: string }[] = [];
  let specs = 0;
  for (const folder of folders) {
    const base = join(folder, ".fixpoint");
    const numbers = Array.from({ length: latestRun(base) }, (_, at) => at + 1);
    const kept = numbers.filter((number) => latestSegment(runFolder(base, number)) > 0);
    if (kept.length > 0) specs += 1;
    for (const run of kept) {
      try {
        const { records, segments } = readJournal(base, { run });
        runs.push(lookAtRun({ records, seed: segments[0]?.header.seed }));
      } catch (error) {
        if (!(error instanceof FixpointError)) throw error;
        unread.push({ run: runFolder(base, run), reason: error.message });
      }
    }
  }
  return { runs, specs, unread };
}

const mostSteps = 200;

/**
 * Forecast a run: its tasks in order, their checks, and the expected time and cost, based on runs of neighbouring
 * specs. Runs and writes nothing.
 *
 * @throws {InputError} `tasks-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`, `journal-newer`,
 * `journal-older`, `policy-invalid`
 * @throws {EnvironmentError} `file-refused`
 */
export function readForecast(
  spec: SpecFolder,
  {
    policy: given = {},
    ladder = {},
    workspace,
    address = specAddress(spec),
  }: Pick<RunOptions, "policy" | "ladder" | "address"> & { readonly workspace: string },
): Forecast {
  const { plan } = readPlanFile(spec.tasksPath);
  const journal = readJournal(spec.dataFolder);
  const state = replayRecords(journal);
  const isOver = state?.ended?.ending.outcome === "complete";
  const recorded = isOver ? undefined : journal.segments.at(-1)?.header.policy;
  const policy = readPolicy(recorded === undefined ? given : policyOver(recorded, given), ladder);
  const left = [...Object.keys(state?.skipped ?? {}), ...Object.keys(state?.superseded ?? {})];
  const choice = { optional: policy.optional, people: policy.unattended !== true };
  const open = planWithout(plan, [...left, ...asideIn(plan.tasks, choice)]);
  const tasks = open.tasks.filter(({ done, isGroup }) => !done && isGroup !== true);
  const steps = orderOf(open, { ...choice, maxParallel: policy.maxParallel }, mostSteps);
  return {
    steps: steps.map((step) => step.map((task) => plannedTask(task, policy))),
    tasks: tasks.length,
    maxDelegations: globalCap(policy, recorded === undefined ? tasks.length : (state?.open ?? tasks.length)),
    projectCheck: announceProjectCheck(open.tasks, policy, { workspace, folder: spec.folder, address }),
    expected: expectedOf(
      tasks.filter(({ fixOf }) => fixOf === null).length,
      readRuns(specsBeside(spec.folder)).runs.flatMap((run) => run.tasks),
    ),
  };
}

function plannedTask({ id, title, fields, aside }: Task, { verify, checkEvery, trustExecutor }: Policy): PlannedTask {
  const own = readVerify(fields.verify);
  const command = own.kind === "command" ? own.command : checkEvery === "task" ? verify : null;
  return { id, title, check: trustExecutor ? null : command, isForPerson: aside === "person" };
}
