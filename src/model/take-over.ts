import type { StateFile } from "./execution-state.ts";
import type { SpentByTask } from "./ledger.ts";
import { nextTask, type Plan } from "./plan.ts";
import type { PolicyInput } from "./policy.ts";
import { noSeed, type RunSeed } from "./run-seed.ts";
import { fixId } from "./task-id.ts";

/** What a run is begun with that somebody else has begun. */
export interface TakenOver {
  /** Only what stood in the file. */
  readonly policy: PolicyInput;
  readonly seed: RunSeed;
}

/**
 * What a state file of the source system, or of a run whose journal is gone, says the run has spent and may spend.
 *
 * @param plan The plan it belongs to: `taskIteration` counts for its first open task.
 */
export function takeOver(state: StateFile, plan: Pick<Plan, "tasks">): TakenOver {
  const spent: SpentByTask = {};
  for (const [task, { attempts, fixTaskIds }] of Object.entries(state.fixTaskMap ?? {})) {
    const fixes = [...fixTaskIds];
    // Fixes that were counted but not named were named by their number.
    for (let n = 1; fixes.length < attempts; n++) if (!fixes.includes(fixId(task, n))) fixes.push(fixId(task, n));
    spent[task] = { attempts: fixes.length + 1, retries: 0, fixes };
  }
  const current = nextTask(plan)?.current;
  // The attempt that is up was not made, or not to its end.
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

function policyIn(state: StateFile): PolicyInput {
  const { maxTaskIterations, maxGlobalIterations, maxFixTasksPerOriginal, maxFixTaskDepth, recoveryMode } = state;
  const limits = { maxTaskIterations, maxGlobalIterations, maxFixTasksPerOriginal, maxFixTaskDepth };
  const given = Object.entries(limits).filter(([, value]) => typeof value === "number");
  return { ...Object.fromEntries(given), ...(recoveryMode === true && { recovery: ["fix"] }) };
}
