import { describe, expect, it } from "vitest";
import { dependenciesIn } from "../../../src/markdown/tasks/dependencies.ts";

const ids = ["T001", "T002", "T003", "1.1", "1.2", "1-2", "3", "SET-01", "SET-02"];
const found = (block: string): string[] => dependenciesIn(block, ids, new Map(ids.map((id, index) => [id, index])));

describe("what a task depends on", () => {
  it.each([
    ["(depends on T001, T002)", ["T001", "T002"]],
    ["[Depends: 1.2]", ["1.2"]],
    ["**Dependencies**: tasks 1.1 and 1.2.", ["1.1", "1.2"]],
    ["_Blocked by: T003_", ["T003"]],
    ["depends on T001-T003", ["T001", "T002", "T003"]],
    ["depends on 1-2", ["1-2"]],
    ["depends on T001, T001", ["T001"]],
    ["(depends on T001–T003)", ["T001", "T002", "T003"]],
    ["**Depends on**: Task 1.1 (models), Task 1.2", ["1.1", "1.2"]],
    ["**Depends on**: `1.2`", ["1.2"]],
    ["depends on 3 and 1.1", ["3", "1.1"]],
    ["depends on 3 for its types", ["3"]],
    ["**Dependencies**: T001 through T003", ["T001", "T002", "T003"]],
    ["depends on SET-01 through SET-02", ["SET-01", "SET-02"]],
    ["依赖：T001、1.2", ["T001", "1.2"]],
    ["依赖任务 1.1", ["1.1"]],
    ["依存: 1.1, 1.2", ["1.1", "1.2"]],
    ["Task 1.1, 1.2 に依存", ["1.1", "1.2"]],
    ["1.1、1.2の実装に依存", ["1.1", "1.2"]],
  ])("is %s", (block, expected) => {
    expect(found(block)).toEqual(expected);
  });

  it.each([
    "nothing is said of T001",
    "depends on T009",
    "depends on T003-T001",
    "depends on T002-T009",
    "depends on you",
    "Update dependencies: 3 packages",
    "Add dependencies 3",
    "Add dependencies\n  3",
    "no longer depends on 1.2",
    "does not depend on 1.2",
    "it depends on 3 files",
    "1.1 の依存を更新",
    "画面の状態に依存",
  ])("is nothing: %s", (block) => {
    expect(found(block)).toEqual([]);
  });
});
