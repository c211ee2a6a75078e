import { describe, expect, it } from "vitest";
import { exitCodes, RunEnding } from "../../src/model/event.ts";

describe("exitCodes", () => {
  it("has one for every outcome, 0 only for a complete run", () => {
    expect(Object.keys(exitCodes).sort()).toEqual([...RunEnding.options].sort());
    expect(Object.entries(exitCodes).filter(([, code]) => code === 0)).toEqual([["complete", 0]]);
  });
});
