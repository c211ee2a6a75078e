import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../support/cli-here.ts";
import { lastingFolder, type Project, projectWith } from "../../support/project.ts";
import { delegations } from "../../support/traces.ts";

const climbing = ["--escalation", "--stuck-after-same-errors", "1"];
const stuck = (): Project => projectWith({ plan: "- [ ] 1.1 Make it\n", script: "broke it" });

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const recovery = (...lines: readonly string[]): string =>
  `failure_recovery:\n${lines.map((line) => `  ${line}\n`).join("")}`;

describe.concurrent("the limits in state.yaml", () => {
  it.each([
    ["next to the plan", "spec/state.yaml"],
    ["in the workspace", "state.yaml"],
    ["at the source's path", ".claude/smart-ralph/state.yaml"],
  ])("apply to a run that finds the file %s", async (_, path) => {
    const project = stuck();
    put(project.workspace, path, recovery("max_pivot_attempts: 1", "max_research_attempts: 2"));
    const { exitCode, err } = await run(project, ...climbing);
    expect(exitCode).toBe(3);
    expect(err).toContain("After 4 failed attempts on task 1.1,");
    expect(err).toContain("- 1 pivot attempt (different approaches)\n- 2 research attempts (");
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.1#4"]);
  });

  it("end the climb at the total, whatever else the file contains", async () => {
    const project = stuck();
    const others = ["max_total_attempts: 2", "pivot_count: often", "max_patience: 9"];
    put(project.workspace, "spec/state.yaml", `phase: [EXECUTE]\n${recovery(...others)}`);
    expect((await run(project, ...climbing)).exitCode).toBe(3);
    // The total of 2 excludes the attempt before the first pivot.
    expect(delegations(project)).toHaveLength(3);
  });

  it("yield to options and settings of fixpoint, and the file of the workspace yields to that of the spec", async () => {
    const project = stuck();
    put(project.workspace, "spec/state.yaml", recovery("max_pivot_attempts: 2", "max_research_attempts: 9"));
    put(project.workspace, "state.yaml", recovery("max_pivot_attempts: 9", "max_total_attempts: 1"));
    put(project.workspace, "fixpoint.config.json", '{ "maxResearchAttempts": 1 }');
    expect((await run(project, ...climbing, "--max-pivot-attempts", "0")).exitCode).toBe(3);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
  });

  it("are read from the next place if a file of that name is about something else", async () => {
    const project = stuck();
    put(project.workspace, "spec/state.yaml", "a: [\n");
    put(project.workspace, "state.yaml", "one: 1\n---\ntwo: 2\n");
    put(project.workspace, ".claude/smart-ralph/state.yaml", recovery("max_total_attempts: 1"));
    expect((await run(project, ...climbing)).exitCode).toBe(3);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
  });

  it.each([
    [
      recovery("max_pivot_attempts: many"),
      "`failure_recovery.max_pivot_attempts`, expected a whole number of at least 0 (line 2)",
    ],
    [
      recovery("max_total_attempts: 0"),
      "`failure_recovery.max_total_attempts`, expected a whole number of at least 1 (line 2)",
    ],
    [`a: [\n${recovery()}`, "YAML: "],
  ])("are refused before any action if they are invalid: %j", async (text, reason) => {
    const project = stuck();
    put(project.workspace, "state.yaml", text);
    const { exitCode, out, err } = await run(project, ...climbing);
    expect({ exitCode, out, delegations: delegations(project) }).toEqual({ exitCode: 2, out: "", delegations: [] });
    expect(err).toContain(`ERROR: Cannot use \`${join(project.workspace, "state.yaml")}\`: ${reason}`);
    expect(err).toContain("\nFix it, or remove it to use only the options of fixpoint\n");
  });

  it("are not read through a link out of the workspace", async () => {
    const project = stuck();
    const elsewhere = lastingFolder();
    put(elsewhere, "state.yaml", recovery("max_total_attempts: 1"));
    symlinkSync(join(elsewhere, "state.yaml"), join(project.workspace, "state.yaml"));
    expect(await run(project, ...climbing)).toMatchObject({
      exitCode: 5,
      err: expect.stringContaining("expected a file inside the workspace, not a link out of it"),
    });
  });
});
