import { describe, expect, it } from "vitest";
import { dependenciesIn } from "../../../src/markdown/tasks/read-dependencies.ts";

const ids = ["T001", "T002", "T003", "1.1", "1.2", "1-2"];
const found = (block: string): string[] => dependenciesIn(block, ids, new Set(ids));

describe("what a task depends on", () => {
  it.each([
    ["(depends on T001, T002)", ["T001", "T002"]],
    ["[Depends: 1.2]", ["1.2"]],
    ["**Dependencies**: tasks 1.1 and 1.2.", ["1.1", "1.2"]],
    ["_Blocked by: T003_", ["T003"]],
    ["depends on T001-T003", ["T001", "T002", "T003"]],
    ["depends on 1-2", ["1-2"]],
    ["depends on T001, T001", ["T001"]],
  ])("is %s", (block, expected) => {
    expect(found(block)).toEqual(expected);
  });

  it.each([
    "nothing is said of T001",
    "depends on T009",
    "depends on T003-T001",
    "depends on T002-T009",
    "depends on you",
  ])("is nothing: %s", (block) => {
    expect(found(block)).toEqual([]);
  });
});
