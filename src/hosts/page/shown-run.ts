import type { Fact } from "../../model/explanation.ts";
import { leftOut } from "../../model/plan-parts.ts";
import { beginsTurn, type TimedRunRecord } from "../../model/record.ts";
import { at, type RunState } from "../../model/run-state.ts";
import type { TaskId } from "../../model/task.ts";
import { apply } from "../../run/apply.ts";
import { newRun } from "../../run/new-run.ts";
import { type Charts, driveCharts, lastAnswers, specMachine } from "../../runtime/drive-charts.ts";
import { createFactReader } from "../../runtime/facts-of.ts";
import { type RecordedStart, taskFamily } from "../../runtime/recorded-run.ts";
import { aboutOf, askedIn, endsWait, isWorking, type Lane, lanesOf, type Moment, marksIn } from "./moment.ts";
import type { AtWork, PageRun, PlanChanged, PlannedTask } from "./page-data.ts";
import { rowsOf, type TaskRow } from "./task-rows.ts";

export interface Known {
  readonly moment: number;
  readonly fact: Fact;
}

interface BegunStart extends Omit<RecordedStart, "records"> {
  /** Number of records before the start. */
  readonly from: number;
}

/** Charts of a turn, replayed up to the last record in `records`. */
interface Led {
  readonly turn: number;
  readonly records: TimedRunRecord[];
  readonly charts: Charts;
  lanes: readonly Lane[];
}

const stride = 2000;

/** A run for display, to which records are added; computes the state at any moment. */
export class ShownRun {
  readonly head: PageRun;
  readonly records: TimedRunRecord[] = [];
  tasks: readonly PlannedTask[];
  atWork: AtWork = { held: false, alive: false };
  /** Moments at which an attempt failed or was rejected. */
  readonly failures: number[] = [];
  /** Moments at which a turn began. */
  readonly turns: number[] = [];
  /** Questions to a person, with their moments. */
  readonly questions: { readonly moment: number; readonly at: number; readonly task: TaskId; readonly text: string }[] =
    [];
  readonly #starts: BegunStart[] = [];
  readonly #facts = new Map<TaskId, Known[]>();
  readonly #paid = new Map<TaskId, { readonly moment: number; readonly usd: number }[]>();
  readonly #made = new Map<TaskId, number>();
  /** Working time after each record. */
  readonly #worked: number[] = [];
  /** Records that say for which task a fix or a part was made. */
  readonly #kin: TimedRunRecord[] = [];
  readonly #latest: RunState;
  readonly #tell: ReturnType<typeof createFactReader>;
  #looked: { count: number; readonly state: RunState };
  /** Cached states, one per `stride` records, computed when the user looks at an earlier moment. */
  readonly #kept: RunState[] = [];
  #led: Led | null = null;
  #rows: readonly TaskRow[] | null = null;
  #ticked: ReadonlySet<TaskId> | null = null;

  constructor(head: PageRun) {
    this.head = head;
    this.tasks = head.tasks;
    this.#latest = this.#begin();
    this.#tell = createFactReader(this.#latest);
    this.#looked = { count: 0, state: this.#begin() };
  }

