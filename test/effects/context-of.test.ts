import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/effects/context-of.ts";
import { openPlan } from "../../src/markdown/document/plan-document.ts";

const plan = openPlan(
  ["# Plan", "", "The goal.", "", "- [ ] 1. Build", "  - [ ] 1.1 Core", "    - [ ] 1.1.1 Parser", ""].join("\n"),
);
const documents = { artifact: async (name: string) => (name === "design.md" ? "text" : null) };

describe("contextOf", () => {
  it("returns the neighbours of a task, and the existing documents", async () => {
    expect(await contextOf(documents, plan, "1.1.1")).toEqual({
      phase: "Plan",
      goal: "The goal.",
      groups: ["1 Build", "1.1 Core"],
      documents: [{ name: "design.md", text: "text" }],
    });
  });

  it("uses the whole task for a part, and returns nothing for a task that is gone", async () => {
    expect((await contextOf(documents, plan, "1.1~2")).groups).toEqual(["1 Build"]);
    expect(await contextOf(documents, plan, "9")).toMatchObject({ phase: null, goal: "", groups: [] });
  });

  it("terminates if a task has the id of its parent", async () => {
    const twice = openPlan("- [ ] 1 A\n  - [ ] 1 B\n    - [ ] 2 C\n");
    expect((await contextOf(documents, twice, "2")).groups.length).toBeLessThan(9);
  });
});
