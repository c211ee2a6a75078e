import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, run, runAccepting, runAgain } from "../support/cli-here.ts";
import { onlyFirst, projectWith, twoDone, twoTasks, writeExecutor } from "../support/project.ts";
import { delegations, journalPath, read, recordsOf } from "../support/traces.ts";

/** A fix that fails with something else than it was made for has a fix of its own. */
const worse = "[ $id = 1.1 ] && touch one && made || { [ $id = 1.2 ] && broke 'it is hard' || broke 'it is locked'; }";
const hopeless = ["--recovery-mode", "--max-fix-tasks", "1", "--max-fix-depth", "1"];

describe.concurrent("a run that a limit stopped", () => {
  it("says the same again, without a delegation, as long as Verify still fails", async () => {
    const project = projectWith({ script: worse });
    const first = await run(project, ...hopeless);
    expect(first.exitCode).toBe(1);
    expect(first.err).toMatch(/^ERROR: Max fix task depth \(1\) exceeded for task 1\.2 \(its fix 1\.2\.1\)\n/);
    expect(first.out).not.toContain("ALL_TASKS_COMPLETE");
    expect(read(project.progress)).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: FAIL (max limit)");
    const made = delegations(project);
    const before = [read(project.tasks), read(project.progress), recordsOf(project)];
    const again = await runAgain(project);
    expect({ exitCode: again.exitCode, err: again.err }).toEqual({ exitCode: 1, err: first.err });
    expect(again.out).toContain("\nnotice: 1.2.1 still fails: Verify failed (exit 1)\n");
    expect([read(project.tasks), read(project.progress), recordsOf(project)]).toEqual(before);
    expect(recordsOf(project, 2).map(({ type }) => type)).toEqual(["released"]);
    expect(delegations(project)).toEqual(made);
  });

  it("goes on with the policy it recorded when the limit is raised", async () => {
    const project = projectWith({ script: worse });
    await run(project, ...hopeless);
    writeExecutor(project.workspace, `case $id in 1.2.1.1) touch two;; esac; [ -e two ] && made || { ${worse}; }`);
    const { exitCode, out } = await runAgain(project, "--max-fix-depth", "2");
    expect(read(project.progress)).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS");
    expect(read(project.progress)).not.toContain("Final: FAIL");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/) });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2.1#1", "1.2.1#2", "1.2.1.1#1", "1.2.1#3", "1.2#2"]);
    expect(read(project.tasks).match(/^- \[.\] \S+/gm)).toEqual([
      "- [x] 1.1",
      "- [x] 1.2",
      "- [x] 1.2.1",
      "- [x] 1.2.1.1",
    ]);
  });

  it("says in the log that a person has done what it had stopped", async () => {
    const project = projectWith({ script: worse });
    await run(project, ...hopeless);
    writeFileSync(
      project.tasks,
      read(project.tasks).replace("- [ ] 1.2 ", "- [x] 1.2 ").replace("- [ ] 1.2.1", "- [x] 1.2.1"),
    );
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(read(project.progress)).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: done by hand");
    expect(read(project.progress)).not.toContain("Final: FAIL");
  });

  it("tries a task again behind a fix that a person has done, without another fix", async () => {
    const project = projectWith({ script: worse });
    await run(project, ...hopeless, "--max-task-iterations", "1");
    writeFileSync(project.tasks, read(project.tasks).replace("- [ ] 1.2.1", "- [x] 1.2.1"));
    writeExecutor(project.workspace, "touch two; made");
    const { exitCode } = await runAgain(project);
    expect([exitCode, delegations(project)]).toEqual([0, ["1.1#1", "1.2#1", "1.2.1#1", "1.2#2"]]);
  });

  it("closes the fixes of a task that a person has done and ticked, and delegates none of them", async () => {
    const project = projectWith({ script: worse });
    await run(project, ...hopeless);
    const made = delegations(project);
    writeFileSync(project.tasks, read(project.tasks).replace("- [ ] 1.2 ", "- [x] 1.2 "));
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(delegations(project)).toEqual(made);
    expect(read(project.tasks)).toMatch(/^- \[x\] 1\.2\.1 [\s\S]*\n {2}- \*\*Not needed for\*\*: 1\.2\n/m);
  });

  it("names the time limit that stopped an executor, and its option", async () => {
    const project = projectWith({ script: "sleep 60" });
    const { exitCode, out, err } = await run(project, "--task-timeout", "300ms", "--max-task-iterations", "1");
    expect({ exitCode, out }).toEqual({
      exitCode: 1,
      out: expect.stringContaining("failed 1.1: Stopped after 300ms (--task-timeout)\n"),
    });
    expect(err).toMatch(
      /^ERROR: Max retries reached for task 1\.1 after 1 attempt\nLast error: Stopped after 300ms \(--task-timeout\)\n/,
    );
    const silent = projectWith({ script: "sleep 60" });
    const idle = await run(silent, "--idle-timeout", "300ms", "--max-task-iterations", "1");
    expect(idle.out).toContain("failed 1.1: Stopped after 300ms without output (--idle-timeout)\n");
  });

  it("goes on with the text that a person gave the plan", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, ...hopeless);
    writeFileSync(project.tasks, read(project.tasks).replace("Make two", "Make it easy"));
    writeExecutor(project.workspace, 'touch two; printf \'%s\' "$prompt" | grep -q "Make it easy\\|1.2.1" && made');
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2.1#1", "1.2.1#2", "1.2#2"]);
  });

  it("takes a box that a person ticked for done, and says so", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "1");
    writeFileSync(project.tasks, read(project.tasks).replace("[ ] 1.2", "[x] 1.2"));
    const { exitCode, out } = await runAgain(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Done before this run or by hand: 1 task\n"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });

  it("gives a task another chance when a person changed the plan, and only then", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "2");
    expect((await runAgain(project)).exitCode).toBe(1);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2"]);
    writeFileSync(project.tasks, read(project.tasks).replace("Make two", "Make it easy"));
    expect((await runAgain(project)).exitCode).toBe(1);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2", "1.2#3", "1.2#4"]);
  });

  it("does a task again whose box a person cleared", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "1");
    writeFileSync(project.tasks, read(project.tasks).replace("[x] 1.1", "[ ] 1.1"));
    writeExecutor(project.workspace, "touch two; made");
    expect((await runAgain(project, "--max-task-iterations", "2")).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.1#2", "1.2#2"]);
  });

  it("asks for consent to a Verify command that a person wrote", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "1");
    writeFileSync(project.tasks, read(project.tasks).replace("test -e two", "touch two"));
    const asked = await run(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("  Verify: touch two\n") });
    writeExecutor(project.workspace, "made");
    expect((await runAccepting(project, asked)).exitCode).toBe(0);
  });

  it("spends its global iterations across starts", async () => {
    const project = projectWith({ script: onlyFirst });
    const first = await run(project, "--max-global-iterations", "3");
    expect(first).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /^ERROR: Maximum global iterations \(3\) reached\nAllow as much again: fixpoint run spec --max-global-iterations 6\n/,
      ),
    });
    expect((await runAgain(project, "--max-global-iterations", "4")).err).toMatch(/\(4\) reached/);
    expect(delegations(project)).toHaveLength(4);
  });
});

