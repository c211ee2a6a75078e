import type { Trouble } from "../../../adapters/presets/setup/tool-environment.ts";
import { lintPlan, reportOn } from "../../../markdown/lint-plan.ts";
import { commandLine, renderActions, type SpecAddress } from "../../../model/command-line.ts";
import type { RunEnded, RunEvent, TimedRunEvent } from "../../../model/event.ts";
import { supersededIn } from "../../../model/ledger.ts";
import { nextTask, type Plan } from "../../../model/plan.ts";
import { choiceOf, countDone, planWithout } from "../../../model/plan-parts.ts";
import type { Policy } from "../../../model/policy.ts";
import { type Rung, renderLadderChange } from "../../../model/rung.ts";
import { selectWork } from "../../../model/select-work.ts";
import { renderDamage } from "../../../model/status.ts";
import type { TaskId } from "../../../model/task.ts";
import type { OpenPlan } from "../../../ports/documents.ts";
import { describeReading } from "../../../wording/describe-reading.ts";
import type { VerifyCommands } from "../consent/verify-commands.ts";
import { mendingOf } from "../executors/executor-call.ts";
import type { RunOptions } from "../run-options.ts";
import type { StartOptions } from "../start-options.ts";
import { announceProjectCheck, isUnchecked } from "./find-project-check.ts";
import { completeBefore, type FoundStart } from "./find-start.ts";
import { idleWorktrees } from "./open-worktrees.ts";
import type { Start } from "./start.ts";

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

type Announced = Pick<Start, "emit" | "spec" | "workspace" | "address" | "origin" | "reading"> &
  Pick<FoundStart["data"], "owner"> & { readonly verify: VerifyCommands };

/**
 * Create the announcement of a start, with notices about what it found.
 *
 * @param notices Notices about parts of the plan that may be misread, and about missing programs.
 */
export const announcer =
  (
    { emit, spec, workspace, address, origin, owner, reading, verify }: Announced,
    { misread, missing }: { readonly misread: readonly string[]; readonly missing: readonly string[] },
  ): Start["announce"] =>
  (plan, skipped = []) => {
    announceStart({ emit, spec, plan, skipped, origin });
    const { recoveryBefore, policy } = origin;
    const change = recoveryBefore && renderLadderChange(recoveryBefore, policy.recovery);
    if (change !== null) emit({ type: "notice", message: change });
    if (owner.isAltered) emit({ type: "notice", message: altered });
    if (reading.damaged !== undefined) emit({ type: "notice", message: renderDamage(reading.damaged) });
    const unchecked = origin.fresh ? announceUnverified(plan, policy, verify, { address, workspace, spec }) : [];
    for (const message of [...misread, ...unchecked, ...missing, ...idleWorktrees(policy)])
      emit({ type: "notice", message });
  };

/** Announce a start with its plan. */
function announceStart({
  emit,
  spec,
  plan,
  skipped = [],
  origin: { policy, fresh, state, seed },
}: Pick<Start, "emit" | "spec" | "origin"> & { readonly plan: Plan; readonly skipped?: Iterable<TaskId> }): void {
  const choice = choiceOf(policy);
  const superseded = supersededIn((state ?? seed).tasks);
  emit({
    type: "run.started",
    spec: spec.name,
    ...countDone(plan.tasks, choice),
    next: nextTask(selectWork(planWithout(plan, skipped), choice))?.current ?? null,
    policy,
    resumed: !fresh,
    ...(superseded.length > 0 && { superseded }),
  });
}

export function announceComplete({ spec, opened: { plan }, origin, data }: FoundStart, emit: Start["emit"]): RunEnded {
  const complete = completeBefore(plan, data.reading);
  announceStart({ emit, spec, plan, origin });
  emit({ type: "notice", message: `${spec.name} is complete: no task is open` });
  emit(complete);
  return complete;
}

function announceUnverified(
  { tasks }: Plan,
  policy: Policy,
  { unrunnable }: VerifyCommands,
  { address, workspace, spec: { folder } }: Pick<Start, "address" | "workspace" | "spec">,
): string[] {
  if (policy.trustExecutor) return [];
  const project = announceProjectCheck(tasks, policy, { workspace, folder, address });
  const isNone = policy.verify === null && policy.finalVerify === null && isUnchecked(tasks);
  const which = unrunnable === 1 ? "field cannot be run. See which" : "fields cannot be run. See which";
  return [
    ...(isNone ? ["No task of the plan has a Verify: a task counts as done when its executor says so"] : []),
    ...(project === null ? [] : [project]),
    ...(unrunnable > 0 ? [`${unrunnable} Verify ${which}: ${commandLine(address, "lint")}`] : []),
  ];
}

export const announceDoubt = (doubt: Trouble, address: SpecAddress): string =>
  `${doubt.what}. To fix it: ${renderActions(mendingOf([doubt]), address)}`;

export const unreached = (rung: Rung): string =>
  `The executor for ${rung} is not used: the ladder of this run has no rung ${rung}`;

export const unfit = (hash: string): string => `--accept ${hash} does not match: the current question has another hash`;

const altered = "Your agreement was changed since your last start, and not by fixpoint";

export const unverified = (run: number): string =>
  `The run data of run ${run} is unverified: its progress is not remembered here`;

const mostTasks = 5;

/**
 * Describe how a plan is read, and which tasks are delegated, if `fixpoint lint` doubts that the author intended this
 * reading.
 *
 * @throws {InputError} `severity-fixed`, `severity-unknown`
 */
export function announceMisread(
  opened: OpenPlan,
  { lint = {} }: Pick<StartOptions, "lint">,
  { optional }: Pick<Policy, "optional">,
  address: SpecAddress,
): string[] {
  const problems = lintPlan(opened.plan, { text: opened.text, severities: lint });
  const { line, named } = describeReading(reportOn(problems, opened, optional), mostTasks);
  if (named === null) return [];
  const tasks = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return [`${line}${tasks}. Parts of the plan may be misread: ${commandLine(address, "lint")}`];
}
