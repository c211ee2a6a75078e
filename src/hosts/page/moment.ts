import type { EffectName } from "../../model/effect.ts";
import type { Proof } from "../../model/evidence.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { attemptOf, taskOf } from "../../model/reply.ts";
import { at, type RunState } from "../../model/run-state.ts";
import type { TaskId } from "../../model/task.ts";
import type { Requested } from "../../run/requests.ts";
import type { Charts } from "../../runtime/drive-charts.ts";

export interface Lane {
  /**
   * `""` for the coordinator, `task` for the machine of the current task, `batch/1.3` for the machine of task 1.3 in a
   * batch, and so on.
   */
  readonly path: string;
  readonly machine: string;
  readonly state: string;
  readonly from: string | null;
  /** Task of the machine; null for the coordinator and a batch. */
  readonly task: TaskId | null;
}

/**
 * State of a task. `waiting`: waits for its executor; `asking`: waits for a person; `doubtful`: passed, but unproven or
 * unverified; `before`: done before the run, or by hand.
 */
export type TaskMark =
  | ("open" | "running" | "waiting" | "asking" | "failed" | "skipped" | "superseded")
  | ("passed" | "doubtful" | "before");

/** State of a run after one of its records. */
export interface Moment {
  /** Number of records up to this moment. */
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Type of the last record; for an answer, the answered effect; `started` before the first record. */
  readonly cause: string;
  readonly task: TaskId | null;
  readonly attempt: number | null;
  /**
   * Outcome of the start that ended at this moment; `killed` if no outcome was recorded; null if the start continues.
   */
  readonly ending: string | null;
  /** Active machines, outermost first; none before the first choice of a task. */
  readonly lanes: readonly Lane[];
  readonly asked: readonly TaskId[];
  /** Working time of the run so far, in milliseconds. */
  readonly workedMs: number;
  /**
   * Time from which the working time grows, in milliseconds since 1970; null if the run waits, or if this is not the
   * last moment.
   */
  readonly workingSince: number | null;
  /** State after the records; valid until another moment is requested. */
  readonly state: RunState;
  markOf(task: TaskId): TaskMark;
}

/**
 * List the active machines, each after the machine that invoked it. @param before Previous positions of the machines.
 */
export function lanesOf(charts: Charts, before: readonly Lane[]): Lane[] {
  return [...charts.positions()]
    .sort(({ path: one }, { path: other }) => (one < other ? -1 : 1))
    .map(({ path, machine, state, context: { current } }) => {
      const old = before.find((lane) => lane.path === path);
      const from = old === undefined ? null : old.state === state ? old.from : old.state;
      return { path, machine, state, from, task: typeof current === "string" ? current : null };
    });
}

/** List the tasks with a question that is being asked, or was interrupted. */
export function askedIn({ turn }: RunState, requests: readonly Requested[]): TaskId[] {
  const put = requests.flatMap(({ name, current }) => (name === "askPerson" && current !== undefined ? [current] : []));
  return [...new Set([...put, ...(turn.left ? [] : Object.keys(turn.questions).map(taskOf))])];
}

/** Return a function that derives the state of a task. @param requests The effects that wait for an answer. */
export function marksIn(state: RunState, requests: readonly Requested[]): (task: TaskId) => TaskMark {
  const { turn } = state;
  const leftOut = new Set(Object.values(turn.leftOut).flatMap((out) => out.map(({ task }) => task)));
  const asked = new Set(askedIn(state, requests));
  const awaited = new Map(requests.map(({ name, current }) => [current, name]));
  return (task) => {
    if (at(state.superseded, task) !== undefined) return "superseded";
    if (at(state.accepted, task) === true) return isDoubtful(at(state.proofs, task)) ? "doubtful" : "passed";
    if (leftOut.has(task) || at(state.skipped, task) !== undefined) return "skipped";
    if (asked.has(task)) return "asking";
    const name = awaited.get(task);
    if (name === "wait") return "waiting";
    if (at(turn.setbacks, task) != null && at(turn.inFlight, task) !== true) return "failed";
    return name === undefined ? "open" : "running";
  };
}

/**
 * Effects that wait for a person, an executor or a pull request. During these effects, the working time does not grow.
 */
const waits: ReadonlySet<string> = new Set<EffectName>(["askPerson", "wait", "awaitChange", "awaitTime"]);

/** Whether the run works, so that its working time grows. @param requests The effects that wait for an answer. */
export const isWorking = ({ paused }: RunState, requests: readonly Requested[]): boolean =>
  !requests.some(({ name }) => waits.has(name)) && (!paused || requests.some(({ name }) => name !== "chooseTask"));

/** Whether the run waited until this record. @param wasPaused Whether the run was paused before the record. */
export const endsWait = (record: TimedRunRecord, wasPaused: boolean): boolean =>
  record.type === "answered" ? waits.has(record.effect) : wasPaused;

const isDoubtful = (proof: Proof | undefined): boolean => proof?.kind === "unproven" || proof?.kind === "unverified";

/** Prefixes of keys that belong to the run or its pull request instead of a task. */
const ofWholeRun = ["run#", "pr#"];

export function aboutOf(record: TimedRunRecord | null): Pick<Moment, "task" | "attempt"> {
  if (record !== null && "key" in record && !ofWholeRun.some((start) => record.key.startsWith(start))) {
    const key = record.key.includes("/") ? attemptOf(record.key) : record.key;
    return { task: taskOf(key), attempt: Number(key.slice(key.lastIndexOf("#") + 1)) };
  }
  return { task: record !== null && "task" in record ? record.task : null, attempt: null };
}
