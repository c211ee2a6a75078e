import { basename, dirname } from "node:path";
import { readJournal } from "../../../adapters/journal/read-journal.ts";
import { readVerify } from "../../../markdown/tasks/read-verify.ts";
import type { Forecast, PlannedTask } from "../../../model/forecast.ts";
import { globalCap } from "../../../model/limits.ts";
import { orderOf } from "../../../model/order-of.ts";
import { asideIn, planWithout } from "../../../model/plan-parts.ts";
import { type Policy, policyOver, readPolicy } from "../../../model/policy.ts";
import type { Task } from "../../../model/task.ts";
import { stateIn } from "../../../run/run-before.ts";
import { expectedOf } from "../../../runtime/expect.ts";
import { type SpecFolder, specAddress } from "../find-spec.ts";
import { findSpecs } from "../find-specs.ts";
import type { RunOptions } from "../run-options.ts";
import { tellProjectCheck } from "../start/find-project-check.ts";
import { readPlanFile } from "./read-plan-file.ts";
import { readRuns } from "./read-statistics.ts";

/** Maximum number of steps in a forecast. */
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
  const state = stateIn(journal);
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
    projectCheck: tellProjectCheck(open.tasks, policy, { workspace, folder: spec.folder, address }),
    expected: expectedOf(
      tasks.filter(({ fixOf }) => fixOf === null).length,
      readRuns(specsBeside(spec)).runs.flatMap((run) => run.tasks),
    ),
  };
}

function plannedTask({ id, title, fields, aside }: Task, { verify, checkEvery, trustExecutor }: Policy): PlannedTask {
  const own = readVerify(fields.verify);
  const command = own.kind === "command" ? own.command : checkEvery === "task" ? verify : null;
  return { id, title, check: trustExecutor ? null : command, isForPerson: aside === "person" };
}

/** Specs in the same `specs` folder, including this one; only this one if it is elsewhere. */
function specsBeside({ folder }: SpecFolder): readonly string[] {
  const above = dirname(folder);
  return basename(above) === "specs" ? findSpecs(above) : [folder];
}
