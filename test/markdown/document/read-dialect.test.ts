import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/markdown/dialects/dialects.ts";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";

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
    ["nested numbers on one level", ["- [ ] 1. One", "- [ ] 1.1 Inner", "- [ ] 2. Two"], "cc-sdd"],
    ["the mark of cc-sdd for parallel tasks", ["- [ ] 1. (P) One", "- [ ] 2. Two"], "cc-sdd"],
    ["a boundary", ["- [ ] 1. One\n  - _Boundary: api_", "- [ ] 2. Two"], "cc-sdd"],
    ["whole numbers alone", ["- [ ] 1. One", "- [ ] 2. Two"], "checklist"],
    ["whole numbers below the title of Kiro", ["# Implementation Plan: It", "- [ ] 1 One", "- [ ] 2 Two"], "kiro"],
    ["the title of Kiro as a deeper heading", ["## Implementation Plan", "- [ ] 1 One", "- [ ] 2 Two"], "checklist"],
    ["whole numbers with requirements", ["- [ ] 1. One\n  - _Requirements: 1.2_", "- [ ] 2. Two"], "kiro"],
    ["requirements in Chinese", ["- [x] 1. 一\n  - _需求: 2.1_", "- [x] 2. 二"], "kiro"],
    [
      "the number of a heading in Chinese",
      ["## 任务 1：规则", "- [x] 1.1 一", "## 任务 2：输出", "- [x] 2.1 二"],
      "kiro",
    ],
    ["the number of another heading in Chinese", ["## 任务 1：规则", "- [x] 2.1 一", "- [x] 2.2 二"], "checklist"],
    ["ids of initials", ["- [ ] `tdg-1` One", "  - [ ] `tdg-1.1` Inner", "- [ ] `tdg-2` Two"], "openspec"],
    [
      "boxes below numbered headings",
      ["## 1. Core", "- [ ] One", "- [ ] Two", "## 2. Docs", "- [ ] Three"],
      "openspec",
    ],
    ["boxes below deeper numbered headings", ["## A", "### 1. Core", "- [ ] One", "- [ ] Two"], "checklist"],
    ["headings with steps", ["### Task 1: One", "- [ ] **Step 1: Do it**", "- [ ] **Step 2: Commit**"], "superpowers"],
    ["headings with other boxes", ["### Task 1: One", "- [ ] Do it", "- [ ] Commit"], "superpowers"],
    ["headings below the heading of BMAD", ["## Tasks / Subtasks", "### Task 1: One", "- [ ] Do it"], "bmad"],
    [
      "numbered sub-tasks below the heading of BMAD",
      ["## Tasks / Subtasks", "- [ ] Task 1: One (AC: 1)", "  - [ ] 1.1 A", "  - [ ] 1.2 B"],
      "bmad",
    ],
    ["tasks without numbers below the heading of BMAD", ["## Tasks / Subtasks", "- [ ] One (AC: 1)"], "bmad"],
    ["acceptance criteria of tasks without numbers", ["- [ ] One (AC: 1)", "- [ ] Two (AC: 2)"], "bmad"],
    ["the number of a heading", ["## Task 1: Core", "- [ ] 1.1 One", "## Task 2: Docs", "- [ ] 2.1 Two"], "kiro"],
    ["acceptance criteria", ["- [ ] Task 1: One (AC: #1, 2)", "  - [ ] Do it", "- [ ] Task 2 (AC: 3)"], "bmad"],
    ["the heading of BMAD", ["## Tasks / Subtasks", "- [ ] Task 1: One", "- [ ] Task 2: Two"], "bmad"],
    ["numbered tasks alone", ["- [ ] Task 1: One", "- [ ] Task 2: Two"], "checklist"],
    ["elements", ['<task type="auto">', "<name>It</name>", "</task>"], "gsd"],
    ["the end of an element alone", ["- [ ] One", "</task>"], "checklist"],
    [
      "ids with the number of their heading",
      ["## 1. Core", "- [ ] 1.1 One", "## 2. Docs", "- [ ] 2.1 Two"],
      "openspec",
    ],
    [
      "ids with the number of their heading, with parts",
      ["## 1. Core", "- [ ] 1.1 One", "  - [ ] 1.1.1 In", "### More", "- [ ] 1.2 Two"],
      "openspec",
    ],
    ["a number in the words of a heading", ["## Part 1. Core", "- [ ] 1.1 One", "- [ ] 1.2 Two"], "checklist"],
    ["ids with the long number of their heading", ["## 12. Core", "- [ ] 12.1 One", "- [ ] 12.2 Two"], "openspec"],
    ["long whole numbers", ["- [ ] 10 One", "- [ ] 11 Two", "  - [ ] 11.1 Inner"], "kiro"],
    ["numbers after a letter", ["- [ ] V1 One", "- [ ] V2 Two"], "checklist"],
    ["numbers before a letter", ["- [ ] 1a One", "- [ ] 1b Two"], "checklist"],
    ["short numbers after a T", ["- [ ] T1 One", "- [ ] T2 Two"], "checklist"],
    ["longer ids that end like those of spec-kit", ["- [ ] MT001 One", "- [ ] MT002 Two"], "checklist"],
    ["markers that end like a user story", ["- [ ] 1.1 [BUS1] One", "- [ ] 1.2 [BUS2] Two"], "checklist"],
    ["one written id among boxes without", ["- [ ] T001 One", "- [ ] Works", "- [ ] Fits"], "spec-kit"],
    ["ids with the number of another heading", ["## 1. Core", "- [ ] 2.1 One", "- [ ] 2.2 Two"], "checklist"],
  ])("recognizes %s", (_, lines, dialect) => {
    expect(dialectOf(...lines)).toBe(dialect);
  });

  it("does not count fix tasks", () => {
    const fixes = [1, 2, 3].map((n) => `- [ ] 1.${n} [FIX 1] Fix${n === 1 ? fields : ""}`);
    expect(dialectOf("# Implementation Plan", "- [ ] 1. One", ...fixes, "- [ ] 2. Two", "- [ ] 3. Three")).toBe("kiro");
  });

  it("does not count the ids of fix tasks", () => {
    expect(dialectOf("- [ ] T001 One", "- [ ] 9.1 [FIX T001] Repair", "- [ ] 9.2 [FIX T001] Repair")).toBe("spec-kit");
  });

  it("does not count the fields of fix tasks", () => {
    const fixes = ["- [ ] 1.1.1 [FIX 1.1] Repair", "- [ ] 1.1.2 [FIX 1.1] Repair"];
    expect(dialectOf(`- [ ] 1.1 One${fields}`, ...fixes, "- [ ] 1.2 Two", "- [ ] 1.3 Three")).toBe("ralph-specum");
  });

  it("reads the fields of the first 40 tasks", () => {
    const tasks = (from: number, to: number, below = "") =>
      Array.from({ length: to - from + 1 }, (_, n) => `- [ ] 1.${from + n} Task${below}`);
    expect(dialectOf(...tasks(1, 29), ...tasks(30, 40, fields), ...tasks(41, 60))).toBe("ralph-specum");
    expect(dialectOf(...tasks(1, 40), ...tasks(41, 90, fields))).toBe("checklist");
  });

  const fixtures = new URL("../../fixtures/plans-as-written/", import.meta.url);
  const judged = ["", "later/"].flatMap((folder) =>
    readdirSync(new URL(folder, fixtures))
      .map((name) => new URL(`${folder}${name}/`, fixtures))
      .filter((place) => existsSync(new URL("meaning.json", place)))
      .map((place) => [place.href.slice(fixtures.href.length), place] as const),
  );
  const unmarked = ["gsd-02/", "superpowers-03/", "ralphex-02/"];
  const alike = ["headings", "ralphex"];
  const known = new Set(dialects.map(({ name }) => name as string));

  it.each(judged)("returns the dialect that a reader found for %s", (name, place) => {
    const { dialect }: { dialect: string } = JSON.parse(readFileSync(new URL("meaning.json", place), "utf8"));
    const written = alike.includes(dialect) ? "superpowers" : dialect;
    const told = known.has(written) && !unmarked.includes(name) ? written : "checklist";
    expect(dialectOf(readFileSync(new URL("plan.md", place), "utf8"))).toBe(told);
  });
});
