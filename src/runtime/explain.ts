import type { Explanation, Fact } from "../model/explanation.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import type { RecordedRun, RecordedStart } from "./recorded-run.ts";
import { splitTurns, tasksIn } from "./split-turns.ts";
import { stateOf } from "./state-of.ts";
import { type TaskFamily, taskFamily } from "./task-family.ts";
import { tellRecord } from "./tell-record.ts";
import { tellStart } from "./tell-start.ts";
import { tellTurn } from "./tell-turn.ts";
import { usageTeller } from "./tell-usage.ts";
import { waysOut } from "./ways-out.ts";

/**
 * Why a task is where it is: everything that was recorded for it and all that was made for it, every decision with
 * the counts it was made from, and what would lead to another outcome. Null for a task that nothing knows of.
 */
export function explain(run: RecordedRun, task: TaskId): Explanation | null {
  const { spec, plan, starts } = run;
  const records = starts.flatMap((start) => start.records);
  const family = taskFamily(plan.tasks, records);
  const planned = plan.tasks.find(({ id }) => id === task);
  const facts = factsAbout(run, family, task);
  const attempted = facts.some(({ kind }) => kind === "delegated");
  const title = planned?.title ?? family.parts.get(task) ?? null;
  if (title === null && !family.isFix(task) && !attempted) return null;
  const state = stateOf(run, family, facts, task);
  return {
    spec,
    task,
    title,
    madeFor: family.above(task),
    state,
    attempted,
    facts,
    ways: waysOut({ run, facts, task, root: family.rootOf(task), rootOf: family.rootOf, state }),
  };
}

/** Facts about a task, and the starts and ends they stand between. */
function factsAbout({ starts, alive }: RecordedRun, family: TaskFamily, task: TaskId): Fact[] {
  const moved = tellMoves(starts, family, task);
  return starts.flatMap((start, index) => {
    const tellUsage = usageTeller();
    const told = start.records.flatMap((record) => [
      ...tellRecord(record),
      ...tellUsage(record),
      ...(moved.get(record) ?? []),
    ]);
    const about = told.filter((fact) => concerns(fact, family, task));
    if (!about.some((fact) => !isAtLarge(fact))) return [];
    const isLast = index === starts.length - 1;
    const { begin, end } = tellStart(start, index, starts[index - 1] ?? null);
    return [begin, ...about, ...(isLast && alive ? [] : [end])];
  });
}

/** What the machines know of a task's turns. */
function tellMoves(
  starts: readonly RecordedStart[],
  family: TaskFamily,
  task: TaskId,
): ReadonlyMap<TimedRunRecord, readonly Fact[]> {
  const root = family.rootOf(task);
  const turns = splitTurns(starts).filter((turn) => tasksIn(turn).some((id) => family.rootOf(id) === root));
  return new Map(turns.flatMap((turn) => [...tellTurn(turn)]));
}

/** Whether a fact is about the run, and says something of a task only together with others. */
const isAtLarge = (fact: Fact): boolean => !("task" in fact) || fact.task === null;

function concerns(fact: Fact, family: TaskFamily, task: TaskId): boolean {
  if (!("task" in fact) || fact.task === null) return true;
  if (family.isWithin(fact.task, task)) return true;
  // How it came about.
  if (fact.kind === "inserted") return fact.fix === task;
  return (
    fact.kind === "repaired" &&
    fact.strategy === "decompose" &&
    family.parts.has(task) &&
    fact.task === family.above(task)
  );
}
