import type { Ledger, SpentByPurpose } from "../model/ledger.ts";
import type { ReplyRecord, RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, effectOf, taskOf } from "../model/reply.ts";
import { noSeed, type RunSeed } from "../model/run-seed.ts";
import { type Speaker, spokenBy } from "../model/speaker.ts";
import type { TaskId } from "../model/task-id.ts";
import type { AdmittedDelegation } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import { checkBudget } from "../recover/check-budget.ts";
import { noVerdict } from "./attempt-log.ts";
import { foldRecord, foldUse } from "./fold-record.ts";
import { createRunBooks, type KeptBooks } from "./run-books.ts";

/** Where a run memory writes what it learns, and keeps replies that are too long for a record. */
export interface RunStore {
  /** Append a record; a durable one survives a power cut once this returns. */
  append(record: RunRecord, options: { readonly durable: boolean }): void;
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
}

/** The memory of a run, and what a host needs to keep it across restarts. */
export interface RunMemory extends Attempts {
  readonly ledger: Ledger;
  /** Tasks this run has accepted. */
  readonly accepted: ReadonlySet<TaskId>;
  /** Tasks it has accepted though no command has shown that they are done. */
  readonly unverified: ReadonlySet<TaskId>;
  /** The batch that is under way; empty while a task is done on its own. */
  readonly batch: readonly TaskId[];
  /** What delegations have cost, by what they were made for. */
  readonly costs: SpentByPurpose;
  /** Changes of the plan, by the task that asked for them. */
  readonly changes: Readonly<Record<TaskId, number>>;
  /** Attempts of the turn whose claims are still to be judged: by what is recorded, nobody has. */
  unjudged(): readonly AttemptKey[];
  /** Take in a record of an earlier start. @param isOver Whether its turn is: nobody asks for its attempts again. */
  fold(record: RunRecord, isOver?: boolean): void;
  /** Take in what earlier turns have come to, in place of their records. */
  take(kept: KeptBooks): void;
  /** Record something that happened, durably. */
  note(record: RunRecord): void;
  /** The planned task whose tree a task is in. */
  rootOf(task: TaskId): TaskId;
  /**
   * Record the answer to an effect, with what was kept of its attempt since the answer before.
   *
   * @param by The process that has given it, when a person has.
   */
  recordAnswer(key: string, answer: unknown, by?: Speaker): void;
}

/** Characters of a reply that are kept in its record; longer ones lie in a file of their own. */
const inlineReply = 4096;

const nowhere: RunStore = { append: () => {}, writeOutput: () => {}, readOutput: async () => "" };

type Answered = Extract<RunRecord, { type: "answered" }>;

