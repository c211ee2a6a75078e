import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  descendsFrom,
  fixId,
  isCleanup,
  isFixOf,
  isPartOf,
  kindOf,
  lineageOf,
  parentOf,
  partId,
  partNumber,
  plannedTask,
  repairedBy,
  roleOf,
  type TaskId,
  wholeOf,
} from "../../src/model/task.ts";
import { taskIds } from "../../src/testing/arbitraries.ts";
import { prop } from "../support/prop.ts";
import { task } from "../support/sample-plan.ts";

describe("roleOf", () => {
  it.each([
    [[], "executor"],
    [["P", "US1"], "executor"],
    [["FIX 1.4"], "executor"],
    [["VERIFY"], "verifier"],
    [["P", "VERIFY"], "verifier"],
  ])("assigns a task marked %j to the %s", (markers, role) => {
    expect(roleOf(task("1.4", { markers }))).toBe(role);
  });
});

describe("fixId", () => {
  it("appends the number of the fix", () => {
    expect(fixId("1.3", 1)).toBe("1.3.1");
    expect(fixId("V4", 12)).toBe("V4.12");
  });
});

describe("isFixOf", () => {
  it.each([
    ["1.3.1", "1.3", true],
    ["1.3.12", "1.3", true],
    ["1.3.1.1", "1.3", false],
    ["1.3.x1", "1.3", false],
    ["1.3.1x", "1.3", false],
    ["1.3.", "1.3", false],
    ["1.31", "1.3", false],
    ["2.3.1", "1.3", false],
    ["1.3", "1.3", false],
  ])("returns for %s and %s: %s", (id, task, isFix) => {
    expect(isFixOf(id, task)).toBe(isFix);
  });
});

describe("descendsFrom", () => {
  it.each([
    ["1.3.1", "1.3", true],
    ["1.3.1.1", "1.3", true],
    ["1.3", "1.3", false],
    ["1.10", "1.1", false],
    ["1.3", "1.3.1", false],
  ])("returns for %s and %s: %s", (id, ancestor, descends) => {
    expect(descendsFrom(id, ancestor)).toBe(descends);
  });
});

describe("repairedBy", () => {
  it("reads the id of a fix", () => {
    expect(repairedBy("1.3.12")).toBe("1.3");
    expect(repairedBy("V4")).toBeNull();
  });
});

describe("lineageOf", () => {
  const fixes: Record<TaskId, TaskId> = { "1.3.1": "1.3", "V3.1": "1.3.1", "5": "6", "6": "5" };
  const repaired = (fix: TaskId): TaskId | undefined => fixes[fix];

  it("leads from the root of a tree down through fixes and parts", () => {
    expect(lineageOf("1.3", repaired)).toEqual(["1.3"]);
    expect(lineageOf("V3.1~2~1", repaired)).toEqual(["1.3", "1.3.1", "V3.1", "V3.1~2", "V3.1~2~1"]);
    expect(parentOf("V3.1~2", repaired)).toBe("V3.1");
    expect(parentOf("V3.1", repaired)).toBe("1.3.1");
    expect(parentOf("1.3", repaired)).toBeNull();
  });

  it("terminates for a cycle of fixes", () => {
    expect(lineageOf("5", repaired)).toEqual(["6", "5"]);
  });
});

describe("task ids, for every tree", () => {
  const roots = fc.constantFrom("1.1", "1.10", "V4", "T001", "3", "G-1.2a");

  prop("I3 a fix repairs the task to whose id its last number was appended", [roots, fc.nat()], (parent, n) => {
    expect(repairedBy(fixId(parent, n))).toBe(parent);
    expect(descendsFrom(fixId(parent, n), parent)).toBe(true);
  });
});

describe("ids of parts", () => {
  it("name the whole and a number from 1", () => {
    expect(partId("1.3", 1)).toBe("1.3~1");
    expect(partId("1.3.1~2", 3)).toBe("1.3.1~2~3");
  });

  it("lead back to the whole, the number and the task of the plan", () => {
    expect(wholeOf("1.3~1~12")).toBe("1.3~1");
    expect(partNumber("1.3~1~12")).toBe(12);
    expect(plannedTask("1.3~1~12")).toBe("1.3");
  });

  it("are no ids of planned tasks", () => {
    expect(wholeOf("1.3.1")).toBeNull();
    expect(plannedTask("1.3.1")).toBe("1.3.1");
    expect(plannedTask("")).toBe("");
  });
});

describe("ids of parts, for every task and every nesting", () => {
  const numbers = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 5 });

  prop("read back unchanged", [taskIds(), numbers], (task, nesting) => {
    let id = task;
    for (const n of nesting) {
      const part = partId(id, n);
      expect(wholeOf(part)).toBe(id);
      expect(partNumber(part)).toBe(n);
      expect(isPartOf(part, task)).toBe(true);
      id = part;
    }
    expect(plannedTask(id)).toBe(task);
  });
});

const sample = (id: string, title: string, ...markers: string[]) => ({ id, title, markers });

describe("kindOf", () => {
  it.each([
    ["plain", sample("1.1", "Add E2E goal verification", "P")],
    ["red", sample("1.1", "Failing test", "RED")],
    ["green", sample("1.2", "Pass test", "P", "GREEN")],
    ["yellow", sample("1.3", "Refactor", "YELLOW")],
    ["verification", sample("V4", "Full local CI", "VERIFY")],
    ["verification", sample("1.4", "Regression guard", "VERIFY", "RED")],
    ["verification", sample("2.1", "The E2ETest class", "VERIFY")],
    ["end-to-end", sample("VE1", "E2E startup: launch", "VERIFY")],
    ["end-to-end", sample("T052", "VE3 e2e cleanup: tear down", "VERIFY")],
    ["goal", sample("VF", "The original bug is fixed", "VERIFY")],
    ["goal", sample("VF.1", "Fix: x", "VERIFY", "FIX VF")],
    ["goal", sample("VF2", "E2E run", "VERIFY")],
    ["goal", sample("4.3", "VF, final goal verification: E2E", "VERIFY")],
    ["plain", sample("VF", "The original bug is fixed")],
    ["verification", sample("AVF1", "The original bug is fixed", "VERIFY")],
  ] as const)("is %s for %j", (kind, given) => {
    expect(kindOf(given)).toBe(kind);
  });
});

describe("isCleanup", () => {
  it.each([
    sample("VE3", "E2E cleanup: remove temp directory", "VERIFY"),
    sample("VE3", "E2E clean-up", "VERIFY"),
    sample("VE3", "E2E: Clean up the database", "VERIFY"),
    sample("VE3", "E2E: tear down HA instance", "VERIFY"),
    sample("VE3", "E2E teardown", "VERIFY"),
    sample("VE3", "E2E cleaning up, tearing down", "VERIFY"),
    sample("3.1", "Anything", "FINALLY"),
  ])("holds for %j", (given) => {
    expect(isCleanup(given)).toBe(true);
  });

  it.each([
    sample("VE2", "E2E check: sensors", "VERIFY"),
    sample("3.14", "Shim cleanup verification", "VERIFY"),
    sample("VE3", "E2E cleanup"),
    sample("VF", "Goal verification: E2E cleanup", "VERIFY"),
    sample("VE3", "E2E clean build", "VERIFY"),
  ])("does not hold for %j", (given) => {
    expect(isCleanup(given)).toBe(false);
  });
});
