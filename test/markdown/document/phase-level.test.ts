import { describe, expect, it } from "vitest";
import { phaseLevel } from "../../../src/markdown/document/place-tasks.ts";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";

const levelOf = (...lines: readonly string[]): number | null =>
  phaseLevel(
    lines.map((line, index) => {
      const [marks = "", ...words] = line.split(" ");
      return { title: words.join(" "), level: marks.length, start: index, line: index };
    }),
  );

describe("phaseLevel", () => {
  it.each([
    [[], null],
    [["# Tasks", "## Overview", "## Notes"], null],
    [["# Tasks", "## Phase 1: Setup", "### Tests", "## Phase 2: Core"], 2],
    [["# Tasks", "## Tasks", "### Phase 0: Base", "#### Task 0.1", "### Phase 1: Core"], 3],
    [["# Tasks", "## Phase 1: Only", "### Tests"], 2],
    [["## PHASE A - Tidy", "## phase b: Core"], 2],
    [["## **Phase 1**: Setup", "## 🚀 Phase 2: Core"], 2],
    [["# Tasks", "## 1. Setup", "### Notes", "## 2. Core"], 2],
    [["# 12. A feature", "## 1. Setup", "## 2. Core"], 2],
    [["## 1) Setup", "## 2) Core"], 2],
    [["## Backend", "### 1. Schema", "### 2. Endpoints", "## Frontend", "### 3. Screens"], 3],
  ])("of %j is %j", (lines, level) => {
    expect(levelOf(...lines)).toBe(level);
  });

  it.each([
    [
      "a summary before the phases",
      ["### Phase 1: Short", "### Phase 2: Short", "## Phase 1: Long", "## Phase 2: Long"],
    ],
    [
      "parts of a phase",
      ["## Phase 1: A", "### Phase 1.1: B", "### Phase 1.2: C", "### Phase 1.3: D", "## Phase 2: E"],
    ],
    ["one heading above that looks like one", ["## Phase 1: A", "## Phase 2: B", "# Phase 4: code", "## Phase 3: C"]],
    ["numbered headings inside", ["## Phase 1: A", "### 1. Flow", "### 2. Flow", "## Phase 2: B", "### 1. Flow"]],
    ["headings about phases", ["### Phase Dependencies", "## Phase 1: A", "## Phase 2: B"]],
  ])("is not changed by %s", (_, lines) => {
    expect(levelOf(...lines)).toBe(2);
  });

  it("does not treat deep numbered sections as phases", () => {
    expect(levelOf("## 1.1 First", "## 1.2 Second")).toBeNull();
  });
});

describe("phases of a plan", () => {
  it("continue below deeper headings", () => {
    const text = [
      "# Tasks\n\n- [ ] 0.1 None\n",
      "## Phase 1: Setup\n\n- [ ] 1.1 One\n\n### Tests\n\n- [ ] 1.2 Two\n",
      "## Phase 2: Core\n\n### Tests\n\n- [ ] 2.1 Three\n\n## Notes\n\n- [ ] 3.1 Four\n",
    ].join("\n");
    const phases = ["Tasks", "Phase 1: Setup", "Phase 1: Setup", "Phase 2: Core", "Notes"];
    expect(readPlan(text).tasks.map(({ phase }) => phase)).toEqual(phases);
    expect(readPlan(text).phases.map(({ title, tasks }) => [title, tasks])).toEqual([
      ["Tasks", ["0.1"]],
      ["Phase 1: Setup", ["1.1", "1.2"]],
      ["Phase 2: Core", ["2.1"]],
      ["Notes", ["3.1"]],
    ]);
  });

  it("are the nearest headings if none is called a phase", () => {
    const text = "# Tasks\n\n## Core\n\n- [ ] 1 One\n\n### Tests\n\n- [ ] 2 Two\n";
    expect(readPlan(text).tasks.map(({ phase }) => phase)).toEqual(["Core", "Tests"]);
  });
});
