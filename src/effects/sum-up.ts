import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import { effectOf } from "../model/reply.ts";
import { noSeed, type RunSeed } from "../model/run-seed.ts";
import { foldRecord } from "./fold-record.ts";
import { createRunBooks, type KeptBooks } from "./run-books.ts";

/** What the records of a run come to up to the beginning of a turn, as plain JSON. Going on from it is folding all. */
export interface RunSum {
  readonly books: KeptBooks;
  /** Turns that were begun. */
  readonly turns: number;
  /** Working time of the run, in milliseconds. */
  readonly elapsedMs: number;
}

/** Adds records up, and keeps nothing of their turns. */
export interface Summing {
  add(record: RunRecord & Partial<TimedRunRecord>): void;
  sum(): RunSum;
}

/**
 * To be raised whenever a record comes to something else than before, or the sum has another form: those that are kept
 * count no more then.
 */
export const sumVersion = 4;

/** @param from What the records before have come to; what had been spent before the first when there are none. */
export function sumUp({
  seed = noSeed,
  from,
}: {
  readonly seed?: RunSeed;
  readonly from?: RunSum | undefined;
}): Summing {
  const books = createRunBooks({
    open: undefined,
    seed,
    elapsedMs: () => 0,
    onUnknownUsage: () => {},
    readOutput: async () => "",
  });
  if (from !== undefined) books.take(from.books);
  let { turns, elapsedMs } = from ?? { turns: 0, elapsedMs: 0 };
  return {
    add: (record) => {
      if (record.type === "answered" && effectOf(record.key) === "chooseTask") {
        turns += 1;
        books.beginTurn();
      }
      if (record.type === "delegated") elapsedMs = Math.max(elapsedMs, record.elapsedMs);
      if (record.type === "ended") elapsedMs = Math.max(elapsedMs, record.ending.durationMs);
      foldRecord(books, record, true);
    },
    sum: () => ({ books: books.kept(), turns, elapsedMs }),
  };
}
