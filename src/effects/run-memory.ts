import type { Ledger, SpentByPurpose } from "../model/ledger.ts";
import { beginsTurn, type ReplyRecord, type RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import type { AdmittedDelegation, AttemptFacts } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import { checkBudget } from "../recover/check-limit.ts";
import { apply } from "../run/apply.ts";
import { timeOutside } from "../run/follow.ts";
import { newRun } from "../run/new-run.ts";
import { select } from "../run/select.ts";
import { watchExecutors } from "./availability.ts";
import { createStopwatch } from "./stopwatch.ts";
import { createTurnstile } from "./turnstile.ts";

/** Store for records, and for replies that are too long for a record. */
export interface RunStore {
  /**
   * Append all records, or none if the call throws. Durable records survive a power cut once the call returns.
   *
   * @param at Time of the records, in milliseconds since 1970; the store's clock if not given.
   */
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  /**
   * Called before a turn: a snapshot may replace the records so far.
   *
   * @param take Returns the state once all records are appended.
   */
  snapshot?(take: () => RunState): void;
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
}

/** The state of a run, its queries, and functions with which a host keeps it across restarts. */
export interface RunMemory extends Attempts {
  readonly state: RunState;
  readonly ledger: Ledger;
  isAccepted(task: TaskId): boolean;
  /** The current batch; empty while a single task is worked on. */
  readonly batch: readonly TaskId[];
  readonly costs: SpentByPurpose;
  /** Number of plan changes, by the task that requested them. */
  readonly changes: Readonly<Record<TaskId, number>>;
  /** Attempts of the turn whose claims are not judged yet. */
  unjudged(): readonly AttemptKey[];
  /** Records that are applied to the state but not appended yet. */
  readonly held: readonly RunRecord[];
  appendHeld(): void;
  /** Apply a record of an earlier start. */
  apply(record: RunRecord & { readonly at?: number }): void;
}

/** Maximum length of a reply in its record, in characters; longer replies get a file of their own. */
const inlineReply = 4096;

/**
 * Whether a record must be durable. Flushes, readings of the plan, and answers without a `by` need not be durable,
 * since they are repeated after a crash.
 */
const isDurable = (record: RunRecord): boolean =>
  record.type === "answered" ? record.by !== undefined : record.type !== "flushed" && record.type !== "planSeen";

type Replied = NonNullable<AttemptFacts["reply"]>;

const recordOf = (_key: AttemptKey, { reply, headBefore, mark, fileState, tree }: Replied): ReplyRecord => ({
  ...{ ...reply, headBefore, mark },
  ...(tree != null && { tree }),
  ...(fileState !== null && { fileState }),
});

/**
 * A record with the facts of its answer.
 *
 * @param record Converts a reply to its recorded form; by default, the text stays in the record.
 */
export function withFacts(answered: RunRecord, { reply, ...facts }: AttemptFacts, record = recordOf): RunRecord {
  if (answered.type !== "answered") return answered;
  return { ...answered, ...(reply !== undefined && { reply: record(attemptOf(answered.key), reply) }), ...facts };
}

const nowhere: RunStore = { append: () => {}, writeOutput: () => {}, readOutput: async () => "" };

/** Create the memory of a run. Without a store, the run is kept in memory only. */
export function createRunMemory({
  open = null,
  seed,
  state: before,
  store = nowhere,
  elapsedMs,
  onAdmit = async () => {},
  onUnknownUsage = () => {},
}: {
  /** Number of tasks open when the run began; counted in its first turn if not given. */
  open?: number | null;
  /** Amounts spent before the first record, for an imported run. */
  seed?: RunSeed | undefined;
  /** The state to resume from, which is copied. With a state, `open` and `seed` are ignored. */
  state?: RunState | undefined;
  store?: RunStore;
  /** Working time of the run, without the gaps between starts. By default, the clock of the ports measures the time. */
  elapsedMs?: () => number;
  /** Called for every admitted delegation, with its number in the run, before its executor starts. */
  onAdmit?: (delegation: AdmittedDelegation, iteration: number) => Promise<void>;
  /** Called once if a cost or token limit is set and an executor does not report usage. */
  onUnknownUsage?: () => void;
} = {}): RunMemory {
  const state = before === undefined ? newRun(open, seed) : structuredClone(before);
  const selected = select(() => state, store.readOutput);
  let measured = elapsedMs;
  const elapsed = (): number => measured?.() ?? state.elapsedMs;
  const stopwatch = createStopwatch(elapsed);
  const availability = watchExecutors(() => state, elapsed);
  const live = new Set<AttemptKey>();
  availability.look();
  let isWarned = false;
  const { alone, beside } = createTurnstile();
  const change = (record: RunRecord & { readonly at?: number }): void => {
    const outside = timeOutside(state, record);
    apply(state, record);
    // Add the time that this start's clock did not measure.
    if (measured !== undefined) stopwatch.add(outside);
    if (beginsTurn(record)) live.clear();
    availability.look();
  };
  let held: readonly RunRecord[] = [];
  let whenAppended: readonly (() => void)[] = [];
  const append = (more: readonly RunRecord[], at?: number): void => {
    const records = [...held, ...more];
    if (records.length > 0) store.append(records, { durable: records.some(isDurable), at });
    held = [];
    const due = whenAppended;
    whenAppended = [];
    for (const tell of due) tell();
  };
  const record: RunMemory["record"] = (made, { facts, at, hold = false, onAppended } = {}) => {
    const records = facts === undefined ? made : made.map((each) => withFacts(each, facts, replyRecord));
    if (records.some(beginsTurn)) {
      store.snapshot?.(() => {
        append([], at);
        return state;
      });
    }
    if (hold) held = [...held, ...records];
    else append(records, at);
    for (const each of records) {
      change(at === undefined ? each : { ...each, at });
      if (each.type === "answered" && each.reply !== undefined) live.add(attemptOf(each.key));
    }
    if (onAppended === undefined) return;
    if (held.length > 0) whenAppended = [...whenAppended, onAppended];
    else onAppended();
  };
  const ledgerNow = (): Ledger => {
    const { iterations, tasks, costUsd, tokens } = state;
    return { iterations, tasks, costUsd, tokens, open: state.open ?? 0, elapsedMs: stopwatch.workingMs() };
  };
  /** Move a reply that is too long for its record to a file; without a store, the reply stays in the record. */
  const replyRecord = (key: AttemptKey, replied: Replied): ReplyRecord => {
    const { reply } = replied;
    const isLong = store !== nowhere && reply.text.length > inlineReply;
    if (isLong) store.writeOutput(key, reply.text);
    const record = recordOf(key, replied);
    return isLong ? { ...record, text: null } : record;
  };

  return {
    ...selected,
    state,
    get ledger() {
      return ledgerNow();
    },
    isAccepted: (task) => Object.hasOwn(state.accepted, task),
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
    ...{ alone, beside },
    apply: change,
    startClock: (now) => {
      if (measured !== undefined) return;
      const [from, before] = [now(), state.elapsedMs];
      measured = () => before + now() - from;
    },
    get held() {
      return held;
    },
    appendHeld: () => append([]),
    record,
    opened: (tasks) => {
      state.open ??= tasks();
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
      const { title, handedOut, ...facts } = delegation;
      const delegated = { type: "delegated", ...facts, elapsedMs: ledger.elapsedMs } as const;
      record(handedOut === undefined ? [delegated] : [delegated, { type: "handedOut", key: facts.key, ...handedOut }]);
      await onAdmit(delegation, state.iterations);
      return null;
    },
    denial: (limits) => checkBudget(ledgerNow(), limits),
    conclude: async (key, answer, { verify, reality, judgement }) =>
      record([{ type: "judged", key: `${key}/verify`, answer, verify, reality, judgement }]),
    intend: async (key, fix) => {
      const known = selected.madeFor(key);
      if (known === null) record([{ type: "intended", key, fix }]);
      return known ?? fix;
    },
    noteClosed: async (fix, by) => record([{ type: "closed", fix, by }]),
    plan: async (key, { type, change }) => record([{ type: "planned", key, change: type, plan: change }]),
    pause: () => {
      // Append held records first: the pause may last hours.
      append([]);
      return stopwatch.pause();
    },
    recall: async (key) => ({ ...(await selected.recall(key)), live: live.has(key) }),
  };
}
