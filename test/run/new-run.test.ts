import { expect, it } from "vitest";
import { newRun } from "../../src/run/new-run.ts";

const nothingYet = {
  ...{ advice: null, open: null, turns: 0, iterations: 0, costUsd: 0, tokens: 0, elapsedMs: 0 },
  ...{ unknownUsage: { cost: false, tokens: false }, costs: {}, tasks: {}, fixParents: {}, superseded: {} },
  ...{
    changes: {},
    fixes: {},
    generations: {},
    trees: {},
    skipped: {},
    parked: {},
    reports: {},
    accepted: {},
    proofs: {},
    contents: {},
  },
  ...{ sequential: {}, owed: {}, unflushed: {}, blocked: {}, batch: [], trouble: { what: null, tasks: [] } },
  ...{
    checks: {},
    flaky: {},
    given: [],
    excused: [],
    checked: null,
    ended: null,
    worked: false,
    outside: false,
    paused: false,
    plan: null,
  },
  turn: {
    ...{
      attempts: {},
      baselines: {},
      found: {},
      executors: {},
      purposes: {},
      levels: {},
      fixes: {},
      changes: {},
      inFlight: {},
    },
    ...{
      atWork: {},
      claims: {},
      unanswered: {},
      handedOut: {},
      questions: {},
      asked: null,
      stopped: null,
      written: {},
      mended: [],
    },
    ...{ cleaning: false, left: false, chosen: {}, remedies: {}, setbacks: {}, climbs: {}, retried: {} },
    ...{
      leftOut: {},
      troubles: {},
      proofs: {},
      contents: {},
      races: {},
      taken: {},
      rounds: {},
      advised: {},
      refusals: {},
      exhausted: [],
    },
  },
};

it("a new run has done nothing, and knows of nothing that is left of another", () => {
  expect(newRun()).toEqual(nothingYet);
});

it("a run that was taken over has spent what the run before it had", () => {
  const tasks = { "1.1": { attempts: 2, retries: 1, fixes: [] } };
  const seed = { iterations: 3, costUsd: 0.5, tokens: 70, elapsedMs: 900, tasks, changes: { "1.1": 1 } };
  expect(newRun(4, seed)).toEqual({
    ...nothingYet,
    ...{ open: 4, iterations: 3, costUsd: 0.5, tokens: 70, elapsedMs: 900, tasks, changes: { "1.1": 1 } },
  });
});

it("two runs share nothing that changes", () => {
  const seed = { iterations: 0, costUsd: 0, tokens: 0, elapsedMs: 0, tasks: {}, changes: {} };
  const [one, other] = [newRun(null, seed), newRun(null, seed)];
  one.changes["1.1"] = 1;
  one.tasks["1.1"] = { attempts: 1, retries: 0, fixes: [] };
  one.turn.inFlight["1.1"] = true;
  expect(other).toEqual(nothingYet);
});
