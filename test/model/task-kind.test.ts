import { describe, expect, it } from "vitest";
import { isCleanup, kindOf } from "../../src/model/task-kind.ts";

const task = (id: string, title: string, ...markers: string[]) => ({ id, title, markers });

describe("kindOf", () => {
  it.each([
    ["plain", task("1.1", "Add E2E goal verification", "P")],
    ["red", task("1.1", "Failing test", "RED")],
    ["green", task("1.2", "Pass test", "P", "GREEN")],
    ["yellow", task("1.3", "Refactor", "YELLOW")],
    ["verification", task("V4", "Full local CI", "VERIFY")],
    ["verification", task("1.4", "Regression guard", "VERIFY", "RED")],
    ["verification", task("2.1", "The E2ETest class", "VERIFY")],
    ["end-to-end", task("VE1", "E2E startup: launch", "VERIFY")],
    ["end-to-end", task("T052", "VE3 e2e cleanup: tear down", "VERIFY")],
    ["goal", task("VF", "The original bug is fixed", "VERIFY")],
    ["goal", task("VF.1", "Fix: x", "VERIFY", "FIX VF")],
    ["goal", task("VF2", "E2E run", "VERIFY")],
    ["goal", task("4.3", "VF, final goal verification: E2E", "VERIFY")],
    ["plain", task("VF", "The original bug is fixed")],
    ["verification", task("AVF1", "The original bug is fixed", "VERIFY")],
  ] as const)("is %s for %j", (kind, given) => {
    expect(kindOf(given)).toBe(kind);
  });
});

describe("isCleanup", () => {
  it.each([
    task("VE3", "E2E cleanup: remove temp directory", "VERIFY"),
    task("VE3", "E2E clean-up", "VERIFY"),
    task("VE3", "E2E: Clean up the database", "VERIFY"),
    task("VE3", "E2E: tear down HA instance", "VERIFY"),
    task("VE3", "E2E teardown", "VERIFY"),
    task("VE3", "E2E cleaning up, tearing down", "VERIFY"),
    task("3.1", "Anything", "FINALLY"),
  ])("holds for %j", (given) => {
    expect(isCleanup(given)).toBe(true);
  });

  it.each([
    task("VE2", "E2E check: sensors", "VERIFY"),
    task("3.14", "Shim cleanup verification", "VERIFY"),
    task("VE3", "E2E cleanup"),
    task("VF", "Goal verification: E2E cleanup", "VERIFY"),
    task("VE3", "E2E clean build", "VERIFY"),
  ])("does not hold for %j", (given) => {
    expect(isCleanup(given)).toBe(false);
  });
});
