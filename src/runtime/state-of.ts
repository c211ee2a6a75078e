import type { Explanation, Fact } from "../model/explanation.ts";
import { leftOut } from "../model/plan-parts.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { plannedTask, type TaskId } from "../model/task.ts";
import { type OpenQuestion, openQuestions } from "./open-questions.ts";
import type { TaskFamily } from "./recorded-run.ts";
import { lastTold, lastTurn, type RecordedRun, type RecordedStart } from "./recorded-run.ts";

export function stateOf(
  { plan, starts, alive }: RecordedRun,
  family: TaskFamily,
  facts: readonly Fact[],
  task: TaskId,
): Explanation["state"] {
  const planned = plan.tasks.find(({ id }) => id === task);
  const records = starts.flatMap((start) => start.records);
  // A part is not in the plan, so use its facts.
  const settled = facts.findLast((fact) => (fact.kind === "passed" || fact.kind === "skipped") && fact.task === task);
  if (planned?.done ?? settled?.kind === "passed") return "passed";
  if (leftOut(plan, skippedIn(records)).has(plannedTask(task))) return "skipped";
  if (planned === undefined && settled?.kind === "skipped") return "skipped";
  const asked = openQuestionOn(task, family, starts);
  if (alive) {
    if (asked !== null) return stateAt(asked);
    const turn = lastTurn(starts);
    return turn !== null && tasksIn(turn).some((id) => family.isWithin(id, task)) ? "running" : "open";
  }
  const told = starts.findLastIndex(tells);
  return asked !== null && isBroken(starts[told]) ? stateAt(asked) : stoppedAt(facts, told + 1);
}

const openQuestionOn = (
  task: TaskId,
  family: Pick<TaskFamily, "isWithin">,
  starts: readonly RecordedStart[],
): OpenQuestion | null => openQuestions(starts).find((question) => family.isWithin(question.task, task)) ?? null;

const stateAt = ({ about }: OpenQuestion): "checkpoint" | "gate" => (about === "checkpoint" ? "checkpoint" : "gate");

/** Whether a start ended without an outcome, so that its question is asked again. */
function isBroken(start: RecordedStart | undefined): boolean {
  const last = start?.records.at(-1);
  return last?.type !== "ended" || ["interrupted", "environment"].includes(last.ending.outcome);
}

export function skippedIn(records: readonly TimedRunRecord[]): ReadonlySet<TaskId> {
  const skipped = new Set<TaskId>();
  for (const record of records) {
    if (record.type === "answered" && record.effect === "recordSkip" && record.answer.skipped !== undefined) {
      skipped.add(record.answer.skipped.root);
    }
    if (record.type !== "skipped") continue;
    if (record.justification === null) skipped.delete(record.task);
    else skipped.add(record.task);
  }
  return skipped;
}

/** Whether a start supersedes the outcome of the previous start. */
const tells = ({ records }: RecordedStart): boolean => lastTold(records) !== undefined;

/** Why a start stopped at this task; `open` if the task did not stop it. @param start Number of the start. */
function stoppedAt(facts: readonly Fact[], start: number): "limit" | "checkpoint" | "gate" | "open" {
  const end = facts.find((fact) => fact.kind === "ended" && fact.start === start);
  if (end?.kind !== "ended") return "open";
  const begin = facts.findIndex((fact) => fact.kind === "started" && fact.start === start);
  const last = facts.slice(begin, facts.indexOf(end));
  const isLimited = last.some(
    (fact) => fact.kind === "denied" || (fact.kind === "decided" && fact.decision === "exhausted"),
  );
  if (end.outcome === "limit" && isLimited) return "limit";
  const isAsked = last.some(({ kind }) => kind === "asked");
  return (end.outcome === "checkpoint" || end.outcome === "gate") && isAsked ? end.outcome : "open";
}

function tasksIn({ records }: Pick<RecordedStart, "records">): TaskId[] {
  return records.flatMap((record) => {
    if (record.type !== "answered" && record.type !== "delegated") return [];
    if (!beginsTurn(record)) return [taskOf(record.key)];
    const { answer } = record;
    if (answer.kind === "task") return [answer.root];
    return answer.kind === "batch" ? answer.members.map(({ root }) => root) : [];
  });
}
