import type { Proof } from "../../model/evidence.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { attemptOf, taskOf } from "../../model/reply.ts";
import { at, type RunState } from "../../model/run-state.ts";
import type { TaskId } from "../../model/task.ts";
import type { Requested } from "../../run/requests.ts";
import type { Charts } from "../../runtime/lead.ts";

/** Where one machine of a run stands. */
export interface Lane {
  /** `""` is the coordinator, `task` the machine of the task it works on, `batch/1.3` that of a member, and so on. */
  readonly path: string;
  readonly machine: string;
  readonly state: string;
  /** The state it came from, also while it stays where it is; null where it has just begun. */
  readonly from: string | null;
  /** The task it is at; null for the coordinator and a batch. */
  readonly task: TaskId | null;
}

/**
 * What has become of a task. `waiting`: for its executor to be able to work; `asking`: for a person; `doubtful`: it passed,
 * which is unproven or unverified; `before`: it was done before the run, or by hand.
 */
export type TaskMark =
  | ("open" | "running" | "waiting" | "asking" | "failed" | "skipped" | "superseded")
  | ("passed" | "doubtful" | "before");

/** A run behind one of its records. */
export interface Moment {
  /** How many records there are by then. */
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** What its record is: its type, or the effect that was answered; `started` before the first. */
  readonly cause: string;
  /** The task its record is about, and the attempt; null where it is about none. */
  readonly task: TaskId | null;
  readonly attempt: number | null;
  /** How its start has ended with it; `killed` where it could not tell; null while it is under way. */
  readonly ending: string | null;
  /** Outermost first. None before the first choice of a task. */
  readonly lanes: readonly Lane[];
  /** The tasks that a person is asked about. */
  readonly asked: readonly TaskId[];
  /** What the records come to; good until another moment is asked for. */
  readonly state: RunState;
  markOf(task: TaskId): TaskMark;
}

/** The machines at work, each below the one that has invoked it. @param before Where they stood. */
export function lanesOf(charts: Charts, before: readonly Lane[]): Lane[] {
  return [...charts.positions()]
    .sort(({ path: one }, { path: other }) => (one < other ? -1 : 1))
    .map(({ path, machine, state, context: { current } }) => {
      const old = before.find((lane) => lane.path === path);
      const from = old === undefined ? null : old.state === state ? old.from : old.state;
      return { path, machine, state, from, task: typeof current === "string" ? current : null };
    });
}

/** The tasks with questions that wait for a person: put, or broken off. */
export function askedIn({ turn }: RunState, requests: readonly Requested[]): TaskId[] {
  const put = requests.flatMap(({ name, current }) => (name === "askPerson" && current !== undefined ? [current] : []));
  return [...new Set([...put, ...(turn.left ? [] : Object.keys(turn.questions).map(taskOf))])];
}

/** Says what has become of a task by what a state says alone. @param requests What is waited for. */
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

const isDoubtful = (proof: Proof | undefined): boolean => proof?.kind === "unproven" || proof?.kind === "unverified";

/** How keys begin that belong to no task: those of the run, and those of its pull request. */
const ofWholeRun = ["run#", "pr#"];

/** The task and the attempt that a record is about. */
export function aboutOf(record: TimedRunRecord | null): Pick<Moment, "task" | "attempt"> {
  if (record !== null && "key" in record && !ofWholeRun.some((start) => record.key.startsWith(start))) {
    const key = record.key.includes("/") ? attemptOf(record.key) : record.key;
    return { task: taskOf(key), attempt: Number(key.slice(key.lastIndexOf("#") + 1)) };
  }
  return { task: record !== null && "task" in record ? record.task : null, attempt: null };
}
