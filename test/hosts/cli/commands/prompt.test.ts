import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callCli } from "../call-cli.ts";
import { workspaceWith } from "../sample-spec.ts";

describe("fixpoint prompt", () => {
  it("shows the prompt of a one-line task with the documents next to the plan, and writes nothing", async () => {
    const workspace = workspaceWith();
    const spec = join(workspace, "specs/demo");
    writeFileSync(join(spec, "tasks.md"), "## Phase 1: Setup\n\n- [ ] 1.1 First\n- [ ] 1.2 Second\n");
    writeFileSync(join(spec, "design.md"), "# Design\n");
    const before = readdirSync(spec, { recursive: true });
    const { out } = await callCli(workspace, ["prompt", "1.2"]);
    expect(out).toContain("Task: Execute task 1.2 for spec demo");
    expect(out).toContain("Below the heading: Phase 1: Setup");
    expect(out).toContain("Documents beside tasks.md; read what is relevant to this task: design.md");
    expect(out).toContain("1. Do everything that the task says\n");
    expect(JSON.parse((await callCli(workspace, ["prompt", "1.2", "--json"])).out)).toEqual({
      task: "1.2",
      prompt: out,
    });
    expect(readdirSync(spec, { recursive: true })).toEqual(before);
  });

  it("refuses a task that is not in the plan", async () => {
    await expect(callCli(workspaceWith(), ["prompt", "9.9"])).rejects.toMatchObject({ code: "task-not-found" });
  });
});
