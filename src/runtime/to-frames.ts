import type { RunEvent } from "../model/event.ts";
import type { Frame, Lane } from "../model/frame.ts";
import type { Policy } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { attemptOf, taskOf } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { TaskContext } from "../model/task-context.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import { markTasks } from "./mark-tasks.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { turnIn } from "./split-turns.ts";
import type { StepState } from "./step-state.ts";
import { asksPerson, type Walk, walkFrom, walkTurn } from "./walk.ts";

/** A run, moment by moment: a frame for every record that something has happened by. */
export interface FrameMaker {
  /** A start begins. One before it that has told no end was killed, which is a frame of its own. */
  begin(start: Pick<RecordedStart, "at" | "policy">): Frame[];
  /** A record was made; null where it changes nothing of what is seen. */
  take(record: TimedRunRecord): Frame | null;
  /** No coordinator is at work any more: the last start was killed, if it has told no end. */
  close(): Frame[];
}

/** What had been spent before the first record of a run; nothing when not given. */
export interface FramesFrom {
  readonly seed?: RunSeed | undefined;
}

/** Records that are seen though no machine moves. */
const seen = new Set<TimedRunRecord["type"]>([
  "delegated",
  "mended",
  "skipped",
  "reset",
  "closed",
  "reached",
  "refunded",
  "ended",
  "released",
]);

/**
 * Follow a run record by record: its charts are led along the records as they were when it ran, turn by turn. A frame is
 * the state of that walk behind its record.
 */
export function frameMaker({ seed }: FramesFrom = {}): FrameMaker {
  const run = newRun(null, seed);
  let policy: Policy;
  let start = 0;
  let at = 0;
  let ending: Frame["ending"] = null;
  let walk: Walk | null = null;
  let turn: { readonly policy: Policy; readonly turn: number; readonly records: TimedRunRecord[] } | null = null;
  let lit: ReadonlyMap<string, Lane> = new Map();
  const busy = new Set<string>();

  const lead = (record: TimedRunRecord): readonly RunEvent[] | null => {
    if (beginsTurn(record)) {
      turn = { policy, turn: turnIn(record.key), records: [] };
      walk = walkFrom(turn);
      lit = new Map();
    }
    if (turn === null) return null;
    turn.records.push(record);
    if (walk === null) return null;
    if (record.type === "said") return walk.say(record).events;
    if (record.type !== "answered") return null;
    // A question that is put again: the run stands where it stood before it was put first.
    if (isPutAgain(record, turn.records)) walk = walkTurn(turn, turn.records.slice(0, -1).filter(isOther(record))).walk;
    const { move, decision } = walk.take(record);
    if (move === null && decision !== null) walk = null;
    return move?.events ?? null;
  };
  const frame = (cause: string, record: TimedRunRecord | null, marks: Frame["marks"]): Frame => {
    const lanes = walk === null ? [] : lanesOf(walk.state, lit);
    lit = new Map(lanes.map((lane) => [lane.path, lane]));
    const { iterations: delegations, costUsd, tokens, elapsedMs } = run;
    return {
      ...{ version: 1, at, start, turn: turn?.turn ?? 0, cause, ...aboutOf(record), lanes, marks },
      ...{ spent: { delegations, costUsd, tokens, elapsedMs }, paused: run.paused, ending },
    };
  };
  const follow = (marks: Frame["marks"]): Frame["marks"] => {
    for (const { task, mark } of marks) {
      if (mark === "running" || mark === "waiting") busy.add(task);
      else busy.delete(task);
    }
    return marks;
  };
  /** What was under way is so no more. */
  const stop = (): Frame["marks"] => follow([...busy].map((task) => ({ task, mark: "open" })));
  const close = (): Frame[] => {
    if (start === 0 || ending !== null) return [];
    ending = "killed";
    return [frame("killed", null, stop())];
  };
  return {
    close,
    begin: (made) => {
      const before = close();
      policy = made.policy;
      at = made.at;
      start += 1;
      ending = null;
      return [...before, frame("started", null, [])];
    },
    take: (record) => {
      const events = lead(record);
      apply(run, record);
      at = record.at;
      if (record.type === "ended") ending = record.ending.outcome;
      if (record.type === "released") ending = "released";
      if (events === null && !seen.has(record.type) && record.type !== "answered") return null;
      const marks = [...follow(markTasks(record, events ?? [])), ...(ending === null ? [] : stop())];
      return frame(record.type === "answered" ? record.effect : record.type, record, marks);
    },
  };
}

