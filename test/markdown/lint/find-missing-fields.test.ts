import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findMissingFields } from "../../../src/markdown/lint/find-form-problems.ts";

const told = (text: string) =>
  findMissingFields(readPlan(text)).map(({ rule, line, message }) => [rule, line, message]);

describe("findMissingFields", () => {
  it("requires of verification tasks what proves them done", () => {
    const other = "- [ ] 1.2 Two\n  - **Do**: a\n  - **Files**: b\n  - **Done when**: c\n  - **Verify**: `d`\n";
    expect(told(`- [ ] 1.1 [VERIFY] One\n  - **Do**: a\n${other}`)).toEqual([
      ["missing-field", 1, "Task `1.1` has no Done when, Verify, as other tasks have"],
    ]);
  });

  it("requires no field that no task of the plan has, as in the plan of README.md", () => {
    expect(told("- [ ] 1.3 Add the parser\n  - **Verify**: `npm test`\n")).toEqual([]);
    expect(told("- [ ] 1.1 One\n  - **Verify**: `a`\n- [ ] 1.2 Two\n  - **Verify**: `b`\n")).toEqual([]);
  });

  it("names a missing field in its hint, with an example", () => {
    const text = "- [ ] 1.1 One\n  - **Do**: a\n  - **Verify**: `b`\n- [ ] 1.2 Two\n  - **Verify**: `c`\n";
    expect(findMissingFields(readPlan(text)).map(({ hint }) => hint)).toEqual([
      "Add a line below the task, such as `  - **Do**: Write the parser`.",
    ]);
  });

  it.each([
    ["ralph-specum", "- [ ] 1.1 One\n  - **Do**: a\n", 1],
    ["spec-kit", "- [x] T001 [P] [US1] One\n- [ ] T002 [US1] Two\n", 2],
    ["kiro", "- [ ] 1. One\n  - [ ] 1.1 Two\n", 2],
    ["a checklist", "- [ ] One (optional)\n- [ ] Two\n", 2],
    ["done tasks", "- [x] One\n- [x] Two\n", 1],
  ])("reports once for a plan of %s that no task has a Verify", (_, text, line) => {
    expect(told(text)).toEqual([
      ["no-verify", line, "No task has a Verify: a task counts as done when its executor says so"],
    ]);
  });

  it("reports nothing for a plan without a task", () => {
    expect(told("# Plan\n")).toEqual([]);
  });
});