describe.concurrent("a plan that is done", () => {
  it("is complete again without a delegation, and without consent, which nothing needs", async () => {
    const project = projectWith();
    const first = await run(project);
    expect(first).toMatchObject({ exitCode: 0, err: "", out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/) });
    const plan = read(project.tasks);
    const progress = read(project.progress);
    const second = await runAgain(project);
    expect(second).toMatchObject({ exitCode: 0, err: "", out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/) });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect([read(project.tasks), read(project.progress)]).toEqual([plan, progress]);
    expect(existsSync(project.state)).toBe(false);
    expect(second.out).toContain("\nnotice: spec is complete: no task is open\n");
    expect(second.out).toContain("\nDelegations: 2\n");
    expect(existsSync(journalPath(project, 1, 2))).toBe(false);
    expect((await call(project, "resume", "spec")).exitCode).toBe(0);
  });

  it("asks for consent when a task was opened whose Verify nobody agreed to", async () => {
    const project = projectWith({ plan: twoDone });
    expect((await runAgain(project)).exitCode).toBe(0);
    writeFileSync(project.tasks, twoTasks);
    expect((await runAgain(project)).exitCode).toBe(2);
  });

  it("counts anew when a task is added to it", async () => {
    const project = projectWith();
    await run(project, "--max-global-iterations", "2");
    writeFileSync(project.tasks, `${read(project.tasks)}- [ ] 1.3 Third\n`);
    const { exitCode, out } = await runAgain(project, "--max-global-iterations", "2");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining("\nDelegations: 1\n") });
  });
});
