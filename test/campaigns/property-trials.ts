import type { AsyncProperty } from "../support/properties/async-property.ts";
import type { Property } from "../support/properties/property.ts";
import type { Trials } from "./campaign.ts";

export const propertyTrials = (
  { name, runs, run, tally }: Property | AsyncProperty,
  {
    short = 0,
    batch = 250,
    countsOf = (done) => ({ runs: done }),
  }: {
    readonly short?: number;
    readonly batch?: number;
    readonly countsOf?: (done: number) => Readonly<Record<string, number>>;
  } = {},
): Trials => ({
  name,
  full: runs,
  short,
  batch,
  run: async ({ seed, from, count, path }) => {
    const before = new Map(tally);
    const failure = await run({ numRuns: count, seed: seedOf(seed, from, path), ...(path !== undefined && { path }) });
    const outcomes = [...tally].map(([outcome, total]) => [outcome, total - (before.get(outcome) ?? 0)] as const);
    return {
      counts: { ...countsOf(count), ...Object.fromEntries(outcomes) },
      violations: failure === null ? [] : [failure],
    };
  },
});

/** @param path Path of a counterexample; `seed` is then already the seed of its batch. */
export const seedOf = (seed: number, from: number, path?: string): number =>
  path === undefined ? (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + from) >>> 1 : seed;
