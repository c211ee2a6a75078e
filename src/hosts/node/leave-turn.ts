import type { Plan } from "../../model/plan.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { attemptOf, effectOf, taskOf } from "../../model/reply.ts";
import { leavesTurn } from "../../runtime/leaves-turn.ts";
import { currentTurn } from "../../runtime/replay.ts";
import { acceptedIn, settledBy, worksOnTasks } from "./in-flight.ts";
import { intentionsIn, madeIn, standsIn } from "./intention.ts";
import type { Origin } from "./open-run.ts";

type Answered = Extract<RunRecord, { type: "answered" }>;

/**
 * What is to be recorded of the last turn when it is not gone on with, in this order: a start may be killed in between.
 *
 * @param known The plan that is gone on with, without ticks that nobody accepted.
 * @param planHash Of the plan as it was found.
 */
export function leaveTurn(
  origin: Origin,
  records: readonly TimedRunRecord[],
  { found, known, planHash }: { readonly found: Plan; readonly known: Plan; readonly planHash: string },
): readonly RunRecord[] {
  const turn = currentTurn(records);
  const made = madeIn(turn);
  const unwritten = [...intentionsIn(turn)].filter(([key, edit]) => !made.has(key) && !standsIn(found, edit));
  const settled: RunRecord[] = [
    // First: only how the start before ended says that it is due.
    ...(mayBeginAnew(origin, planHash) ? [{ type: "reset", task: origin.ended?.denial?.task ?? "" } as const] : []),
    ...stoppedIn(turn).map((key) => ({ type: "spared", key }) as const),
    ...unrecordedIn(turn, known),
    ...unwritten.map(([, { withdrawal }]) => withdrawal),
  ];
  // The next start takes the plan that this one goes on with for that of the turn.
  const isUnsaid = settled.length === 0 && turn.length > 0 && !isLeft(records);
  return isUnsaid ? [{ type: "left" }] : settled;
}

/** Whether a start has left the last turn behind, though none has chosen a task since, or a limit has ended it. */
export const isLeft = (records: readonly TimedRunRecord[]): boolean =>
  currentTurn(records).some(
    (record) => leavesTurn(record) || (record.type === "ended" && record.ending.outcome === "limit"),
  );

/** Attempts of a turn whose claims were not judged, and that were not counted as spending nothing. */
function stoppedIn(turn: readonly TimedRunRecord[]): string[] {
  const settled = new Set(turn.flatMap(settledBy));
  const made = turn.flatMap((record) => (record.type === "delegated" && worksOnTasks(record.role) ? [record.key] : []));
  return [...new Set(made)].filter((key) => !settled.has(key));
}

/** Passes of a turn that were refused or killed behind their ticks; of what stays open after it none is recorded. */
function unrecordedIn(turn: readonly TimedRunRecord[], { tasks }: Plan): RunRecord[] {
  const answers = turn.flatMap((record) => (record.type === "answered" ? [record] : []));
  if (answers.some(({ key }) => effectOf(key) === "chooseCleanup")) return [];
  const recorded = new Set(
    turn.flatMap((record) => {
      if (record.type === "passed") return [record.key];
      return record.type === "answered" && effectOf(record.key) === "recordPass" ? [attemptOf(record.key)] : [];
    }),
  );
  const ticked = new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
  return [...acceptedIn(turn)]
    .filter((key) => ticked.has(taskOf(key)) && !recorded.has(key))
    .map((key) => ({ type: "passed", key, commit: commitIn(answers, key) }));
}

/** The last commit that an attempt has made. */
const commitIn = (answers: readonly Answered[], attempt: string): string | null =>
  answers.find(({ key }) => key === `${attempt}/verify`)?.judgement?.evidence.git?.commits[0]?.hash ?? null;

/** A person who changes the plan after its iterations were spent gives the task another chance. */
function mayBeginAnew({ ended, policy }: Origin, planHash: string): boolean {
  if (ended?.denial?.limit !== "maxTaskIterations") return false;
  return policy.maxTaskIterations <= ended.denial.max && ended.planHash !== planHash;
}