  #begin(): RunState {
    return newRun(this.head.open, this.head.seed);
  }

  get last(): number {
    return this.records.length;
  }

  start({ at, policy }: Omit<RecordedStart, "records">): void {
    this.#starts.push({ at, policy, from: this.records.length });
  }

  add(records: readonly TimedRunRecord[]): void {
    for (const record of records) this.#take(record);
  }

  #take(record: TimedRunRecord): void {
    const { policy } = this.#startAt(this.last + 1) as BegunStart;
    const { costUsd, paused } = this.#latest;
    const spell = endsWait(record, paused) ? 0 : Math.max(0, record.at - this.#lastTime);
    const moment = this.records.push(record);
    apply(this.#latest, record);
    // Only delegations and endings record the working time. For other records, add the time since the previous record.
    const isMeasured = record.type === "delegated" || record.type === "ended";
    const { elapsedMs } = this.#latest;
    this.#worked.push(isMeasured ? elapsedMs : Math.max(elapsedMs, this.#workedAt(moment - 1) + spell));
    if (beginsTurn(record)) this.turns.push(moment);
    const { facts, events } = this.#tell(record, policy);
    for (const event of events) {
      if (event.type === "task.failed" || event.type === "task.rejected") this.failures.push(moment);
      if (event.type !== "person.asked") continue;
      this.questions.push({ moment, at: record.at, task: event.task, text: event.question ?? "" });
    }
    for (const fact of facts) for (const task of tasksOf(fact)) push(this.#facts, task, { moment, fact });
    const usd = this.#latest.costUsd - costUsd;
    const { task } = aboutOf(record);
    if (usd > 0 && task !== null) push(this.#paid, task, { moment, usd });
    this.#note(record, facts, moment);
  }

  #workedAt(moment: number): number {
    return this.#worked[moment - 1] ?? this.head.seed.elapsedMs;
  }

  /** Time of the last record or of the last start, whichever is later. */
  get #lastTime(): number {
    return Math.max(this.records.at(-1)?.at ?? 0, this.#starts.at(-1)?.at ?? 0);
  }

  /** Remember which tasks were created, and when. */
  #note(record: TimedRunRecord, facts: readonly Fact[], moment: number): void {
    const made = facts.flatMap((fact) => {
      if (fact.kind === "changed") return fact.added;
      return fact.kind === "inserted" ? [fact.fix] : fact.kind === "added" ? [fact.task] : [];
    });
    if (record.type === "intended" || (record.type === "answered" && record.effect === "askOperator")) {
      this.#kin.push(record);
      made.push(...taskFamily([], [record]).parts.keys());
    }
    for (const task of made) if (!this.#made.has(task)) this.#made.set(task, moment);
    if (made.length > 0) this.#rows = null;
  }

  change({ at, drop, tasks }: PlanChanged): void {
    this.tasks = this.tasks.toSpliced(at, drop, ...tasks);
    this.#rows = null;
    this.#ticked = null;
  }

  /** Rows of the task tree in the order of the plan, including removed tasks, with fixes and parts below their task. */
  get rows(): readonly TaskRow[] {
    this.#rows ??= rowsOf(this.tasks, this.#kin, this.#made);
    return this.#rows;
  }

  factsAbout(task: TaskId, moment: number): readonly Known[] {
    const known = this.#facts.get(task) ?? [];
    return known.filter((each) => each.moment <= moment);
  }

  costAt(task: TaskId, moment: number): number {
    const paid = this.#paid.get(task) ?? [];
    return paid.reduce((sum, each) => (each.moment <= moment ? sum + each.usd : sum), 0);
  }

  /** Policy of the start at a moment; null before the first start. */
  policyAt(moment: number): RecordedStart["policy"] | null {
    return this.#startAt(moment)?.policy ?? null;
  }

  /** The last turn, in the form of a start with the records of that turn; null before the first turn. */
  get turn(): RecordedStart | null {
    const from = (this.turns.at(-1) ?? 0) - 1;
    const start = this.#startAt(from + 1);
    return from < 0 || start === undefined ? null : { ...start, records: this.records.slice(from) };
  }

  #startAt(moment: number): BegunStart | undefined {
    return this.#starts.findLast(({ from }) => from < moment) ?? this.#starts[0];
  }

  /** Find the first moment of the previous (-1) or next (1) turn. */
  turnFrom(moment: number, by: -1 | 1): number {
    const next = by === 1 ? this.turns.find((turn) => turn > moment) : this.turns.findLast((turn) => turn < moment);
    return next ?? (by === 1 ? this.last : 0);
  }

  /** Find the task of the newest record with a task, among the 200 records up to a moment; null if there is none. */
  taskBefore(moment: number): TaskId | null {
    const some = this.records.slice(Math.max(0, moment - 200), moment);
    return some.map((record) => aboutOf(record).task).findLast((task) => task !== null) ?? null;
  }

  at(number: number): Moment {
    const record = this.records[number - 1] ?? null;
    const state = this.#stateAt(number);
    const led = this.#leadTo(number);
    const ending = this.#endingAt(number);
    const requests = ending === null ? (led?.charts.requests() ?? []) : [];
    const out = leftOut({ tasks: this.tasks }, Object.keys(state.skipped));
    const markOf = marksIn(state, requests);
    const isOpen = number === this.last && ending === null && this.atWork.alive;
    return {
      ...{ number, at: record?.at ?? this.#starts[0]?.at ?? 0, ending, state, asked: askedIn(state, requests) },
      cause: record === null ? "started" : record.type === "answered" ? record.effect : record.type,
      ...aboutOf(record),
      workedMs: this.#workedAt(number),
      workingSince: isOpen && isWorking(state, requests) ? this.#lastTime : null,
      lanes: led?.lanes ?? [],
      markOf: (task) => {
        const mark = markOf(task);
        if (mark !== "open") return mark;
        const facts = this.#facts.get(task) ?? [];
        // Find finished parts by their facts: the state does not store them.
        if (facts.some(({ moment, fact }) => fact.kind === "passed" && moment <= number)) return "passed";
        return out.has(task) ? "skipped" : this.#wasDone(task) ? "before" : "open";
      },
    };
  }

  #wasDone(task: TaskId): boolean {
    this.#ticked ??= new Set(this.tasks.flatMap(({ id, done }) => (done ? [id] : [])));
    return this.#ticked.has(task) && at(this.#latest.accepted, task) !== true;
  }

  /** Compute the state at a moment, starting from the nearest earlier cached state. */
  #stateAt(number: number): RunState {
    if (number === this.last) return this.#latest;
    const near = Math.min(Math.floor(number / stride), this.#kept.length - 1);
    if (number < this.#looked.count || near * stride > this.#looked.count) {
      this.#looked = { count: near * stride, state: structuredClone(this.#kept[near] as RunState) };
    }
    const looked = this.#looked;
    for (const record of this.records.slice(looked.count, number)) {
      if (looked.count === this.#kept.length * stride) this.#kept.push(structuredClone(looked.state));
      apply(looked.state, record);
      looked.count += 1;
    }
    return looked.state;
  }

  #endingAt(number: number): string | null {
    const record = this.records[number - 1];
    if (record === undefined) return null;
    if (record.type === "ended") return record.ending.outcome;
    if (record.type === "released") return "released";
    const isLast = number === this.last ? !this.atWork.alive : this.#starts.some(({ from }) => from === number);
    return isLast ? "killed" : null;
  }

  /**
   * Replay the charts up to a moment. Continues from their current position if possible, otherwise from the beginning
   * of the turn.
   */
  #leadTo(number: number): Led | null {
    const turn = this.turns.findLast((begun) => begun <= number);
    if (turn === undefined) return null;
    const records = lastAnswers(this.records.slice(turn - 1, number));
    let led = this.#led;
    if (led?.turn !== turn || led.records.some((record, index) => records[index] !== record)) {
      led = {
        turn,
        records: [],
        charts: driveCharts(specMachine()),
        lanes: [],
      };
    }
    for (const record of records.slice(led.records.length)) {
      led.charts.tell(record);
      led.lanes = lanesOf(led.charts, led.lanes);
      led.records.push(record);
    }
    this.#led = led;
    return led;
  }
}

function tasksOf(fact: Fact): TaskId[] {
  const about = "task" in fact && fact.task !== null ? [fact.task] : [];
  return fact.kind === "inserted" ? [...about, fact.fix] : about;
}

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  if (!lists.has(key)) lists.set(key, []);
  lists.get(key)?.push(value);
}
