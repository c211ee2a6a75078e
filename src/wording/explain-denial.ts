import { commandLine, type SpecAddress } from "../model/command-line.ts";
import { attemptsOn, type Ledger, lastAttempt, type SpentByTask, spentOn } from "../model/ledger.ts";
import { type Denial, isOfPullRequest, type Limit, mostRacers } from "../model/limits.ts";
import { switchOf } from "../model/option.ts";
import { Policy } from "../model/policy.ts";
import { ShippingLimits } from "../model/pull-request-policy.ts";
import type { TaskId } from "../model/task.ts";
import { countOf } from "../model/text.ts";
import { fixesBelow, lineageIn } from "../recover/check-limit.ts";
import { durationPhrase } from "../recover/verify-error.ts";
import { mendWords } from "./explain-question.ts";

export const flagOf = (limit: Limit): string =>
  switchOf(isOfPullRequest(limit) ? ShippingLimits.shape[limit] : Policy.shape[limit]);

const limitsOfRun: readonly Limit[] = ["maxGlobalIterations", "maxRunTime", "maxCost", "maxTokens"];

export interface DenialReader {
  readonly address: SpecAddress;
  /** Usage of the whole run so far, from which higher limits of the run are suggested. */
  readonly used: Pick<Ledger, "iterations" | "elapsedMs" | "costUsd" | "tokens">;
  /** Whether the next start runs the Verify of a planned task first. */
  readonly rerunsFirst: (root: TaskId) => boolean;
  /** Whether the executor wrote learnings into the log. */
  readonly hasLearnings: boolean;
}

/**
 * Explain to a person that a limit has stopped a run: the error, possibly of several lines, and the possible next
 * steps. Each step is one line with a command at its end.
 *
 * @param spent Amounts spent, at least those of the denied task's tree.
 * @param lastError Error of the last attempt, for a task that ran out of retries.
 */
export function explainDenial(
  denial: Denial,
  spent: SpentByTask,
  lastError: string | null,
  reader: DenialReader,
): { error: string; hint: string } {
  return { error: describe(denial, spent, lastError, reader), hint: advise(denial, spent, reader) };
}

function advise(denial: Denial, spent: SpentByTask, { address, used, rerunsFirst }: DenialReader): string {
  const raised = commandLine(address, "run", { options: raising(denial, used) });
  if (isOfPullRequest(denial.limit)) {
    return [
      "See the open points on the page of the pull request, and continue by hand",
      `Or raise the limit: ${raised}`,
      `See the state of the run: ${commandLine(address, "status")}`,
    ].join("\n");
  }
  if (limitsOfRun.includes(denial.limit)) {
    return `Allow as much again: ${raised}\nSee the state of the run: ${commandLine(address, "status")}`;
  }
  const [root] = lineageIn(spent, denial.task);
  return [
    `Fix task ${root} yourself, ${mendWords(rerunsFirst(root))}: ${commandLine(address, "run")}`,
    ...(mayBeRaised(denial) ? [`Or raise the limit: ${raised}`] : []),
    `See why the run stopped: ${commandLine(address, "why", { task: root })}`,
  ].join("\n");
}

export const raising = (denial: Pick<Denial, "limit" | "max">, used: DenialReader["used"]): string[] => [
  ...(isOfPullRequest(denial.limit) ? ["--pull-request"] : []),
  flagOf(denial.limit),
  nextValue(denial, used),
];

export const mayBeRaised = ({ limit, max }: Pick<Denial, "limit" | "max">): boolean =>
  limit !== "race" || max < mostRacers;

/** Suggest a higher value of a limit, in the form of the command line. */
export function nextValue({ limit, max }: Pick<Denial, "limit" | "max">, used: DenialReader["used"]): string {
  const asMuchAgain = (spent: number): number => Math.max(max, spent) + max;
  if (limit === "maxGlobalIterations") return String(asMuchAgain(used.iterations));
  if (limit === "maxRunTime") return durationPhrase(roundedUp(asMuchAgain(used.elapsedMs)));
  if (limit === "maxCost") return String(Math.ceil(asMuchAgain(used.costUsd) * 100) / 100);
  if (limit === "maxTokens") return String(asMuchAgain(used.tokens));
  if (limit === "maxTime") return durationPhrase(roundedUp(2 * max));
  if (limit === "race") return String(Math.min(mostRacers, 2 * max));
  return String(max + 1);
}

function describe(
  { limit, task, max }: Denial,
  spent: SpentByTask,
  lastError: string | null,
  { hasLearnings }: Pick<DenialReader, "hasLearnings">,
): string {
  switch (limit) {
    case "maxTaskIterations": {
      const first = `Max retries reached for task ${task} after ${renderAttempts(spent, task)}`;
      const last = lastError === null ? [] : [`Last error: ${lastError}`];
      const review = hasLearnings ? ["Review .progress.md Learnings section for failure details"] : [];
      return [first, ...last, ...review].join("\n");
    }
    case "maxFixTasksPerOriginal":
      return `Max fix attempts (${max}) reached for task ${task}\nFix attempts: ${list(spentOn(spent, task).fixes)}`;
    case "maxFixTaskDepth": {
      const lineage = lineageIn(spent, task);
      const whose = lineage[0] === task ? task : `${lineage[0]} (its fix ${task})`;
      return `Max fix task depth (${max}) exceeded for task ${whose}\nLineage: ${lineage.join(" -> ")}`;
    }
    case "maxFixTasksPerRoot":
      return `Max fix tasks (${max}) reached for root task ${task}\nFix attempts: ${list(fixesBelow(spent, task))}`;
    case "repairBudget":
      return `Repair budget (${max}) used up for task ${task}`;
    case "maxPivotAttempts":
      return `Max pivot attempts (${max}) reached for task ${task}`;
    case "maxResearchAttempts":
      return `Max research attempts (${max}) reached for task ${task}`;
    case "race":
      return `Max attempts of a race (${max}) reached for task ${task}`;
    case "maxTotalAttempts":
      return `Max total attempts (${max}) reached for task ${task}`;
    case "maxGlobalIterations":
      return `Maximum global iterations (${max}) reached`;
    case "maxRunTime":
      return `Maximum run time (${durationPhrase(max)}) reached`;
    case "maxCost":
      return `Maximum cost ($${max}) reached`;
    case "maxTokens":
      return `Maximum tokens (${max}) reached`;
    case "maxTime":
      return `Maximum time of a pull request (${durationPhrase(max)}) reached for ${task}`;
    case "maxCycles":
      return `Maximum tasks (${max}) for ${task} reached`;
    case "maxFixesPerCheck":
      return `Max fix tasks (${max}) reached for ${task}`;
    case "maxTasksPerThread":
      return `Max tasks (${max}) reached for ${task}`;
  }
}

function renderAttempts(spent: SpentByTask, task: string): string {
  const [all, counted] = [lastAttempt(spent, task), attemptsOn(spent, task)];
  return `${countOf(all, "attempt")}${counted === all ? "" : ` (${counted} of them ${counted === 1 ? "counts" : "count"})`}`;
}

const list = (ids: readonly string[]): string => (ids.length === 0 ? "none" : ids.join(", "));

function roundedUp(ms: number): number {
  const unit = ms < 1000 ? 1 : ms < 600_000 ? 1000 : ms < 36_000_000 ? 60_000 : 3_600_000;
  return Math.ceil(ms / unit) * unit;
}
