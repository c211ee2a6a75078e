import { describe, expect, it } from "vitest";
import { lintPlan } from "../../../src/markdown/lint-plan.ts";

const unknown = (...lines: readonly string[]): string[] =>
  lintPlan(lines.join("\n")).flatMap(({ rule, line, message }) =>
    rule === "unknown-dependency" ? [`${line} ${message}`] : [],
  );

describe("findUnknownDependencies", () => {
  it("reports an id that no task has", () => {
    expect(unknown("- [ ] T001 A", "- [ ] T002 B (depends on T001, T099)")).toEqual([
      "2 Task `T002` depends on `T099`, which is not in the plan: the dependency has no effect",
    ]);
    expect(unknown("- [ ] 1.1 A", "  - _Depends: 1.9_", "- [ ] 1.2 B")).toHaveLength(1);
  });

  it.each([
    ["known ones", ["- [ ] T001 A", "- [ ] T002 B (depends on T001)", "- [ ] T003 C (depends on T001-T002)"]],
    ["done tasks", ["- [ ] T001 A", "- [x] T002 B (depends on T099)"]],
    ["ids of another form", ["- [ ] T001 A (depends on zod4, v2.1, 3 packages)"]],
    ["itself", ["- [ ] T001 A (depends on T001)"]],
  ])("reports nothing for %s", (_, lines) => {
    expect(unknown(...lines)).toEqual([]);
  });
});
