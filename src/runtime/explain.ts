import type { Explanation, Fact } from "../model/explanation.ts";
import { spokenBy } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import { createFactReader, timeOf } from "./facts-of.ts";
import { nextActions } from "./next-actions.ts";
import type { RecordedRun, RecordedStart } from "./recorded-run.ts";
import { type TaskFamily, taskFamily } from "./recorded-run.ts";
import { stateOf } from "./state-of.ts";

/**
 * Explain the state of a task: its records, the records of its fixes, every decision with its counts, and actions that
 * would change the outcome. Null for an unknown task.
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
    ways: nextActions({ run, facts, task, root: family.rootOf(task), rootOf: family.rootOf, state }),
  };
}

/** Facts about a task, with the beginning and the end of each start that has such facts. */
function factsAbout({ starts, seed, alive }: RecordedRun, family: TaskFamily, task: TaskId): Fact[] {
  const state = newRun(null, seed);
  return starts.flatMap((start, index) => {
    const tell = createFactReader(state);
    const told = start.records.flatMap((record) => {
      apply(state, record);
      return tell(record, start.policy).facts;
    });
    const about = told.filter((fact) => concerns(fact, family, task));
    if (!about.some((fact) => !isAtLarge(fact))) return [];
    const isLast = index === starts.length - 1;
    const { begin, end } = renderStart(start, index, starts[index - 1] ?? null);
    return [begin, ...about, ...(isLast && alive ? [] : [end])];
  });
}

/** Whether a fact is about the run as a whole. Such a fact matters only together with facts about the task. */
const isAtLarge = (fact: Fact): boolean => !("task" in fact) || fact.task === null;

function concerns(fact: Fact, family: TaskFamily, task: TaskId): boolean {
  if (!("task" in fact) || fact.task === null) return true;
  if (family.isWithin(fact.task, task)) return true;
  // Include the insertion of the task itself.
  if (fact.kind === "inserted") return fact.fix === task;
  return (
    fact.kind === "repaired" &&
    fact.strategy === "decompose" &&
    family.parts.has(task) &&
    fact.task === family.above(task)
  );
}

/** How a start began, and how it ended if it is over. @param index From 0. */
function renderStart(
  { at, policy, records }: RecordedStart,
  index: number,
  before: RecordedStart | null,
): { readonly begin: Fact; readonly end: Fact } {
  const start = index + 1;
  const changed = before === null ? [] : differences(before.policy, policy);
  // Only starts with facts are reported, so there is a record.
  const last = records.at(-1) as TimedRunRecord;
  const ended = { kind: "ended", at: timeOf(last.at), start } as const;
  return {
    begin: { kind: "started", at: timeOf(at), start, recovery: policy.recovery, changed },
    end:
      last.type === "ended"
        ? {
            ...ended,
            outcome: last.ending.outcome,
            error: last.ending.error ?? null,
            denial: last.denial,
            ...spokenBy(last.by),
          }
        : { ...ended, outcome: last.type === "released" ? "released" : "killed", error: null, denial: null },
  };
}

const differences = (from: Policy, to: Policy) =>
  (Object.keys(to) as (keyof Policy)[])
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => ({ name, from: from[name], to: to[name] }));