/** The frames of a run, and the number of the frame from which each of its records is seen, counted from 0. */
export interface Filmed {
  readonly frames: readonly Frame[];
  readonly places: ReadonlyMap<TimedRunRecord, number>;
}

interface FilmOptions extends FramesFrom {
  /** Whether the last start is still at work (not so when not given). */
  readonly alive?: boolean;
}

/** All frames of a run. @param starts Oldest first. */
export function filmRun(starts: readonly RecordedStart[], { alive = false, seed }: FilmOptions = {}): Filmed {
  const maker = frameMaker({ seed });
  const frames: Frame[] = [];
  const places = new Map<TimedRunRecord, number>();
  for (const start of starts) {
    frames.push(...maker.begin(start));
    for (const record of start.records) {
      const frame = maker.take(record);
      if (frame !== null) frames.push(frame);
      places.set(record, frames.length - 1);
    }
  }
  return { frames: alive ? frames : [...frames, ...maker.close()], places };
}

/**
 * All frames of a run, oldest first: where its machines stood behind every record that something has happened by.
 *
 * @param starts Oldest first.
 */
export const framesOf = (starts: readonly RecordedStart[], options: FilmOptions = {}): Frame[] => [
  ...filmRun(starts, options).frames,
];

type Answered = Extract<TimedRunRecord, { type: "answered" }>;

const isOther =
  ({ key }: Answered) =>
  (record: TimedRunRecord): boolean =>
    record.type !== "answered" || record.key !== key;

const isPutAgain = ({ key }: Answered, records: readonly TimedRunRecord[]): boolean =>
  records.slice(0, -1).some((record) => record.type === "answered" && record.key === key && asksPerson(record));

/** The machines at work, each below the one that has invoked it. @param lit Those of the frame before, by path. */
function lanesOf(state: StepState, lit: ReadonlyMap<string, Lane>): Lane[] {
  return Object.entries(state.nodes)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, { value, context }]) => {
      const before = lit.get(path);
      const { current, task } = context as Partial<TaskContext> & { readonly task?: string };
      return {
        path,
        machine: machineOf(path, state),
        state: value,
        from: before === undefined ? null : before.state === value ? before.from : before.state,
        task: current ?? task ?? null,
      };
    });
}

/** Id of the chart at a path: machines are invoked by it. */
function machineOf(path: string, { machine, nodes }: StepState): string {
  if (path === "") return machine;
  const cut = path.lastIndexOf("/");
  const child = nodes[path.slice(0, Math.max(cut, 0))]?.invoked[path.slice(cut + 1)];
  return child?.kind === "machine" ? child.src : machine;
}

/** How keys begin that belong to no task: those of the run, and those of its pull request. */
const ofWholeRun = ["run#", "pr#"];

/** The task and the attempt that a record is about. */
function aboutOf(record: TimedRunRecord | null): Pick<Frame, "task" | "attempt"> {
  if (record !== null && "key" in record && !ofWholeRun.some((start) => record.key.startsWith(start))) {
    const key = record.key.includes("/") ? attemptOf(record.key) : record.key;
    return { task: taskOf(key), attempt: Number(key.slice(key.lastIndexOf("#") + 1)) };
  }
  return { task: record !== null && "task" in record ? record.task : null, attempt: null };
}
