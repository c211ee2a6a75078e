import type { Denial } from "../model/effect.ts";
import { attemptsOn, type SpentByTask, spentOn } from "../model/ledger.ts";
import type { Limit } from "../model/policy.ts";
import { fixesBelow, lineageIn } from "./check-limit.ts";
import { tellDuration } from "./tell-limit.ts";

/** The option that sets a limit. */
export const limitFlags: Record<Limit, string> = {
  maxTaskIterations: "--max-task-iterations",
  maxFixTasksPerOriginal: "--max-fix-tasks",
  maxFixTaskDepth: "--max-fix-depth",
  maxFixTasksPerRoot: "--max-fix-total",
  repairBudget: "--repair-budget",
  maxPivotAttempts: "--max-pivot-attempts",
  maxResearchAttempts: "--max-research-attempts",
  maxTotalAttempts: "--max-total-attempts",
  maxGlobalIterations: "--max-global-iterations",
  maxRunTime: "--max-run-time",
  maxCost: "--max-cost",
  maxTokens: "--max-tokens",
};

const limitsOfRun: readonly Limit[] = ["maxGlobalIterations", "maxRunTime", "maxCost", "maxTokens"];

/**
 * What a person is told when a limit has stopped a run: the error, of one line or more and without a prefix, and
 * what to do next.
 *
 * @param spent
 *   Of the denied task's tree at least.
 * @param lastError
 *   What the last attempt failed with, for a task that ran out of retries.
 */
export function explainDenial(
  denial: Denial,
  spent: SpentByTask,
  lastError: string | null,
): { error: string; hint: string } {
  return { error: describe(denial, spent, lastError), hint: advise(denial) };
}

function advise({ limit, task }: Denial): string {
  const raise = `raise ${limitFlags[limit]}`;
  if (limit === "maxTaskIterations") {
    return `Review .progress.md Learnings section for failure details. Fix the issue manually then run \`fixpoint run\` to resume, or ${raise}.`;
  }
  const goOn = "`fixpoint run` goes on from there";
  return limitsOfRun.includes(limit)
    ? `To continue, ${raise}: ${goOn}.`
    : `Fix task ${task} by hand and edit or tick it in tasks.md, or ${raise}: ${goOn}.`;
}

function describe({ limit, task, max }: Denial, spent: SpentByTask, lastError: string | null): string {
  switch (limit) {
    case "maxTaskIterations": {
      const attempts = attemptsOn(spent, task);
      const first = `Max retries reached for task ${task} after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
      return lastError === null ? first : `${first}\nLast error: ${lastError}`;
    }
    case "maxFixTasksPerOriginal":
      return `Max fix attempts (${max}) reached for task ${task}\nFix attempts: ${list(spentOn(spent, task).fixes)}`;
    case "maxFixTaskDepth":
      return `Max fix task depth (${max}) exceeded for task ${task}\nLineage: ${lineageIn(spent, task).join(" -> ")}`;
    case "maxFixTasksPerRoot":
      return `Max fix tasks (${max}) reached for root task ${task}\nFix attempts: ${list(fixesBelow(spent, task))}`;
    case "repairBudget":
      return `Repair budget (${max}) used up for task ${task}`;
    case "maxPivotAttempts":
      return `Max pivot attempts (${max}) reached for task ${task}`;
    case "maxResearchAttempts":
      return `Max research attempts (${max}) reached for task ${task}`;
    case "maxTotalAttempts":
      return `Max total attempts (${max}) reached for task ${task}`;
    case "maxGlobalIterations":
      return `Maximum global iterations (${max}) reached. Review .progress.md for failure patterns.`;
    case "maxRunTime":
      return `Maximum run time (${tellDuration(max)}) reached. Review .progress.md for failure patterns.`;
    case "maxCost":
      return `Maximum cost ($${max}) reached. Review .progress.md for failure patterns.`;
    case "maxTokens":
      return `Maximum tokens (${max}) reached. Review .progress.md for failure patterns.`;
  }
}

const list = (ids: readonly string[]): string => (ids.length === 0 ? "none" : ids.join(", "));
