import { describe, expect, it } from "vitest";
import { nearestName } from "../../src/model/nearest-name.ts";

const known = ["--exec", "--max-fix-tasks", "--max-fix-depth", "--yes"];

describe("nearestName", () => {
  it.each([
    ["--exce", "--exec"],
    ["--EXEC", "--exec"],
    ["--max-fixtasks", "--max-fix-tasks"],
    ["--max-fix-dept", "--max-fix-depth"],
    ["--max-f", "--max-fix-tasks"],
    ["--ye", "--yes"],
  ])("takes %s for %s", (typed, meant) => {
    expect(nearestName(typed, known)).toBe(meant);
  });

  it("knows none for a word that is far from all", () => {
    expect(nearestName("--reporter", known)).toBeUndefined();
    expect(nearestName("x".repeat(100_000), known)).toBeUndefined();
    expect(nearestName("--exec", [])).toBeUndefined();
  });
});
