import type { RunMemory } from "../../src/effects/run-memory.ts";
import { fixesSinceProgress, iterationsOn } from "../../src/model/ledger.ts";
import { globalCap, totalCap, totalSpent } from "../../src/model/limits.ts";
import type { Answered, TimedRunRecord } from "../../src/model/record.ts";
import { taskOf } from "../../src/model/reply.ts";
import { type TaskId, wholeOf } from "../../src/model/task.ts";
import { fixesBelow, lineageIn } from "../../src/recover/check-limit.ts";
import type { World } from "./world.ts";

export interface RecordWatch {
  see(record: TimedRunRecord, memory: RunMemory): void;
  reopen(tasks: Iterable<TaskId>): void;
}

const once: ReadonlySet<string> = new Set(["delegate", "recordPass", "insertFix", "readFailure", "gatherParts"]);

export function watchRecords(world: World): RecordWatch {
  const answered = new Set<string>();
  const inserted = new Map<string, TaskId>();
  const attempts = new Map<TaskId, number>();
  const passed = new Set<TaskId>();
  let wasReset = false;
  let reopened = 0;
  let iterations = 0;
  return {
    reopen: (tasks) => {
      for (const task of tasks) if (passed.delete(task)) reopened += 1;
    },
    see: (record, memory) => {
      if (record.type === "reset" || isReset(record)) wasReset = true;
      if (record.type === "answered") seeAnswer(record);
      if (record.type === "delegated") seeDelegation(record, memory);
      if (record.type === "closed") seeClosing(record, memory);
      const { ledger } = memory;
      if (ledger.iterations < iterations) world.violate("I16", `delegations fell to ${ledger.iterations}`);
      iterations = ledger.iterations;
      const cap = globalCap(world.policy, ledger.open);
      if (iterations > cap) world.violate("I1", `${iterations} delegations were made, at most ${cap} are allowed`);
      watchLimits(world, memory, { wasReset, reopened });
    },
  };

  function seeAnswer({ effect, key, answer }: Answered): void {
    // `done` may be answered again: after a kill, the next start repeats the Verify that led to `done`.
    if (once.has(effect) && answer.kind !== "done" && answered.has(key) && !isLost(inserted.get(key)))
      world.violate("I9", `${key} is answered twice`);
    if (effect === "insertFix" && answer.kind === "inserted") inserted.set(key, answer["fix"] as TaskId);
    // A denied effect was not performed, so a later request may succeed.
    if (answer.kind !== "denied") answered.add(key);
    if (effect === "recordPass" && answer.open !== true) passed.add(taskOf(key));
  }

  function isLost(fix: TaskId | undefined): boolean {
    return fix !== undefined && world.plan().tasks.every(({ id }) => id !== fix);
  }

  function seeClosing({ fix, by }: Extract<TimedRunRecord, { type: "closed" }>, memory: RunMemory): void {
    const lineage = lineageIn(memory.ledger.tasks, fix);
    const isLeftOut = lineage.at(-2) === by && lineage.some((id) => memory.skipped().has(id));
    const { tasks } = world.plan();
    // Only the plan shows which task a renamed fix repairs.
    const isMadeFor = lineage.at(-2) === by || tasks.some(({ id, fixOf }) => id === fix && fixOf === by);
    const isDone = isMadeFor && tasks.some(({ id, done }) => id === by && done);
    if (memory.superseded().get(fix) === by || isLeftOut || isDone) return;
    world.violate("I11", `${fix} is closed, though ${by} does not supersede it and is not done, and it is not skipped`);
  }

  function seeDelegation(
    { key, task, role, attempt }: Extract<TimedRunRecord, { type: "delegated" }>,
    memory: RunMemory,
  ): void {
    if (role !== "executor" && role !== "verifier") return;
    const by = memory.superseded().get(task);
    if (by !== undefined) world.violate("I16", `${key} is delegated though ${by} supersedes it`);
    const lineage = lineageIn(memory.ledger.tasks, task);
    if (lineage.some((id) => memory.skipped().has(id)))
      world.violate("I16", `${key} is delegated though it is skipped`);
    if (attempt < (attempts.get(task) ?? 0)) world.violate("I16", `attempts on ${task} fell to ${attempt}`);
    attempts.set(task, attempt);
    if (answered.has(`${key}/delegate`)) world.violate("I9", `${key} is delegated again after its answer`);
    if (passed.has(task) && wholeOf(task) === null)
      world.violate("I16", `${key} is delegated though the task has passed`);
  }
}

function isReset(record: TimedRunRecord): boolean {
  return record.type === "answered" && record.effect === "askPerson" && record.answer.kind !== "gate";
}

interface Grace {
  readonly wasReset: boolean;
  readonly reopened: number;
}

function watchLimits(
  world: World,
  { ledger: { tasks }, escalation, rootOf }: RunMemory,
  { wasReset, reopened }: Grace,
): void {
  const { policy } = world;
  const over = (what: string, spent: number, max: number): void => {
    if (spent > max) world.violate("I2", `${what}: ${spent}, at most ${max} allowed`);
  };
  for (const [id, { fixes, attempts, waits = 0 }] of Object.entries(tasks)) {
    over(`fixes of ${id}`, fixesSinceProgress(tasks, id), policy.maxFixTasksPerOriginal);
    const generations = lineageIn(tasks, id).filter((task) => wholeOf(task) === null).length - 1;
    over(`generations above ${id}`, Math.max(generations, 0), policy.maxFixTaskDepth);
    over(`iterations of ${id}`, iterationsOn(tasks, id), policy.maxTaskIterations);
    if (rootOf(id) !== id) continue;
    const inTree = Object.entries(tasks).filter(([each]) => rootOf(each) === id);
    const directives = inTree.reduce((sum, [, { repairs = 0 }]) => sum + repairs, 0);
    over(`directives in the tree of ${id}`, directives, policy.repairBudget);
    over(`fixes below ${id}`, fixesBelow(tasks, id).length, policy.maxFixTasksPerRoot);
    if (wasReset) continue;
    const { pivots, researches, races, failures } = escalation(id);
    over(`other approaches to ${id}`, pivots, policy.maxPivotAttempts);
    over(`researches for ${id}`, researches, policy.maxResearchAttempts);
    over(`attempts in a race for ${id}`, races, policy.race ?? 0);
    const total = totalSpent(policy, { failures, pivots, researches, races });
    over(`attempts for the total of ${id}`, total, totalCap(policy) ?? Number.POSITIVE_INFINITY);
    if (policy.recovery.some((rung) => rung !== "retry" && rung !== "fix")) continue;
    // Progress resets the count of attempts.
    if (
      fixesBelow(tasks, id)
        .concat(id)
        .some((each) => tasks[each]?.beforeProgress !== undefined)
    )
      continue;
    // Each fix allows one more attempt at the task.
    over(`attempts on ${id}`, attempts - waits, policy.maxTaskIterations + fixes.length + reopened);
  }
}
