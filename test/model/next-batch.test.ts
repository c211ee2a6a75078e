import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import { nextBatch } from "../../src/model/next-batch.ts";

const batchOf = (markdown: string, sequential: string[] = []) =>
  nextBatch(readPlan(markdown), new Set(sequential))?.map(({ root, current }) => [root, current]) ?? null;

describe("nextBatch", () => {
  it("is the open ones of consecutive [P] tasks", () => {
    const plan = "- [x] 1.1 [P] A\n- [ ] 1.2 [P] B\n- [x] 1.3 [P] C\n- [ ] 1.4 [P] D\n- [ ] 1.5 E\n- [ ] 1.6 [P] F\n";
    expect(batchOf(plan)).toEqual([
      ["1.2", "1.2"],
      ["1.4", "1.4"],
    ]);
  });

  it.each([
    ["one alone", "- [ ] 1.1 [P] A\n- [ ] 1.2 B\n"],
    ["one beside a [VERIFY] task", "- [ ] 1.1 [P] A\n- [ ] 1.2 [VERIFY] [P] B\n"],
    ["one that another phase follows", "## Phase 1: X\n\n- [ ] 1.1 [P] A\n\n## Phase 2: Y\n\n- [ ] 2.1 [P] B\n"],
    ["an unmarked one first", "- [ ] 1.1 A\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n"],
    ["none open", "- [x] 1.1 [P] A\n- [x] 1.2 [P] B\n"],
    ["one that holds sub-tasks", "- [ ] 1.1 [P] A\n  - [ ] 1.1.1 Part\n- [ ] 1.2 [P] B\n"],
    [
      "one before another that holds done ones",
      "- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n  - [x] 1.2.1 Part\n- [ ] 1.3 [P] C\n",
    ],
    ["one in another task", "- [x] 1 A\n  - [ ] 1.1 [P] B\n- [ ] 2 [P] C\n"],
    ["a fix of a done task", "- [x] 1.1 A\n- [ ] 1.1.1 [FIX 1.1] [P] Fix\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n"],
  ])("is none for %s", (_, plan) => {
    expect(batchOf(plan)).toBeNull();
  });

  it("goes over fix tasks, and goes on at the deepest open one of each member", () => {
    const plan = [
      "- [ ] 1.1 [P] A",
      "- [x] 1.1.1 [FIX 1.1] Fix",
      "- [ ] 1.2 [P] B",
      "- [ ] 1.2.1 [FIX 1.2] Fix",
      "- [ ] 1.2.1.1 [FIX 1.2.1] Fix",
      "- [ ] 1.20 [P] C",
      "",
    ].join("\n");
    expect(batchOf(plan)).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2.1.1"],
      ["1.20", "1.20"],
    ]);
  });

  it("knows a planned task whose id reads like that of a fix", () => {
    expect(batchOf("- [ ] 1.1.1 [P] A\n- [ ] 1.1 [P] B\n")).toEqual([
      ["1.1.1", "1.1.1"],
      ["1.1", "1.1"],
    ]);
  });

  it("goes on in no tree of another whose id reads like that of a fix", () => {
    const plan = "- [ ] 1.1.1a [P] A\n- [ ] 1.1.1a.1 [FIX 1.1.1a] Fix\n- [ ] 1.1 [P] B\n- [ ] 1.1.1 [FIX 1.1] Fix\n";
    expect(batchOf(plan)).toEqual([
      ["1.1.1a", "1.1.1a.1"],
      ["1.1", "1.1.1"],
    ]);
  });

  it("leaves out tasks that are to be done on their own", () => {
    const plan = "- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n";
    expect(batchOf(plan, ["1.1"])).toBeNull();
    expect(batchOf(plan, ["1.3"])).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2"],
    ]);
  });

  it("takes sub-tasks of one task for a batch, too", () => {
    const plan = "- [ ] 1 A\n  - [ ] 1.1 [P] B\n  - [ ] 1.2 [P] C\n- [ ] 2 D\n";
    expect(batchOf(plan)).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2"],
    ]);
  });
});
