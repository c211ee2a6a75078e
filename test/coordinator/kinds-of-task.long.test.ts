import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writeExecutor } from "../support/project.ts";
import { boxes, delegations, read } from "../support/traces.ts";
import { runActive, runUnasked, sourceProject } from "./fixtures/source-project.ts";

const answers = (cases: string): string =>
  `done_() { [ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_PASS || made; }
fails() { [ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_FAIL || broke "$1"; }
case $FIXPOINT_KEY in ${cases} *) done_;; esac`;

const endToEnd = `- [x] 1.1 Build the server
- [ ] VE1 [VERIFY] E2E startup: start the server
- [ ] VE2 [VERIFY] E2E check: ask the server
- [ ] VE3 [VERIFY] E2E cleanup: stop the server
- [ ] 2.1 Write about it
`;

describe.concurrent("VE tasks", () => {
  it("get fix tasks without --recovery-mode, unlike other tasks", async () => {
    const project = sourceProject({ plan: endToEnd, script: answers("VE2\\#1|2.1\\#1) fails it;;") });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["VE1#1", "VE2#1", "VE2.1#1", "VE2#2", "VE3#1", "2.1#1", "2.1#2"]);
    expect(read(project.tasks)).toContain("- [x] VE2.1 [FIX VE2] Fix: ");
  });

  it("without attempts left are cleaned up afterwards, then the run stops with the cleanup's box open", async () => {
    const project = sourceProject({ plan: endToEnd, script: answers("VE2\\#*) fails it;;") });
    const stopped = await runActive(project, "--max-fix-tasks", "1");
    expect(stopped).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Max fix attempts \(1\) reached for task VE2\nFix attempts: VE2\.1\n/),
    });
    expect(stopped.out).not.toContain("ALL_TASKS_COMPLETE");
    const made = ["VE1#1", "VE2#1", "VE2.1#1", "VE2#2", "VE3#1"];
    expect(delegations(project)).toEqual(made);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] VE1", "- [ ] VE2", "- [x] VE2.1", "- [ ] VE3", "- [ ] 2.1"]);

    writeExecutor(project.workspace, answers(""));
    expect(await runActive(project, "--max-fix-tasks", "2")).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(made.length)).toEqual(["VE2#3", "VE3#2", "2.1#1"]);
  });

  it("stop the run at once if their cleanup fails", async () => {
    const project = sourceProject({ plan: endToEnd, script: answers("VE[23]\\#*) fails it;;") });
    expect(await runActive(project, "--max-fix-tasks", "1")).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("ERROR: Max fix attempts (1) reached for task VE2"),
    });
    expect(delegations(project)).toEqual(["VE1#1", "VE2#1", "VE2.1#1", "VE2#2", "VE3#1"]);
    expect(boxes(project)).not.toContain("- [ ] VE3.1");
  });

  it("do not repeat a cleanup that is itself out of attempts", async () => {
    const plan = "- [ ] VE3 [VERIFY] E2E cleanup: stop the server\n- [ ] 2.1 Write about it\n";
    const project = sourceProject({ plan, script: answers("VE3\\#*) fails it;;") });
    expect((await runActive(project, "--max-fix-tasks", "0")).exitCode).toBe(1);
    expect(delegations(project)).toEqual(["VE3#1"]);
  });
});

describe.concurrent("a [FINALLY] task", () => {
  const plan = "- [ ] 1.1 Fill the database\n- [ ] 1.2 Look\n- [ ] 1.3 [FINALLY] Empty the database\n";

  it("runs after a limit has stopped the run, and stays open", async () => {
    const project = sourceProject({ plan, script: answers("1.1\\#*) fails it;;") });
    expect(await runActive(project, "--max-task-iterations", "2")).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Max retries reached for task 1\.1 after 2 attempts\n/),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.3#1"]);
    expect(boxes(project)).toEqual(["- [ ] 1.1", "- [ ] 1.2", "- [ ] 1.3"]);
  });

  it("is a task like any other if nothing has stopped the run", async () => {
    const project = sourceProject({ plan, script: answers("") });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.3#1"]);
  });
});

describe.concurrent("a VF task", () => {
  const plan = "- [ ] VF [VERIFY] Goal verification: the bug is gone\n";
  const before =
    "# Progress\n\n## Reality Check (BEFORE)\n**Reproduction command**: `test -e gone`\n**Exit code**: 1\n";
  const script = answers("");

  it("fails without a Reality Check (BEFORE)", async () => {
    const project = sourceProject({ plan, script });
    expect(await runActive(project, "--max-task-iterations", "1")).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("Last error: no Reality Check (BEFORE) with a command in .progress.md"),
    });
    expect(read(project.progress)).not.toContain("(AFTER)");
    expect(boxes(project)).toEqual(["- [ ] VF"]);
  });

  it("fails while its command still fails, and writes that as Reality Check (AFTER)", async () => {
    const project = sourceProject({ plan, script, progress: before });
    expect(await runActive(project, "--max-task-iterations", "1")).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("Last error: Reality check failed (exit 1)"),
    });
    expect(read(project.progress)).toContain(
      "\n\n## Reality Check (AFTER)\n**Command**: `test -e gone`\n**Exit code**: 1\n**Verdict**: FAIL\n",
    );
  });

  it("passes if its command passes, which replaces the earlier failure", async () => {
    const project = sourceProject({ plan, script, progress: before });
    await runActive(project, "--max-task-iterations", "1");
    writeFileSync(`${project.workspace}/gone`, "");
    expect(await runActive(project, "--max-task-iterations", "2")).toMatchObject({ exitCode: 0, err: "" });
    const progress = read(project.progress);
    expect(progress).toContain("**Verdict**: PASS");
    expect(progress.match(/## Reality Check \(AFTER\)/g)).toHaveLength(1);
  });

  it("needs consent for its command like the Verify commands of the plan", async () => {
    const project = sourceProject({ plan, script, progress: before });
    const { exitCode, err } = await runUnasked(project);
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining("  Reality check: test -e gone\n") });
    expect(delegations(project)).toEqual([]);
  });
});