/** What a run remembers. Without a store it is kept in memory only. */
export function createRunMemory({
  open,
  seed = noSeed,
  store = nowhere,
  elapsedMs = () => 0,
  onAdmit = () => {},
  onUnknownUsage = () => {},
}: {
  /** Tasks that were open when the run began; those of its first turn when not given. */
  open?: number | undefined;
  /** What had been spent before the first record, in a run that was taken over. */
  seed?: RunSeed;
  store?: RunStore;
  /** Time of the run so far, but for the time between its starts. */
  elapsedMs?: () => number;
  /** Told of every delegation that was admitted, with its number in the run. */
  onAdmit?: (delegation: AdmittedDelegation, iteration: number) => void;
  /** Told once when a limit on cost or tokens is set and an executor does not say what it used. */
  onUnknownUsage?: () => void;
} = {}): RunMemory {
  const { readOutput } = store;
  const books = createRunBooks({ open, seed, elapsedMs, onUnknownUsage, readOutput });
  const { tally, log, executors, fixes, changes, batches, ladder, accepted, inFlight } = books;
  const unrecorded = new Map<AttemptKey, Partial<Answered>>();
  const record = (made: RunRecord): void => {
    store.append(made, { durable: true });
    foldRecord(books, made);
  };
  /** With a store it counts from its record on: an answer that nobody waits for any more is not recorded. */
  const useNow = (key: AttemptKey, used: Pick<Answered, "reply" | "review" | "usage">): void => {
    if (store === nowhere) foldUse(books, { type: "answered", key: `${key}/`, answer: null, ...used });
  };
  const keepBack = (key: AttemptKey, more: Partial<Answered>): void => {
    // Where nothing is recorded it would be kept for ever.
    if (store !== nowhere) unrecorded.set(key, { ...unrecorded.get(key), ...more });
  };

  return {
    get ledger() {
      return tally.ledger;
    },
    accepted,
    unverified: books.unverified,
    get batch() {
      return batches.members;
    },
    get costs() {
      return books.costs.spent;
    },
    get changes() {
      return changes.counts;
    },
    availability: executors,
    beginTurn: (openTasks) => {
      tally.open(openTasks);
      books.beginTurn();
    },
    fold: (made, isOver) => foldRecord(books, made, isOver),
    take: books.take,
    note: record,
    reported: ladder.reported,
    rootOf: ladder.rootOf,
    admit: async (delegation, limits) => {
      tally.warn(limits);
      const { ledger } = tally;
      const denial = checkBudget(ledger, limits);
      if (denial !== null) return { ...denial, task: delegation.task };
      const { title, ...facts } = delegation;
      record({ type: "delegated", ...facts, elapsedMs: ledger.elapsedMs });
      onAdmit(delegation, tally.ledger.iterations);
      return null;
    },
    baseline: log.baseline,
    denial: (limits) => checkBudget(tally.ledger, limits),
    keepReply: (key, attempt) => {
      const { text, ...rest } = attempt.reply;
      const { headBefore, mark, fileState } = attempt;
      const long = text.length > inlineReply;
      if (long) store.writeOutput(key, text);
      log.keep(key, { ...noVerdict, ...attempt, live: true }, false);
      const reply: ReplyRecord = {
        ...rest,
        text: long ? null : text,
        headBefore,
        mark,
        ...(fileState !== null && { fileState }),
      };
      useNow(key, { reply });
      keepBack(key, { reply });
    },
    keepVerify: (key, verify) => {
      log.add(key, { verify });
      keepBack(key, { verify });
    },
    keepReality: (key, reality) => {
      log.add(key, { reality });
      keepBack(key, { reality });
    },
    noteCheck: books.checks.note,
    lastCheck: books.checks.last,
    keepJudgement: (key, judgement) => {
      // The tick of an accepted one stands in the plan until its pass is recorded.
      if (judgement.kind !== "accepted") inFlight.delete(taskOf(key));
      log.add(key, { judgement });
      log.countBoxes(inFlight);
      keepBack(key, { judgement });
    },
    conclude: async (key, answer) => {
      const { verify, reality, judgement } = unrecorded.get(key) ?? {};
      const ran = { ...(verify !== undefined && { verify }), ...(reality !== undefined && { reality }) };
      const from = { ...ran, ...(judgement !== undefined && { judgement }) };
      record({ type: "judged", key: `${key}/verify`, answer, ...from });
    },
    keepRefusal: (key, refusal) => log.add(key, { refusal }),
    keepReview: (key, { usage }, review) => {
      const told = { ...review, ...(usage !== undefined && { usage }) };
      useNow(key, { review: told });
      log.add(key, { review });
      keepBack(key, { review: told });
    },
    keepUsage: (key, usage) => {
      if (usage === undefined) return;
      useNow(key, { usage });
      keepBack(key, { usage });
    },
    knows: log.knows,
    unjudged: () => log.unjudged((key) => unrecorded.get(key)?.judgement === undefined),
    recall: log.recall,
    earlier: log.earlier,
    findings: log.findings,
    inFlight: () => inFlight,
    intend: async (key, fix) => {
      const known = fixes.madeFor(key);
      if (known === undefined) record({ type: "intended", key, fix });
      return known ?? fix;
    },
    intended: fixes.intended,
    superseded: () => tally.superseded(),
    noteClosed: async (fix, by) => record({ type: "closed", fix, by }),
    plan: async (key, { type, change }) => record({ type: "planned", key, change: type, plan: change }),
    planned: changes.planned,
    changesOf: changes.of,
    beginBatch: batches.begin,
    breakBatch: batches.break,
    sequential: () => batches.sequential,
    spare: books.spare,
    replan: books.replan,
    keepPass: books.pass,
    unlogged: () => batches.owed,
    logged: batches.settle,
    pause: tally.pause,
    spent: tally.spentIn,
    keepFailure: books.fail,
    keepAcceptance: ladder.accept,
    meets: books.trouble.meets,
    newDenial: books.denials.fresh,
    keepDenial: books.denials.note,
    escalation: (root) => ladder.escalation(root),
    repairs: ladder.repairs,
    keepDirective: ladder.direct,
    keepReport: ladder.report,
    keepSkip: ladder.skip,
    skipped: ladder.skipped,
    part: ladder.part,
    guidance: ladder.guidance,
    keepAnswer: (root, answer) => {
      // With a store it counts from its record on: somebody else may answer before that is made.
      if (store !== nowhere) return;
      ladder.answer(root, answer);
      if (answer.kind !== "gate") books.trouble.clear();
    },
    countGathering: (task) =>
      tally.spend(task, ({ attempts, waits = 0 }) => ({ attempts: attempts + 1, waits: waits + 1 })),
    recordAnswer: (key, answer, by) => {
      const attempt = attemptOf(key);
      const answered: Answered = { type: "answered", key, answer, ...unrecorded.get(attempt), ...spokenBy(by) };
      // First: who is told of a record looks at what is known with it.
      foldUse(books, answered);
      store.append(answered, { durable: false });
      unrecorded.delete(attempt);
      if (store !== nowhere && effectOf(key) === "askPerson") foldRecord(books, { type: "answered", key, answer });
    },
  };
}
