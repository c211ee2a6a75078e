import { basename } from "node:path";
import type { SegmentHeader } from "../../../adapters/journal/journal-segment.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import type { Frame, Recording, Standing, TaskRow } from "../../../model/frame.ts";
import { globalCap, runLimits } from "../../../model/limits.ts";
import type { Plan } from "../../../model/plan.ts";
import { beginsTurn, type TimedRunRecord } from "../../../model/record.ts";
import type { RunState } from "../../../model/run-state.ts";
import type { TaskId } from "../../../model/task-id.ts";
import { apply } from "../../../run/apply.ts";
import { newRun } from "../../../run/new-run.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import { packFrames } from "../../../runtime/pack-frames.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import { tasksIn } from "../../../runtime/split-turns.ts";
import { rowMaker } from "../../../runtime/task-rows.ts";
import { frameMaker } from "../../../runtime/to-frames.ts";
import { isBroken, questionOf } from "./question-of.ts";

/** A run as the page shows it, and what more can be read of it. It grows with its run. */
export interface RecordedFilm extends Pick<Recording, "spec" | "run" | "limits" | "standing"> {
  readonly dataFolder: string;
  readonly starts: readonly RecordedStart[];
  /** Number of the frame from which each record is seen. */
  readonly places: ReadonlyMap<TimedRunRecord, number>;
  readonly frames: readonly Frame[];
  /** Another list whenever one of them differs. */
  readonly rows: readonly TaskRow[];
  /** The turns in which something was recorded for a task, oldest first, each as a start of its own. */
  turnsOf(task: TaskId): readonly RecordedStart[];
}

interface FilmedTurn extends RecordedStart {
  readonly records: TimedRunRecord[];
}

/** A film as the page is given it. */
export const recordingOf = ({ spec, run, limits, standing, rows, frames }: RecordedFilm): Recording => ({
  version: 1,
  ...{ spec, run, limits, standing },
  tasks: [...rows],
  frames: packFrames(frames),
  left: [],
});

/** What a film is made of at a moment. */
export interface FilmedRun {
  /** Those of its starts, each with all of its records so far; what was filmed of them is not filmed again. */
  readonly segments: readonly { readonly header: SegmentHeader; readonly records: readonly TimedRunRecord[] }[];
  /** Another object whenever it differs. */
  readonly plan: Plan;
  /** Whether a coordinator of this machine is at work. */
  readonly held: boolean;
  /** Whether one may be at work, here or elsewhere. */
  readonly alive: boolean;
}

/** Whose film it is, and how command lines in hints name the spec. */
export interface FilmOf {
  readonly folder: string;
  readonly dataFolder: string;
  readonly run: number;
  readonly address: SpecAddress;
}

/** Films a run by one walk along its records, each time from where it has stopped. */
export function growFilm({ folder, dataFolder, run, address }: FilmOf): (now: FilmedRun) => RecordedFilm {
  const starts: RecordedStart[] = [];
  const places = new Map<TimedRunRecord, number>();
  const frames: Frame[] = [];
  const making = rowMaker();
  let maker: ReturnType<typeof frameMaker> | null = null;
  let state: RunState | null = null;
  let turn: FilmedTurn | null = null;
  let filmed = 0;
  const turnsOf = new Map<TaskId, FilmedTurn[]>();

  const show = (frame: Frame): void => making.see(frame, frames.push(frame) - 1);
  const note = (task: TaskId, turn: FilmedTurn): void => {
    const turns = turnsOf.get(task);
    if (turns === undefined) turnsOf.set(task, [turn]);
    else if (turns.at(-1) !== turn) turns.push(turn);
  };
  const take = ({ header, records }: FilmedRun["segments"][number], from: number): void => {
    for (const record of records.slice(from)) {
      if (state !== null) apply(state, record);
      if (beginsTurn(record)) turn = { policy: header.policy, at: header.at, records: [] };
      turn?.records.push(record);
      making.take(record);
      const frame = maker?.take(record) ?? null;
      if (frame !== null) show(frame);
      const marked = frame?.marks.map(({ task }) => task) ?? [];
      if (turn !== null) for (const task of [...tasksOf(record), ...marked]) note(task, turn);
      places.set(record, frames.length - 1);
    }
  };
  const standing = ({ held }: FilmedRun): Standing => {
    const ended = state?.ended?.ending ?? null;
    const asked = isBroken(ended) && turn !== null ? openQuestions([turn]) : [];
    const question = questionOf({ ended, asked, held }, address);
    return {
      running: held,
      paused: held && frames.at(-1)?.paused === true,
      question: question && { task: asked[0]?.task ?? null, ...question },
    };
  };
  return (now) => {
    const first = now.segments[0]?.header;
    for (const [index, segment] of now.segments.entries()) {
      if (index < starts.length - 1) continue;
      state ??= newRun(segment.header.open, first?.seed);
      maker ??= frameMaker({ seed: first?.seed });
      if (starts[index] === undefined) {
        starts.push({ at: segment.header.at, policy: segment.header.policy, records: segment.records });
        for (const frame of maker.begin(segment.header)) show(frame);
        filmed = 0;
      }
      take(segment, filmed);
      filmed = segment.records.length;
    }
    if (!now.alive) for (const frame of maker?.close() ?? []) show(frame);
    return {
      ...{ spec: basename(folder), run, dataFolder, starts, places, frames, rows: making.rows(now.plan) },
      turnsOf: (task) => turnsOf.get(task) ?? [],
      ...{ limits: limitsOf(starts.at(-1)?.policy, first?.open ?? 0), standing: standing(now) },
    };
  };
}

/** The tasks that something is recorded for: a choice of tasks for those that are chosen. */
function tasksOf(record: TimedRunRecord): readonly TaskId[] {
  const own = "task" in record && record.task !== null ? [record.task] : [];
  return [...own, ...tasksIn({ records: [record] })];
}

/** Limits of the whole run that are set. */
function limitsOf(policy: RecordedStart["policy"] | undefined, open: number): Recording["limits"] {
  if (policy === undefined) return [];
  const set = Object.entries(runLimits(policy)).flatMap(([limit, max]) => (max === null ? [] : [{ limit, max }]));
  const cap = policy.maxGlobalIterations === null ? [globalCap(policy, open)] : [];
  return [...cap.map((max) => ({ limit: "maxGlobalIterations", max })), ...set];
}
