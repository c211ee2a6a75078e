import { expect, it } from "vitest";
import type { RunRecord } from "../../src/model/record.ts";
import { taskFamily } from "../../src/runtime/task-family.ts";
import { answered } from "../support/answered.ts";
import { sampleFix } from "../support/sample-fix.ts";

const tasks = [
  { id: "1.1", fixOf: null },
  { id: "1.1.1", fixOf: "1.1" },
  { id: "1.2", fixOf: null },
];
const directed = (directive: object): RunRecord => answered("1.2#1/askOperator", { kind: "directed", directive });
const records: RunRecord[] = [
  { type: "intended", key: "1.1.1#1", fix: { ...sampleFix, id: "F7", fixOf: "1.1.1" } },
  directed({ strategy: "decompose", parts: ["read it", "write it"] }),
  answered("1.1#1/askOperator", { kind: "malformed", reason: "no directive" }),
  answered("1.1#1/verify", { kind: "accepted" }),
];
const family = taskFamily(tasks, records);

it("a fix was made for what the plan says, or a record where it is not there yet", () => {
  expect(["1.1", "1.1.1", "F7", "1.2"].map(family.above)).toEqual([null, "1.1", "1.1.1", null]);
  expect(["1.1", "1.1.1", "F7", "1.2"].map(family.isFix)).toEqual([false, true, true, false]);
  expect(["F7", "1.2~1", "1.1"].map(family.rootOf)).toEqual(["1.1", "1.2", "1.1"]);
});

it("a part is in the tree of its task, and is to do what its operator has said", () => {
  expect([family.above("1.2~2"), family.isFix("1.2~2")]).toEqual(["1.2", false]);
  expect([...family.parts]).toEqual([
    ["1.2~1", "read it"],
    ["1.2~2", "write it"],
  ]);
  expect([...taskFamily(tasks, [directed({ strategy: "retry", adjustment: "slower" })]).parts]).toEqual([]);
});

it("a task is within itself and all that it was made for", () => {
  expect(["F7", "1.1.1", "1.1"].map((ancestor) => family.isWithin("F7", ancestor))).toEqual([true, true, true]);
  expect([family.isWithin("1.1", "F7"), family.isWithin("F7", "1.2")]).toEqual([false, false]);
});
