import { emptyLedger, type Ledger, type SpentByPurpose } from "../model/ledger.ts";
import type { ReplyRecord, RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, effectOf } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import { spokenBy } from "../model/speaker.ts";
import type { TaskId } from "../model/task-id.ts";
import type { AdmittedDelegation, AttemptFacts } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import { checkBudget } from "../recover/check-budget.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import type { RunState } from "../run/run-state.ts";
import { select } from "../run/select.ts";
import { rootOf } from "../run/spent.ts";
import { watchExecutors } from "./availability.ts";
import { createStopwatch } from "./stopwatch.ts";

/** Where a run memory writes what it learns, and keeps replies that are too long for a record. */
export interface RunStore {
  /**
   * Append a record; a durable one survives a power cut once this returns.
   *
   * @param record `at`: its time, in milliseconds since 1970; that of the store when not given.
   */
  append(record: RunRecord & { readonly at?: number }, options: { readonly durable: boolean }): void;
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
}

/** The state of a run, what can be asked of it, and what a host needs to keep it across restarts. */
export interface RunMemory extends Attempts {
  readonly state: RunState;
  readonly ledger: Ledger;
  /** Whether this run has accepted a task. */
  isAccepted(task: TaskId): boolean;
  /** Tasks it has accepted though no command has shown that they are done. */
  unverified(): readonly TaskId[];
  /** The batch that is under way; empty while a task is done on its own. */
  readonly batch: readonly TaskId[];
  /** What delegations have cost, by what they were made for. */
  readonly costs: SpentByPurpose;
  /** Changes of the plan, by the task that asked for them. */
  readonly changes: Readonly<Record<TaskId, number>>;
  /** Attempts of the turn whose claims are still to be judged. */
  unjudged(): readonly AttemptKey[];
  /** Apply a record of an earlier start. */
  fold(record: RunRecord & { readonly at?: number }): void;
  /** Record something that happened, durably. */
  note(record: RunRecord): void;
  /** The planned task whose tree a task is in. */
  rootOf(task: TaskId): TaskId;
}

/** Characters of a reply that are kept in its record; longer ones lie in a file of their own. */
const inlineReply = 4096;

const nowhere: RunStore = { append: () => {}, writeOutput: () => {}, readOutput: async () => "" };

type Answered = Extract<RunRecord, { type: "answered" }>;

/** What a run remembers. Without a store it is kept in memory only. */
export function createRunMemory({
  open = null,
  seed,
  state: before,
  store = nowhere,
  elapsedMs,
  onAdmit = () => {},
  onUnknownUsage = () => {},
}: {
  /** Tasks that were open when the run began; those of its first turn when not given. */
  open?: number | null;
  /** What had been spent before the first record, in a run that was taken over. */
  seed?: RunSeed | undefined;
  /** The state to go on from, which is changed in place; `open` and `seed` count for nothing then. */
  state?: RunState | undefined;
  store?: RunStore;
  /** Time of the run so far, but for the time between its starts; as it is recorded when not given. */
  elapsedMs?: () => number;
  /** Told of every delegation that was admitted, with its number in the run. */
  onAdmit?: (delegation: AdmittedDelegation, iteration: number) => void;
  /** Told once when a limit on cost or tokens is set and an executor does not say what it used. */
  onUnknownUsage?: () => void;
} = {}): RunMemory {
  const state = before ?? newRun(open, seed);
  const selected = select(() => state, store.readOutput);
  const elapsed = elapsedMs ?? (() => state.elapsedMs);
  const stopwatch = createStopwatch(elapsed);
  const availability = watchExecutors(() => state, elapsed);
  /** Attempts that this start has made. */
  const live = new Set<AttemptKey>();
  availability.look();
  let isWarned = false;
  const fold = (record: RunRecord & { readonly at?: number }): void => {
    apply(state, record);
    if (record.type === "answered" && effectOf(record.key) === "chooseTask") live.clear();
    availability.look();
  };
  const record = (made: RunRecord): void => {
    store.append(made, { durable: true });
    fold(made);
  };
  const ledgerNow = (): Ledger => {
    const { iterations, tasks, costUsd, tokens } = state;
    return {
      ...emptyLedger,
      iterations,
      tasks,
      costUsd,
      tokens,
      open: state.open ?? 0,
      elapsedMs: stopwatch.workingMs(),
    };
  };
  /** A reply that is too long for a record is written beside it. Where nothing is recorded there is no such place. */
  const replyRecord = (key: AttemptKey, { reply, headBefore, mark, fileState }: NonNullable<AttemptFacts["reply"]>) => {
    const isLong = store !== nowhere && reply.text.length > inlineReply;
    if (isLong) store.writeOutput(key, reply.text);
    const { text, ...rest } = reply;
    // What was used stands before the text: a later start reads no further.
    const told = { ...rest, text: isLong ? null : text, headBefore, mark };
    return { ...told, ...(fileState !== null && { fileState }) } as ReplyRecord;
  };

  return {
    ...selected,
    state,
    get ledger() {
      return ledgerNow();
    },
    isAccepted: (task) => Object.hasOwn(state.accepted, task),
    unverified: () => Object.keys(state.unverified),
    get batch() {
      return state.batch;
    },
    get costs() {
      return state.costs;
    },
    get changes() {
      return state.changes;
    },
    availability,
    fold,
    note: record,
    rootOf: (task) => rootOf(state, task),
    opened: (tasks) => {
      state.open ??= tasks;
    },
    admit: async (delegation, limits) => {
      const { cost, tokens } = state.unknownUsage;
      if (!isWarned && ((limits.maxCost !== null && cost) || (limits.maxTokens !== null && tokens))) {
        isWarned = true;
        onUnknownUsage();
      }
      const ledger = ledgerNow();
      const denial = checkBudget(ledger, limits);
      if (denial !== null) return { ...denial, task: delegation.task };
      const { title, ...facts } = delegation;
      record({ type: "delegated", ...facts, elapsedMs: ledger.elapsedMs });
      onAdmit(delegation, state.iterations);
      return null;
    },
    denial: (limits) => checkBudget(ledgerNow(), limits),
    conclude: async (key, answer, facts) => record({ type: "judged", key: `${key}/verify`, answer, ...facts }),
    intend: async (key, fix) => {
      const known = selected.madeFor(key);
      if (known === null) record({ type: "intended", key, fix });
      return known ?? fix;
    },
    noteClosed: async (fix, by) => record({ type: "closed", fix, by }),
    plan: async (key, { type, change }) => record({ type: "planned", key, change: type, plan: change }),
    pause: stopwatch.pause,
    recall: async (key) => ({ ...(await selected.recall(key)), live: live.has(key) }),
    answer: (key, answer, { reply, ...facts } = {}, { at, by } = {}) => {
      const attempt = attemptOf(key);
      const replied = reply !== undefined && { reply: replyRecord(attempt, reply) };
      const answered: Answered = { type: "answered", key, answer, ...replied, ...facts, ...spokenBy(by) };
      const made = at === undefined ? answered : { ...answered, at };
      store.append(made, { durable: false });
      fold(made);
      if (reply !== undefined) live.add(attempt);
    },
  };
}
