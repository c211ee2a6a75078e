import { expect, it } from "vitest";
import { newRun } from "../../src/run/new-run.ts";

it("a run that was taken over inherits what the previous run spent, and nothing else", () => {
  const tasks = { "1.1": { attempts: 2, retries: 1, fixes: [] } };
  const seed = { iterations: 3, costUsd: 0.5, tokens: 70, elapsedMs: 900, tasks, changes: { "1.1": 1 } };
  const taken = { open: 4, iterations: 3, costUsd: 0.5, tokens: 70, elapsedMs: 900, tasks, changes: { "1.1": 1 } };
  expect(newRun(4, seed)).toEqual({ ...newRun(), ...taken });
  expect(newRun()).toMatchObject({
    open: null,
    turns: 0,
    iterations: 0,
    tasks: {},
    skipped: {},
    ended: null,
    plan: null,
  });
});

it("two runs share no mutable state", () => {
  const seed = { iterations: 0, costUsd: 0, tokens: 0, elapsedMs: 0, tasks: {}, changes: {} };
  const [one, other] = [newRun(null, seed), newRun(null, seed)];
  one.changes["1.1"] = 1;
  one.tasks["1.1"] = { attempts: 1, retries: 0, fixes: [] };
  one.turn.inFlight["1.1"] = true;
  expect(other).toEqual(newRun());
});
