import { describe, expect, it } from "vitest";
import { interleavingProperties } from "../campaigns/interleavings/interleaving-properties.ts";

const given = (variable: string): number | undefined => {
  const text = process.env[variable] ?? "";
  return text === "" ? undefined : Number(text);
};
const seed = given("FC_SEED");
const numRuns = given("FC_RUNS");

describe("a run, in whatever order the outside answers", () => {
  it.each([
    [interleavingProperties.calm.name, interleavingProperties.calm, 10],
    [interleavingProperties.lively.name, interleavingProperties.lively, 20],
  ])("%s", async (_name, { run }, runs) => {
    expect(await run({ numRuns: numRuns ?? runs, ...(seed !== undefined && { seed }) })).toBeNull();
  });
});
