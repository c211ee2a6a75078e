import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/read-plan.ts";

const dialectOf = (...lines: readonly string[]): string => readPlan(lines.join("\n")).dialect;
const fields = "\n  - **Do**: it\n  - **Verify**: `true`";

describe("readDialect", () => {
  it.each([
    ["nothing", ["# Notes"], "checklist"],
    ["boxes without ids", ["- [ ] Buy milk", "- [x] Buy bread"], "checklist"],
    ["ids that repeat no heading", ["## Phase 1", "- [ ] 1.1 One", "- [ ] 1.2 Two"], "checklist"],
    ["lists of files alone", ["- [ ] One\n  - **Files**: a.ts", "- [ ] Two\n  - **Files**: b.ts"], "checklist"],
    ["fields", ["## Phase 1", `- [ ] 1.1 One${fields}`, `- [ ] V2 [VERIFY] Two${fields}`], "ralph-specum"],
    [
      "fields below numbered headings",
      ["## 1. Core", `- [ ] 1.1 One${fields}`, `- [ ] 1.2 Two${fields}`],
      "ralph-specum",
    ],
    ["fields of some tasks", [`- [ ] 1.1 One${fields}`, "- [ ] Works", "- [ ] Fits"], "ralph-specum"],
    [
      "a field or two in a checklist",
      [`- [ ] One${fields}`, ...["Two", "Three", "Four"].map((t) => `- [ ] ${t}`)],
      "checklist",
    ],
    ["ids of spec-kit", ["- [ ] T001 [P] One", "- [ ] T002 [US1] Two", "- [ ] Check"], "spec-kit"],
    ["bold ids of spec-kit with fields", [`- [ ] **T001** One${fields}`, `- [ ] **T002** Two${fields}`], "spec-kit"],
    ["user stories", ["- [ ] 1 [US1] One", "- [ ] 2 [P] [US2] Two"], "spec-kit"],
    ["nested numbers", ["- [ ] 1. One", "  - [ ] 1.1 Inner", "  - [ ]* 1.2 Tests", "- [ ] 2. Two"], "kiro"],
    ["such numbers side by side", ["- [ ] 1. One", "- [ ] 1.1 Inner", "- [ ] 2. Two"], "kiro"],
    ["whole numbers", ["- [ ] 1. One", "- [ ] 2. Two"], "kiro"],
    [
      "ids with the number of their heading",
      ["## 1. Core", "- [ ] 1.1 One", "## 2. Docs", "- [ ] 2.1 Two"],
      "openspec",
    ],
    [
      "such ids with parts",
      ["## 1. Core", "- [ ] 1.1 One", "  - [ ] 1.1.1 In", "### More", "- [ ] 1.2 Two"],
      "openspec",
    ],
    ["ids with the number of another heading", ["## 1. Core", "- [ ] 2.1 One", "- [ ] 2.2 Two"], "checklist"],
  ])("tells %s", (_, lines, dialect) => {
    expect(dialectOf(...lines)).toBe(dialect);
  });

  it("does not count fix tasks", () => {
    const fixes = [1, 2, 3].map((n) => `- [ ] 1.${n} [FIX 1] Fix${n === 1 ? fields : ""}`);
    expect(dialectOf("- [ ] 1. One", ...fixes, "- [ ] 2. Two", "- [ ] 3. Three")).toBe("kiro");
  });
});
