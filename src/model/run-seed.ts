import * as z from "zod";
import { ExecutionState, limitsOfState, type StateFile } from "./execution-state.ts";
import { SpentByTask, spentOn } from "./ledger.ts";
import { interpreted } from "./parse-json.ts";
import { nextTask, type Plan } from "./plan.ts";
import type { PolicyInput } from "./policy.ts";
import { fixId } from "./task.ts";

/** Amounts that a run had spent before its first record. The run was imported, or has lost its data. */
export const RunSeed = z.object({
  /** Delegations. */
  iterations: z.int().min(0),
  tasks: SpentByTask,
  /** Number of plan changes, by the task that requested them. */
  changes: z.record(z.string(), z.int().min(0)).default({}),
  /** Working time in milliseconds. */
  elapsedMs: z.number().min(0).default(0),
  costUsd: z.number().min(0).default(0),
  tokens: z.int().min(0).default(0),
});
export type RunSeed = z.infer<typeof RunSeed>;

export const noSeed: RunSeed = { iterations: 0, tasks: {}, changes: {}, elapsedMs: 0, costUsd: 0, tokens: 0 };

/** Combine seeds of the same run: the highest value of each count, and all fix tasks. */
export function highestSeed(seeds: readonly RunSeed[]): RunSeed {
  const tasks: RunSeed["tasks"] = {};
  const changes: RunSeed["changes"] = {};
  const highest = { ...noSeed, tasks, changes };
  for (const seed of seeds) {
    for (const [task, spent] of Object.entries(seed.tasks)) {
      const known = spentOn(tasks, task);
      tasks[task] = {
        ...spent,
        ...known,
        attempts: Math.max(known.attempts, spent.attempts),
        retries: Math.max(known.retries, spent.retries),
        fixes: [...new Set([...known.fixes, ...spent.fixes])],
      };
    }
    for (const [task, count] of Object.entries(seed.changes)) changes[task] = Math.max(changes[task] ?? 0, count);
    for (const name of counts) highest[name] = Math.max(highest[name], seed[name]);
  }
  return highest;
}

const counts = ["iterations", "elapsedMs", "costUsd", "tokens"] as const;

export interface TakenOver {
  /** Only the settings that the file contains. */
  readonly policy: PolicyInput;
  readonly seed: RunSeed;
}

/**
 * Read limits and spent amounts from a state file of the source system, or of a run that lost its journal.
 *
 * @param plan The first open task of this plan is the task that `taskIteration` counts.
 */
export function takeOver(state: StateFile, plan: Pick<Plan, "tasks">): TakenOver {
  const spent: SpentByTask = {};
  for (const [task, { attempts, fixTaskIds }] of Object.entries(state.fixTaskMap ?? {})) {
    const fixes = [...fixTaskIds];
    // The file counts more fix tasks than it names, so generate the missing ids.
    for (let n = 1; fixes.length < attempts; n++) if (!fixes.includes(fixId(task, n))) fixes.push(fixId(task, n));
    spent[task] = { attempts: fixes.length + 1, retries: 0, fixes };
  }
  const current = nextTask(plan)?.current;
  // `taskIteration` includes the current attempt, which was not finished.
  const made = Math.max(0, (state.taskIteration ?? 1) - 1);
  if (current !== undefined && made > 0) {
    const { attempts = 0, fixes = [] } = spent[current] ?? {};
    spent[current] = { attempts: Math.max(attempts, made), retries: made - 1, fixes };
  }
  const changes = Object.fromEntries(
    Object.entries(state.modificationMap ?? {}).map(([task, { count }]) => [task, count]),
  );
  const iterations = Math.max(0, (state.globalIteration ?? 1) - 1);
  return { policy: policyIn(state), seed: { ...noSeed, iterations, tasks: spent, changes } };
}

/** Limits in the file. Without a limit of fix tasks, the default of the source system applies. */
function policyIn(state: StateFile): PolicyInput {
  const given = limitsOfState.filter((name) => typeof state[name] === "number").map((name) => [name, state[name]]);
  const { maxFixTasksPerOriginal } = ExecutionState.parse({}, interpreted);
  return {
    maxFixTasksPerOriginal,
    ...Object.fromEntries(given),
    ...(state.recoveryMode === true && { recovery: ["fix"] }),
  };
}
