import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/effects/context-of.ts";
import { openPlan } from "../../src/markdown/document/plan-document.ts";

const plan = openPlan(
  ["# Plan", "", "The goal.", "", "- [ ] 1. Build", "  - [ ] 1.1 Core", "    - [ ] 1.1.1 Parser", ""].join("\n"),
);
const documents = { artifact: async (name: string) => (name === "design.md" ? "text" : null) };

describe("contextOf", () => {
  it("finds what stands around a task, and the documents that are there", async () => {
    expect(await contextOf(documents, plan, "1.1.1")).toEqual({
      phase: "Plan",
      goal: "The goal.",
      groups: ["1 Build", "1.1 Core"],
      documents: [{ name: "design.md", text: "text" }],
    });
  });

  it("takes a part for the task that it is a part of, and knows nothing of one that has gone", async () => {
    expect((await contextOf(documents, plan, "1.1~2")).groups).toEqual(["1 Build"]);
    expect(await contextOf(documents, plan, "9")).toMatchObject({ phase: null, goal: "", groups: [] });
  });

  it("ends where a task has the id of the one that it stands in", async () => {
    const twice = openPlan("- [ ] 1 A\n  - [ ] 1 B\n    - [ ] 2 C\n");
    expect((await contextOf(documents, twice, "2")).groups.length).toBeLessThan(9);
  });
});
