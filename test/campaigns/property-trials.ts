import type { Property } from "../support/properties/property.ts";
import type { Trials } from "./campaign.ts";

/** Trials of a property: its runs, those that held, and those in which there was nothing to hold. */
export const propertyTrials = ({ name, runs, run, tally }: Property, short = 0): Trials => ({
  name,
  full: runs,
  short,
  batch: 250,
  run: async ({ seed, from, count, path }) => {
    const before = new Map(tally);
    const failure = run({ numRuns: count, seed: seedOf(seed, from, path), ...(path !== undefined && { path }) });
    const outcomes = [...tally].map(([outcome, total]) => [outcome, total - (before.get(outcome) ?? 0)] as const);
    return {
      counts: { runs: count, ...Object.fromEntries(outcomes) },
      violations: failure === null ? [] : [failure],
    };
  },
});

/**
 * The seed of a batch. Batches of runs with other seeds have others, too; a counterexample tells that of its batch.
 *
 * @param path Of a counterexample: the seed is that of its batch.
 */
export const seedOf = (seed: number, from: number, path?: string): number =>
  path === undefined ? (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + from) >>> 1 : seed;
