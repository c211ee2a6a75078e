import { describe, expect, it } from "vitest";
import { growTree, plantTree } from "../../../../src/hosts/cli/reporters/task-tree.ts";
import type { RunEvent } from "../../../../src/model/event.ts";
import { delegated, ended, inserted, notice, planned, recovery, started } from "../sample-events.ts";

const tasks = [
  planned("1.1", "First", { done: true }),
  planned("1.2", "Second"),
  planned("1.2.1", "Planned below"),
  planned("1.3", "Third"),
];
const grow = (events: readonly RunEvent[]) => events.reduce(growTree, plantTree(tasks));
const outline = (events: readonly RunEvent[]) => grow(events).map(({ id, depth }) => `${"-".repeat(depth)}${id}`);

describe("plantTree", () => {
  it("indents fixes below what they repair", () => {
    const rows = plantTree([
      planned("1", "One"),
      planned("1.1", "Fix", { fixOf: "1", done: true }),
      planned("1.1.1", "Fix of fix", { fixOf: "1.1" }),
      planned("2", "Two"),
      planned("3.1", "Fix of nothing", { fixOf: "3" }),
    ]);
    expect(rows.map(({ id, depth, state }) => [id, depth, state])).toEqual([
      ["1", 0, "open"],
      ["1.1", 1, "passed"],
      ["1.1.1", 2, "open"],
      ["2", 0, "open"],
      ["3.1", 0, "open"],
    ]);
  });
});

describe("growTree", () => {
  it("inserts a fix below its task and the fixes that task has", () => {
    const events = [inserted("1.2", "1.2.2", 1), inserted("1.2.2", "1.2.2.1", 1), inserted("1.2", "1.2.3", 2)];
    expect(outline(events)).toEqual(["1.1", "1.2", "-1.2.2", "--1.2.2.1", "-1.2.3", "1.2.1", "1.3"]);
  });

  it("inserts at the end, and a fix only once", () => {
    const events = [inserted("1.3", "1.3.1", 1), inserted("1.3", "1.3.1", 1)];
    expect(outline(events)).toEqual(["1.1", "1.2", "1.2.1", "1.3", "-1.3.1"]);
  });

  it("follows a task through its attempts", () => {
    const seen = recovery.map((_, index) => {
      const row = grow(recovery.slice(0, index + 1)).find(({ id }) => id === "1.2");
      return `${row?.state} ${row?.note}`.trim();
    });
    expect([...new Set(seen)]).toEqual([
      "open",
      "running attempt 1",
      "failed File not found: src/parser.ts",
      "running attempt 2",
      "failed rejected by checkmarks: checkmark mismatch: expected 1.1, found 1.1, 1.3",
      "running attempt 3",
      "passed 3 attempts, 1 fix",
    ]);
  });

  it("leaves nothing running at the end", () => {
    expect(grow([delegated("1.2", 1), ended()]).map(({ state }) => state)).toEqual(["passed", "open", "open", "open"]);
  });

  it("is not changed by what is not about a task", () => {
    expect(grow([started(), notice("x")])).toEqual(plantTree(tasks));
  });
});
