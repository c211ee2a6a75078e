import { describe, expect, it } from "vitest";
import { aroundTask } from "../../../src/markdown/document/around-task.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";

const around = (phase: string | null, ...lines: readonly string[]) => aroundTask(openPlan(lines.join("\n")), { phase });

describe("aroundTask", () => {
  it("finds the checkpoint after the last task of a phase", () => {
    const plan = [
      "## Phase 1: A",
      "- [ ] T001 One",
      "### More",
      "- [ ] T002 Two",
      "",
      "**Checkpoint**: A works  ",
      "Not this.",
      "> **Independent Test**: Try it",
      "## Phase 2: B",
      "- [ ] T003 Three",
      "",
      "**Checkpoint**: B works",
    ];
    expect(around("Phase 1: A", ...plan)).toEqual({
      checkpoint: "**Checkpoint**: A works\n> **Independent Test**: Try it",
    });
    expect(around("Phase 2: B", ...plan)).toEqual({ checkpoint: "**Checkpoint**: B works" });
    expect(around("Phase 3", ...plan)).toEqual({});
  });

  it("finds the status and the acceptance criteria of a story", () => {
    const plan = [
      "Status: ready",
      "",
      "## Acceptance Criteria",
      "",
      "1. One",
      "2. Two",
      "",
      "## Tasks",
      "- [ ] Task 1: A",
    ];
    expect(around("Tasks", ...plan)).toEqual({ status: "ready", criteria: "1. One\n2. Two" });
    expect(around("Tasks", "**Status:** done ", "Status: other", ...plan.slice(-2))).toEqual({ status: "done" });
  });

  it("finds no status that comes before the first task", () => {
    expect(around(null, "- [ ] 1 A", "", "Status: done")).toEqual({});
    expect(around(null, "Nothing")).toEqual({});
  });
});
