import type { AsyncProperty } from "../support/properties/async-property.ts";
import type { Campaign, Trials } from "./campaign.ts";
import { interleavingProperties, ordersEach } from "./interleavings/interleaving-properties.ts";
import { seedOf } from "./property-trials.ts";

/** Whole runs in memory, in every order in which the outside may answer. */
export const interleavingsCampaign: Campaign = {
  name: "interleavings",
  about: "whole runs in memory while a scheduler chooses when each port acts and answers",
  counts: "interleavings",
  trials: [
    trialsOf(interleavingProperties.calm, ordersEach.calm, 50),
    trialsOf(interleavingProperties.lively, ordersEach.lively, 100),
  ],
};

/** @param orders Of each of its runs. */
function trialsOf({ name, runs, run, tally }: AsyncProperty, orders: number, short: number): Trials {
  return {
    name,
    full: runs,
    short,
    batch: 25,
    run: async ({ seed, from, count, path }) => {
      const before = new Map(tally);
      const replay = path !== undefined && { path };
      const failure = await run({ numRuns: count, seed: seedOf(seed, from, path), ...replay });
      const outcomes = [...tally].map(([outcome, total]) => [outcome, total - (before.get(outcome) ?? 0)] as const);
      return {
        counts: { interleavings: count * orders, ...Object.fromEntries(outcomes) },
        violations: failure === null ? [] : [failure],
      };
    },
  };
}
