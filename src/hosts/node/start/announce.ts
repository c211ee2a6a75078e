import type { Trouble } from "../../../adapters/presets/setup/tool-surroundings.ts";
import { lintPlan, reportOn } from "../../../markdown/lint-plan.ts";
import { commandLine, type SpecAddress, tellWays } from "../../../model/command-line.ts";
import type { RunEnded, RunEvent, TimedRunEvent } from "../../../model/event.ts";
import { nextTask, type Plan } from "../../../model/plan.ts";
import { asideIn, planWithout } from "../../../model/plan-parts.ts";
import type { Policy } from "../../../model/policy.ts";
import { type Rung, tellLadderChange } from "../../../model/rung.ts";
import { tellDamage } from "../../../model/status.ts";
import type { TaskId } from "../../../model/task.ts";
import { workIn } from "../../../model/work-in.ts";
import type { OpenPlan } from "../../../ports/documents.ts";
import { tellReading } from "../../../wording/tell-reading.ts";
import type { VerifyCommands } from "../consent/verify-commands.ts";
import { mendingOf } from "../executors/executor-call.ts";
import type { RunOptions } from "../run-options.ts";
import type { StartOptions } from "../start-options.ts";
import { isUnchecked, tellProjectCheck } from "./find-project-check.ts";
import { completeBefore, type FoundStart } from "./find-start.ts";
import { idleWorktrees } from "./open-worktrees.ts";
import type { Start } from "./start.ts";

/** Send events to the caller, in order and with the time. */
export const emitterOf =
  ({ onEvent }: RunOptions) =>
  (event: RunEvent): void => {
    if (onEvent === undefined) return;
    const { type, ...facts } = event;
    const timed = { type, at: new Date().toISOString(), ...facts } as TimedRunEvent;
    try {
      onEvent(timed);
    } catch (error) {
      // An error of the listener must not affect the run; it is thrown as an uncaught exception.
      queueMicrotask(() => {
        throw error;
      });
    }
  };

/** Facts of a start to announce. */
type Announced = Pick<Start, "emit" | "spec" | "workspace" | "address" | "origin" | "reading"> &
  Pick<FoundStart["data"], "owner"> & { readonly verify: VerifyCommands };

/**
 * Create the announcement of a start, with notices about what it found.
 *
 * @param notices About parts of the plan that may be misread, and about programs that are missing.
 */
export const announcer =
  (
    { emit, spec, workspace, address, origin, owner, reading, verify }: Announced,
    { misread, missing }: { readonly misread: readonly string[]; readonly missing: readonly string[] },
  ): Start["announce"] =>
  (plan, skipped = []) => {
    tellStart({ emit, spec, plan, skipped, origin });
    const { recoveryBefore, policy } = origin;
    const change = recoveryBefore && tellLadderChange(recoveryBefore, policy.recovery);
    if (change !== null) emit({ type: "notice", message: change });
    if (owner.isAltered) emit({ type: "notice", message: altered });
    if (reading.damaged !== undefined) emit({ type: "notice", message: tellDamage(reading.damaged) });
    const unchecked = origin.fresh ? tellUnverified(plan, policy, verify, { address, workspace, spec }) : [];
    for (const message of [...misread, ...unchecked, ...missing, ...idleWorktrees(policy)])
      emit({ type: "notice", message });
  };

/** Announce a start with its plan. Groups of tasks and tasks that the plan excludes do not count. */
function tellStart({
  emit,
  spec,
  plan,
  skipped = [],
  origin: { policy, fresh },
}: Pick<Start, "emit" | "spec" | "origin"> & { readonly plan: Plan; readonly skipped?: Iterable<TaskId> }): void {
  const choice = { optional: policy.optional, people: !policy.unattended };
  const aside = new Set(asideIn(plan.tasks, choice));
  const tasks = plan.tasks.filter(({ id, isGroup }) => isGroup !== true && !aside.has(id));
  emit({
    type: "run.started",
    spec: spec.name,
    total: tasks.length,
    completed: tasks.filter(({ done }) => done).length,
    next: nextTask(workIn(planWithout(plan, skipped), choice))?.current ?? null,
    policy,
    resumed: !fresh,
  });
}

/** Report a start with nothing to do, and return its ending. */
export function tellComplete({ spec, opened: { plan }, origin, data }: FoundStart, emit: Start["emit"]): RunEnded {
  const complete = completeBefore(plan, data.reading);
  tellStart({ emit, spec, plan, origin });
  emit({ type: "notice", message: `${spec.name} is complete: no task is open` });
  emit(complete);
  return complete;
}

/** List the checks of tasks without a Verify, and warn if there are none. */
function tellUnverified(
  { tasks }: Plan,
  policy: Policy,
  { unrunnable }: VerifyCommands,
  { address, workspace, spec: { folder } }: Pick<Start, "address" | "workspace" | "spec">,
): string[] {
  if (policy.trustExecutor) return [];
  const project = tellProjectCheck(tasks, policy, { workspace, folder, address });
  const isNone = policy.verify === null && policy.finalVerify === null && isUnchecked(tasks);
  const which = unrunnable === 1 ? "field cannot be run. See which" : "fields cannot be run. See which";
  return [
    ...(isNone ? ["No task of the plan has a Verify: a task counts as done when its executor says so"] : []),
    ...(project === null ? [] : [project]),
    ...(unrunnable > 0 ? [`${unrunnable} Verify ${which}: ${commandLine(address, "lint")}`] : []),
  ];
}

export const tellDoubt = (doubt: Trouble, address: SpecAddress): string =>
  `${doubt.what}. To fix it: ${tellWays(mendingOf([doubt]), address)}`;

export const unreached = (rung: Rung): string =>
  `The executor for ${rung} is not used: the recovery of this run has no ${rung}`;

export const unfit = (hash: string): string => `--accept ${hash} does not match: the current question has another hash`;

const altered = "Your agreement was changed since your last start, and not by fixpoint";

export const unverified = (run: number): string =>
  `The run data of run ${run} is unverified: its progress is not remembered here`;

/** Maximum number of tasks in a notice. */
const mostTasks = 5;

/**
 * Describe how a plan is read, and what is delegated, if `fixpoint lint` doubts that this is intended.
 *
 * @throws {InputError} `severity-fixed`, `severity-unknown`
 */
export function tellMisread(
  opened: OpenPlan,
  { lint = {} }: Pick<StartOptions, "lint">,
  { optional }: Pick<Policy, "optional">,
  address: SpecAddress,
): string[] {
  const problems = lintPlan(opened.plan, { text: opened.text, severities: lint });
  const { line, named } = tellReading(reportOn(problems, opened, optional), mostTasks);
  if (named === null) return [];
  const tasks = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return [`${line}${tasks}. Parts of the plan may be misread: ${commandLine(address, "lint")}`];
}
