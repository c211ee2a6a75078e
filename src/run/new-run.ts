import { noSeed, type RunSeed } from "../model/run-seed.ts";
import type { RunState, Turn } from "../model/run-state.ts";
import { spendingOf } from "./spent.ts";

export const newTurn = (): Turn => ({
  attempts: {},
  baselines: {},
  executors: {},
  purposes: {},
  levels: {},
  fixes: {},
  changes: {},
  inFlight: {},
  atWork: {},
  claims: {},
  unanswered: {},
  questions: {},
  asked: null,
  stopped: null,
  written: {},
  mended: [],
  cleaning: false,
  left: false,
});

/**
 * A run before its first record.
 *
 * @param seed What had been spent before, in a run that was taken over.
 */
export const newRun = (open: number | null = null, seed: RunSeed = noSeed): RunState => ({
  advice: null,
  ...{ open, turns: 0, iterations: seed.iterations, costUsd: seed.costUsd, tokens: seed.tokens },
  elapsedMs: seed.elapsedMs,
  unknownUsage: { cost: false, tokens: false },
  costs: {},
  ...spendingOf(seed.tasks),
  changes: { ...seed.changes },
  ...{
    fixes: {},
    generations: {},
    trees: {},
    skipped: {},
    reports: {},
    accepted: {},
    unverified: {},
    sequential: {},
    owed: {},
    unflushed: {},
    blocked: {},
  },
  batch: [],
  trouble: { what: null, tasks: [] },
  checks: { passed: {}, failed: {} },
  ...{ ended: null, worked: false, paused: false },
  turn: newTurn(),
});
