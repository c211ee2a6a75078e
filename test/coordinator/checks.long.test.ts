import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeScript } from "../support/folder.ts";
import { boxes, delegations, read } from "../support/traces.ts";
import { git, runActive, sourceProject, withRepository } from "./fixtures/source-project.ts";

describe.concurrent("--final-verify", () => {
  it("that fails stops the run when all boxes are ticked, and the run resumes once it passes", async () => {
    const project = sourceProject({ plan: "- [ ] 1.1 First\n", script: "made" });
    const stopped = await runActive(project, "--final-verify", "test -e all-green");
    expect(stopped).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(/^ERROR: The final check failed \(exit 1\)/),
    });
    expect(stopped.out).not.toContain("ALL_TASKS_COMPLETE");
    expect(boxes(project)).toEqual(["- [x] 1.1"]);
    expect(existsSync(project.state)).toBe(true);
    writeFileSync(join(project.workspace, "all-green"), "");
    expect(await runActive(project)).toMatchObject({
      exitCode: 0,
      err: "",
      out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/),
    });
    expect(delegations(project)).toEqual(["1.1#1"]);
    expect(existsSync(project.state)).toBe(false);
  });

  it("that passes leaves the run complete", async () => {
    const project = sourceProject({ plan: "- [ ] 1.1 First\n", script: "made" });
    expect(await runActive(project, "--final-verify", "touch looked")).toMatchObject({ exitCode: 0, err: "" });
    expect(existsSync(join(project.workspace, "looked"))).toBe(true);
  });
});

describe.concurrent("--require-commit", () => {
  const writes = 'echo "- learned at $FIXPOINT_KEY" >> "$FIXPOINT_PROGRESS_FILE"';

  it("rejects a claim that leaves the log uncommitted, without a fix task", async () => {
    const script = `${writes}; [ $FIXPOINT_KEY = '1.1#1' ] || git commit -qam note; made`;
    const project = withRepository(sourceProject({ plan: "- [ ] 1.1 First\n", script, progress: "## Learnings\n" }));
    const { exitCode, out } = await runActive(project, "--require-commit", "--recovery-mode");
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining(
        "\nrejected 1.1 by commit: uncommitted spec files detected - task not properly committed",
      ),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    expect(boxes(project)).toEqual(["- [x] 1.1"]);
  });

  it("is off by default", async () => {
    const project = withRepository(
      sourceProject({ plan: "- [ ] 1.1 First\n", script: `${writes}; made`, progress: "## Learnings\n" }),
    );
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1"]);
  });

  it("ignores the coordinator's own writes", async () => {
    const project = withRepository(sourceProject({ plan: "- [ ] 1.1 First\n- [ ] 1.2 Second\n", script: "made" }));
    expect(await runActive(project, "--require-commit")).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(git(project, "log", "--format=%s").trim()).toBe("begin");
  });
});

describe.concurrent("--reviewer-exec", () => {
  const reviewed = (rounds: Record<string, string>, plan = "- [ ] 1.1 First\n") => {
    const project = sourceProject({ plan, script: "made" });
    const cases = Object.entries(rounds).map(([key, text]) => `${key}) printf '${text}\\n';;`);
    writeScript(
      project.workspace,
      "reviewer.sh",
      [
        'echo "$FIXPOINT_ROLE $FIXPOINT_KEY" >> delegations.log',
        'cat > "prompt-$FIXPOINT_ATTEMPT"',
        `case $FIXPOINT_ATTEMPT in ${cases.join(" ")} esac`,
      ].join("\n"),
    );
    return project;
  };
  const reviewing = ["--reviewer-exec", "./reviewer.sh"];

  it("has a finding about the code fixed, and reviews again", async () => {
    const project = reviewed({ "1": "CODE: no test\\nREVIEW_FAIL", "2": "REVIEW_PASS" });
    writeFileSync(join(project.spec, "design.md"), "The design says so\n");
    expect(await runActive(project, "--recovery-mode", ...reviewing)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual([
      "1.1#1",
      "reviewer 1.1#1/review",
      "1.1.1#1",
      "1.1#2",
      "reviewer 1.1#2/review",
    ]);
    expect(read(project.tasks)).toContain("- [x] 1.1.1 [FIX 1.1] Fix: no test\n");
    expect(read(join(project.workspace, "prompt-1"))).toContain("The design says so");
    expect(read(join(project.workspace, "prompt-2"))).toContain("no test");
  });

  it("puts a finding about the spec under Review Suggestions, and continues", async () => {
    const project = reviewed({ "1": "SPEC: the plan forgets Windows\\nREVIEW_FAIL" });
    expect(await runActive(project, ...reviewing)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "reviewer 1.1#1/review"]);
    expect(read(project.progress)).toContain(
      "\n## Review Suggestions\n- Task 1.1: the plan forgets Windows\n\n## Learnings\n",
    );
  });

  it("accepts the task after three rounds, with the remaining findings", async () => {
    const never = "CODE: not good enough\\nREVIEW_FAIL";
    const project = reviewed({ "1": never, "2": never, "3": never });
    expect(await runActive(project, ...reviewing)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).filter((key) => key.startsWith("reviewer"))).toHaveLength(3);
    expect(read(project.progress)).toContain("## Review Suggestions\n- Task 1.1: not good enough\n");
    expect(boxes(project)).toEqual(["- [x] 1.1"]);
  });

  it("reviews at a change of phase, at every fifth task and at the last", async () => {
    const phase = (name: string, ids: readonly string[]): string =>
      `## Phase ${name}\n\n${ids.map((id) => `- [ ] ${id} Task\n`).join("")}\n`;
    const plan = phase("1", ["1.1", "1.2"]) + phase("2", ["2.1", "2.2", "2.3", "2.4", "2.5"]);
    const project = reviewed({ "1": "REVIEW_PASS" }, plan);
    expect(await runActive(project, ...reviewing)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).filter((key) => key.startsWith("reviewer"))).toEqual(
      ["2.1", "2.3", "2.5"].map((id) => `reviewer ${id}#1/review`),
    );
  });
});
