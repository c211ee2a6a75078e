import { noSeed, type RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import type { Turn } from "../model/turn.ts";
import { spendingOf } from "./spending.ts";

export const newTurn = (): Turn => ({
  attempts: {},
  baselines: {},
  found: {},
  executors: {},
  purposes: {},
  levels: {},
  fixes: {},
  changes: {},
  inFlight: {},
  atWork: {},
  claims: {},
  unanswered: {},
  handedOut: {},
  questions: {},
  asked: null,
  stopped: null,
  written: {},
  mended: [],
  cleaning: false,
  ...{
    chosen: {},
    remedies: {},
    setbacks: {},
    climbs: {},
    retried: {},
    leftOut: {},
    troubles: {},
    proofs: {},
    contents: {},
  },
  ...{ races: {}, taken: {}, rounds: {}, advised: {}, refusals: {}, exhausted: [] },
  left: false,
});

/**
 * State of a run before its first record.
 *
 * @param seed Amounts already spent, for an imported run.
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
    parked: {},
    reports: {},
    accepted: {},
    proofs: {},
    contents: {},
    sequential: {},
    owed: {},
    unflushed: {},
    blocked: {},
  },
  batch: [],
  trouble: { what: null, tasks: [] },
  checks: {},
  flaky: {},
  given: [],
  excused: [],
  checked: null,
  ...{ ended: null, worked: false, outside: false, paused: false, plan: null },
  turn: newTurn(),
});
