import type { FailureDigest } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { SpentByPurpose } from "../model/ledger.ts";
import { oneTooLong } from "../model/ledger.ts";
import { wholeOf } from "../model/part-id.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { TaskId } from "../model/task-id.ts";
import type { PassedTask } from "../ports/attempt-record.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { type ExecutorWatch, type KeptExecutors, watchExecutors } from "./availability.ts";
import { type BatchBook, createBatchBook, type KeptBatches } from "./batch-book.ts";
import { type ChangeBook, createChangeBook, type KeptChanges } from "./change-book.ts";
import { type CheckBook, createCheckBook } from "./check-book.ts";
import { type CostBook, createCostBook } from "./cost-book.ts";
import { createDenialBook, type DenialBook, type KeptDenials } from "./denial-book.ts";
import { createFixBook, type FixBook } from "./fix-book.ts";
import { createLadderBook, type KeptLadders, type LadderBook } from "./ladder-book.ts";
import { createTally, type KeptTally, type RunTally } from "./run-tally.ts";
import { createTroubleBook, type KeptTrouble, type TroubleBook } from "./trouble-book.ts";

/** All that is kept of a run, told both as it happens and from the records of earlier starts. */
export interface RunBooks {
  readonly tally: RunTally;
  readonly log: AttemptLog;
  readonly executors: ExecutorWatch;
  readonly fixes: FixBook;
  readonly changes: ChangeBook;
  readonly batches: BatchBook;
  readonly ladder: LadderBook;
  readonly checks: CheckBook;
  readonly trouble: TroubleBook;
  readonly costs: CostBook;
  readonly denials: DenialBook;
  /** Tasks this run has accepted. */
  readonly accepted: Set<TaskId>;
  /** Tasks whose executors have begun, until their claims are turned down or their passes are recorded. */
  readonly inFlight: Set<TaskId>;
  /** Tasks this run has accepted though no command has shown that they are done. */
  readonly unverified: Set<TaskId>;
  /** An attempt has failed with that; null: its claim was not in order. */
  fail(task: TaskId, failure: FailureDigest | null): void;
  /** The last delegation of a task spent no attempt. */
  spare(task: TaskId): void;
  /** The change that an attempt was granted puts other tasks first. */
  replan(attempt: AttemptKey): void;
  pass(task: TaskId, pass: PassedTask): void;
  beginTurn(): void;
  /** What turns that are over have come to: all that is asked for later. */
  kept(): KeptBooks;
  /** Go on from there, before anything is recorded. */
  take(kept: KeptBooks): void;
}

/** The books of a run between two of its turns, as plain JSON. */
export interface KeptBooks {
  readonly tally: KeptTally;
  readonly executors: KeptExecutors;
  readonly fixes: readonly FixTask[];
  readonly changes: KeptChanges;
  readonly batches: KeptBatches;
  readonly ladder: KeptLadders;
  readonly accepted: readonly TaskId[];
  readonly unverified: readonly TaskId[];
  readonly trouble: KeptTrouble;
  readonly costs: SpentByPurpose;
  /** None when not given. */
  readonly denials?: KeptDenials;
}

export function createRunBooks({
  open,
  seed,
  elapsedMs,
  onUnknownUsage,
  readOutput,
}: {
  open: number | undefined;
  seed: RunSeed;
  elapsedMs: () => number;
  onUnknownUsage: () => void;
  readOutput: (key: AttemptKey) => Promise<string>;
}): RunBooks {
  const tally = createTally({ open, seed, elapsedMs, onUnknownUsage });
  const log = createAttemptLog(readOutput);
  const executors = watchExecutors(elapsedMs);
  const fixes = createFixBook(tally);
  const changes = createChangeBook(seed.changes);
  const batches = createBatchBook();
  const ladder = createLadderBook(tally);
  const checks = createCheckBook();
  const trouble = createTroubleBook();
  const costs = createCostBook();
  const denials = createDenialBook(ladder.rootOf);
  const accepted = new Set<TaskId>();
  const inFlight = new Set<TaskId>();
  const unverified = new Set<TaskId>();
  const fail = (task: TaskId, failure: FailureDigest | null): void => {
    ladder.fail(task, failure);
    if (failure === null) return;
    if (failure.kind === "context-exhausted") tally.spend(task, oneTooLong);
    trouble.note(task, failure.environment ?? null);
  };
  const spare = (task: TaskId): void => {
    tally.spend(task, ({ waits = 0 }) => ({ waits: waits + 1 }));
    ladder.spare(task);
  };
  return {
    ...{
      tally,
      log,
      executors,
      fixes,
      changes,
      batches,
      ladder,
      checks,
      trouble,
      costs,
      denials,
      accepted,
      unverified,
      fail,
      inFlight,
      spare,
    },
    replan: (attempt) => {
      const task = taskOf(attempt);
      inFlight.delete(task);
      spare(task);
      // A task that was split is done when its parts are.
      if (changes.planned(attempt)?.change.tick === true) accepted.add(task);
    },
    pass: (task, { commit, grouped, unverified: isUnverified = false }) => {
      inFlight.delete(task);
      ladder.pass(task);
      trouble.note(task, null);
      if (wholeOf(task) !== null) return;
      accepted.add(task);
      if (isUnverified) unverified.add(task);
      else unverified.delete(task);
      if (grouped) batches.owe(task, commit);
    },
    beginTurn: () => {
      log.clear();
      costs.beginTurn();
      fixes.beginTurn();
      changes.beginTurn();
      ladder.beginTurn();
      inFlight.clear();
    },
    kept: () => ({
      tally: tally.kept(),
      executors: executors.kept(),
      fixes: fixes.kept(),
      changes: changes.kept(),
      batches: batches.kept(),
      ladder: ladder.kept(),
      accepted: [...accepted],
      unverified: [...unverified],
      trouble: trouble.kept(),
      costs: costs.spent,
      ...(denials.kept().length > 0 && { denials: denials.kept() }),
    }),
    take: (kept) => {
      tally.take(kept.tally);
      executors.take(kept.executors);
      fixes.take(kept.fixes);
      changes.take(kept.changes);
      batches.take(kept.batches);
      ladder.take(kept.ladder);
      for (const task of kept.accepted) accepted.add(task);
      for (const task of kept.unverified) unverified.add(task);
      trouble.take(kept.trouble);
      costs.take(kept.costs);
      denials.take(kept.denials ?? []);
    },
  };
}
