import { describe, expect, test } from "vitest";
import { planProperties } from "../support/plan-properties.ts";

const { FC_SEED: seed, FC_PATH: path, FC_RUNS: runs } = process.env;
const replay = { ...(seed === undefined ? {} : { seed: Number(seed) }), ...(path === undefined ? {} : { path }) };

describe.each(Object.entries(planProperties))("properties of the plan editor: %s", (_, properties) => {
  test.each(properties.map((property) => [property.name, property] as const))("%s", (_name, property) => {
    const numRuns = Number(runs ?? Math.min(12, property.runs / 500));
    expect(property.run({ numRuns, ...replay }) ?? "it holds").toBe("it holds");
  });
});
