import { describe, expect, it } from "vitest";
import type { RunEnded } from "../../src/model/event.ts";
import { newRun } from "../../src/run/new-run.ts";
import { isKnown } from "../../src/run/previous-outcome.ts";

const ending: RunEnded = {
  ...{
    type: "run.ended",
    outcome: "gate",
    exitCode: 3,
    original: 1,
    fixes: 0,
    attempts: 2,
    skipped: [],
    tickedByHand: 0,
  },
  ...{ durationMs: 7, error: "which one?" },
};
const behind = (part: Partial<RunEnded> = {}) =>
  ({ type: "ended", at: 0, planHash: "", denial: null, ending: { ...ending, ...part } }) as const;
const asking = (key: string) => {
  const state = newRun();
  state.turn.questions[key] = "which one?";
  return state;
};

describe("isKnown", () => {
  it.each([
    ["its question was reported when it was asked", asking("1.1#1/askPerson"), null, true],
    ["its question was reported only at an end", asking("1.1#1/verify"), null, false],
    ["the previous start was killed", newRun(), null, false],
    ["the previous start ended in the same way", newRun(), behind(), true],
    ["the previous start ended with another question", newRun(), behind({ error: "why?" }), false],
    ["the previous start ended in another way", newRun(), behind({ outcome: "limit" }), false],
    ["something was delegated since", newRun(), behind({ attempts: 1 }), false],
  ])("is recorded if %s", (_, state, ended, is) => {
    expect(isKnown(ending, state, ended)).toBe(is);
  });
});
