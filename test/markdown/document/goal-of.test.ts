import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { goalOf } from "../../../src/markdown/document/around-task.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { plans } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const goalIn = (text: string, phase: string | null): string => goalOf(openPlan(text), phase);

describe("goalOf", () => {
  const plan = lines(
    "# Tasks: digest",
    "",
    "Everything that is sent.",
    "",
    "## Phase 1: Store",
    "",
    "> Events are **kept** as they come.",
    "Nothing is lost.",
    "",
    "- [ ] 1.1 One",
    "  - **Do**: x",
    "",
    "That was the first.",
    "",
    "- [ ] 1.2 Two",
    "",
    "## Phase 2: Send",
    "- [ ] 2.1 One",
  );

  it("is the text between a heading and the first task below it", () => {
    expect(goalIn(plan, "Phase 1: Store")).toBe("> Events are **kept** as they come.\nNothing is lost.");
    expect(goalIn(plan.replaceAll("\n", "\r\n"), "Phase 1: Store")).toBe(
      "> Events are **kept** as they come.\nNothing is lost.",
    );
  });

  it("begins after the heading, not at a line with the same text", () => {
    expect(goalIn(lines("## Phase 1: A", "", "In Phase 1: A we begin.", "", "- [ ] 1.1 One"), "Phase 1: A")).toBe(
      "In Phase 1: A we begin.",
    );
    const twoLines = lines("About Two lines", "", "Two", "lines", "===", "", "Text.", "", "- [ ] 1.1 One");
    expect(goalIn(twoLines, "Two lines")).toBe("Text.");
    expect(goalIn(twoLines.replace("About Two lines", "About\n\nTwo lines."), "Two lines")).toBe("Text.");
  });

  it.each([
    ["if there is no text", "Phase 2: Send"],
    ["above the first heading", null],
    ["of a missing heading", "Phase 3"],
  ])("is empty %s", (_, phase) => {
    expect(goalIn(plan, phase)).toBe("");
  });

  it("ends before the next heading of a phase", () => {
    const text = lines(
      "## A",
      "",
      "First.",
      "",
      "### B",
      "",
      "Second.",
      "",
      "- [ ] 1.1 One",
      "## C",
      "Third.",
      "",
      "- [ ] 2",
    );
    const { phases } = openPlan(text).plan;
    expect(phases.map(({ title }) => [title, goalIn(text, title)])).toEqual(
      phases.map(({ title }) => [title, { A: "First.", B: "Second.", C: "Third." }[title]]),
    );
  });

  it("is at most 2000 characters long", () => {
    const text = lines("## A", "", "word ".repeat(1000), "", "- [ ] 1.1 One");
    expect(goalIn(text, "A")).toHaveLength(2000);
    expect("word ".repeat(1000).startsWith(goalIn(text, "A"))).toBe(true);
  });

  it("is found in plans of known tools", () => {
    const text = readFileSync(new URL("../plans/spec-kit.md", import.meta.url), "utf8");
    const goals = openPlan(text).plan.phases.map(({ title }) => goalIn(text, title));
    expect(goals.filter((goal) => goal.startsWith("**Goal**") || goal.startsWith("**Purpose**"))).not.toEqual([]);
    expect(goals.join("\n")).not.toMatch(/^- \[[ xX]\] T0/m);
  });

  prop("contains no box of a counted task, in every plan", [plans], (text) => {
    const { plan: read, text: whole } = openPlan(text);
    for (const { title } of read.phases) {
      const goal = goalIn(text, title);
      expect(goal.length).toBeLessThanOrEqual(2000);
      for (const { start, box } of read.tasks) {
        const line = whole.slice(start, box + 2);
        if (line.length > 6) expect(goal.split("\n")).not.toContain(line);
      }
    }
  });
});
