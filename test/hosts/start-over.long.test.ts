import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atWork, runUntil } from "../support/cli.ts";
import { call, run, runAgain } from "../support/cli-here.ts";
import { git } from "../support/git-project.ts";
import { ownerFolder } from "../support/owner-folder.ts";
import { projectWith, twoTasks, works, writeExecutor } from "../support/project.ts";
import { contentOf, delegations, read, recordsOf } from "../support/traces.ts";

const onlyFirst = "case $id in 1.1) touch one;; esac; made";

describe.concurrent("fixpoint reset", () => {
  it("restores the spec as it was before the run, byte for byte, and the next run starts from the beginning", async () => {
    const plan = `${twoTasks}\n## Notes\n\nKeep this.\n`;
    const project = projectWith({ plan, script: onlyFirst });
    await run(project, "--recovery-mode", "--max-fix-tasks", "2");
    expect(read(project.tasks)).toContain("- [ ] 1.2.2 [FIX 1.2]");
    const refused = await call(project, "reset", "spec");
    expect(refused.err).toMatch(/\n {2}the tick of 1\.1 in tasks\.md\n[\s\S]*\nAgree: fixpoint reset spec --yes\n$/);
    expect([refused.exitCode, read(project.tasks) === plan]).toEqual([2, false]);
    expect(await call(project, "reset", "spec", "--yes")).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(plan);
    expect(readdirSync(project.spec)).toEqual(["tasks.md"]);
    expect(readdirSync(ownerFolder(project.spec)).sort()).toEqual(["consent.json", "executors.json"]);
    expect((await call(project, "reset", "spec", "--yes")).out).toBe("Nothing to reset: there is no run of spec\n");
    writeExecutor(project.workspace, works);
    const anew = await call(project, "run", "spec");
    expect([anew.exitCode, anew.out]).toEqual([0, expect.stringContaining("\ndelegated 1.1 (attempt 1)\n")]);
  });

  it("names what stays under a heading of its own, and how to see new files", async () => {
    const project = projectWith({ script: onlyFirst });
    for (const words of ["init -q -b main", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"])
      git(project, ...words.split(" "));
    await run(project, "--max-task-iterations", "1", "--commit", "off");
    const { err } = await call(project, "reset", "spec");
    const [goes = "", stays = ""] = err.split("It would not remove:\n1 item:\n");
    expect(goes).not.toContain("changes by attempts");
    expect(stays).toMatch(/^ {2}changes by attempts in [^\n]*\bone\b/);
    expect(stays.replaceAll(/\n│ /g, "")).toMatch(/\(see git diff [0-9a-f]{12}, and git status for new files\)\n/);
  });

  it("removes the report of a checkpoint", async () => {
    const project = projectWith({ script: onlyFirst });
    expect((await run(project, "--escalation", "--max-task-iterations", "1")).exitCode).toBe(3);
    expect(existsSync(join(project.spec, "stuck-report.md"))).toBe(true);
    const { out } = await call(project, "reset", "spec", "--yes");
    expect(out).toContain(`removed: ${join(project.spec, "stuck-report.md")}\n`);
    expect(readdirSync(project.spec)).toEqual(["tasks.md"]);
  });

  it("undoes what it can of a run with a damaged journal, and reports what remains", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "1");
    const journal = join(project.spec, ".fixpoint/run-1/journal-1.ndjson");
    writeFileSync(journal, read(journal).slice(0, 900));
    const refused = await call(project, "reset", "spec", "--yes");
    expect(refused.err).toMatch(/expected a complete first line, found a damaged one\n.*--new-run\n$/);
    await call(project, "run", "spec", "--new-run", "--yes");
    const { exitCode, out } = await call(project, "reset", "spec", "--yes");
    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining("stays: changes by run 1: its journal cannot be read\n"),
    ]);
    expect(existsSync(join(project.spec, ".fixpoint"))).toBe(false);
  });

  it("removes notes of superseded fixes and lines of the log, and keeps what others wrote", async () => {
    const script = "case $id in 1.2.2) touch two;; esac; case $id in 1.1) touch one;; esac; made";
    const project = projectWith({ script });
    await run(project, "--recovery-mode");
    expect(read(project.tasks)).toContain("Superseded by");
    const log = read(project.progress).replace("## Learnings\n", "## Learnings\n- Mind the gap\n- [x] 1.1 is mine\n");
    writeFileSync(project.progress, log);
    expect((await call(project, "reset", "spec", "--yes")).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoTasks);
    expect(read(project.progress)).toBe(
      "# Progress: spec\n\n## Completed Tasks\n\n## Learnings\n- Mind the gap\n- [x] 1.1 is mine\n",
    );
  });

  it("removes the summary and the result of the reality check, and keeps those of a person unchanged", async () => {
    const plan = [
      "- [ ] 1.1 First\n  - **Verify**: `test -e one`",
      "- [ ] 1.2 Second\n  - **Verify**: `test -e two`",
      "- [ ] VF [VERIFY] Goal verification: the bug is gone\n",
    ].join("\n");
    const operator = "case $id in 1.1) echo 'RETRY: make it now';; *) echo 'PRUNE: nobody needs it';; esac";
    const script = `case $FIXPOINT_ROLE in operator) ${operator};; verifier) echo VERIFICATION_PASS;; *) [ $id-$FIXPOINT_ATTEMPT = 1.1-2 ] && touch one; made;; esac`;
    const project = projectWith({ plan, script });
    const log =
      "# Mine\n\n## Completed Tasks\n\n## Reality Check (BEFORE)\n**Reproduction command**: `test -e one`\n**Exit code**: 1\n\n## Learnings\n- One\n";
    const summary = "# Summary\n\n## Issues Encountered\n- Slow tests\n";
    writeFileSync(project.progress, log);
    writeFileSync(join(project.spec, "SUMMARY.md"), summary);
    await run(project, "--repair");
    expect(read(project.progress)).toContain("## Reality Check (AFTER)");
    expect(read(join(project.spec, "SUMMARY.md"))).toMatch(
      /Task 1\.1: make it now - resolved\n[\s\S]*Task 1\.2 skipped: /,
    );
    const { out } = await call(project, "reset", "spec", "--yes");
    expect(out).toContain("removed: in SUMMARY.md: - [Node Repair - PRUNE] Task 1.2 skipped: nobody needs it\n");
    expect(contentOf(project.spec)).toEqual({
      [project.tasks]: Buffer.from(plan).toString("base64"),
      [project.progress]: Buffer.from(log).toString("base64"),
      [join(project.spec, "SUMMARY.md")]: Buffer.from(summary).toString("base64"),
    });
  });

  it("keeps a tick of a person, and a changed fix task", async () => {
    const project = projectWith({ plan: `${twoTasks}- [ ] 1.3 Third\n`, script: onlyFirst });
    await run(project, "--recovery-mode", "--max-fix-tasks", "1");
    const changed = read(project.tasks)
      .replace("- [ ] 1.3 Third", "- [x] 1.3 Third")
      .replace("Analyze", "I say: analyze");
    writeFileSync(project.tasks, changed);
    const { out } = await call(project, "reset", "spec", "--yes");
    expect(out).toContain("stays: task 1.2.1 in tasks.md: changed since the run wrote it\n");
    expect(read(project.tasks)).toBe(changed.replace("- [x] 1.1", "- [ ] 1.1"));
  });

  it("reports what remains if the run data is missing", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--recovery-mode", "--max-fix-tasks", "1");
    rmSync(project.data, { recursive: true });
    const plan = read(project.tasks);
    const { out } = await call(project, "reset", "spec", "--yes");
    const stays = "stays: fix tasks, ticks and log lines: without run data it is not known who wrote them";
    expect(out).toBe(`removed: .ralph-state.json\n${stays}\n`);
    expect(read(project.tasks)).toBe(plan);
  });

  it("removes only the latest run if the one before it was complete", async () => {
    const project = projectWith({ script: works });
    await run(project);
    writeFileSync(project.tasks, `${read(project.tasks)}- [ ] 1.3 Third\n  - **Verify**: \`test -e three\`\n`);
    const plan = read(project.tasks);
    await run(project, "--max-task-iterations", "1");
    expect((await call(project, "status", "spec", "--run", "1")).out).toMatch(
      /^2\/3 completed, last run: complete, 2 deleg/,
    );
    await call(project, "reset", "spec", "--yes");
    expect(read(project.tasks)).toBe(plan);
    expect(readdirSync(project.data).filter((name) => name.startsWith("run-"))).toEqual(["run-1"]);
    expect(read(project.progress)).toContain("- [x] 1.1 First");
    expect((await call(project, "run", "spec")).out).toContain("\ndelegated 1.3 (attempt 1)\n");
  });

  it("refuses while a coordinator is at work", async () => {
    const project = projectWith({
      script: "touch started; while [ ! -e go ]; do sleep 0.05; done; touch one two; made",
    });
    const running = await atWork(project);
    const { exitCode } = await call(project, "reset", "spec", "--yes");
    writeFileSync(join(project.workspace, "go"), "");
    expect([exitCode, (await running.end).exitCode]).toEqual([4, 0]);
  });
});

describe.concurrent("a start after one that stopped at a task", () => {
  it("accepts a manual fix together with the task's fix tasks, and reports why", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--recovery-mode", "--max-fix-depth", "1");
    const made = delegations(project);
    writeFileSync(join(project.workspace, "two"), "");
    const { exitCode, out } = await runAgain(project);
    expect([exitCode, delegations(project)]).toEqual([0, made]);
    expect(out).toContain("\nnotice: Verify of 1.2 passes now: it is done\npassed 1.2 after ");
    expect(out).not.toContain("Ticked before or by hand");
    expect(read(project.progress)).toContain("- [x] 1.2 Second\n");
    const why = await call(project, "why", "1.2", "spec");
    expect(why.out).toMatch(/Verify of 1\.2 passed before anything was delegated: fixed by hand\n +Verify ran in /);
    expect((await call(project, "replay", "spec")).exitCode).toBe(0);
  });

  it("does not repeat a question about a task that was fixed by hand", async () => {
    const project = projectWith({
      script: "case $FIXPOINT_ROLE in operator) echo 'ESCALATE: a | b';; *) touch one; made;; esac",
    });
    const asked = await run(project, "--repair");
    expect([asked.exitCode, asked.out]).toEqual([
      3,
      expect.stringContaining("\nDelegations: 3 (1 to the repair operator)\n"),
    ]);
    expect((await runAgain(project)).exitCode).toBe(3);
    writeFileSync(join(project.workspace, "two"), "");
    expect(await runAgain(project)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("\nALL_TASKS_COMPLETE\n"),
    });
  });

  it("runs no Verify of a task without attempts, without consent, or together with advice", async () => {
    const project = projectWith({ plan: twoTasks.replace("test -e one", "test -e one && touch seen"), script: "made" });
    await run(project, "--max-global-iterations", "1", "--max-task-iterations", "1");
    writeFileSync(join(project.workspace, "one"), "");
    await call(project, "resume", "spec", "--guidance", "Make it", "--trust-executor");
    expect(existsSync(join(project.workspace, "seen"))).toBe(false);
    const other = projectWith({ script: works });
    await run(other, "--max-global-iterations", "1");
    const { out } = await runAgain(other, "--max-global-iterations", "9");
    expect([out.includes("passes now"), delegations(other)]).toEqual([false, ["1.1#1", "1.2#1"]]);
  });
});

describe.concurrent("the status of a run", () => {
  it("shows that it was killed, and how to resume", async () => {
    const project = projectWith({ script: onlyFirst });
    await runUntil(project, 26);
    const { out } = await call(project, "status", "spec");
    expect(out).toMatch(/^\d\/2 completed, last run: killed(?:, .*)?\n[\s\S]*\nContinue: fixpoint run spec\n$/);
    expect(JSON.parse((await call(project, "status", "spec", "--json")).out)).toMatchObject({ killed: true, run: 1 });
  });

  it("shows the output of an attempt and of its Verify", async () => {
    const plan = "- [ ] 1.1 First\n  - **Verify**: `echo looked; test -e one`\n";
    const project = projectWith({ plan, script: 'echo "try $FIXPOINT_ATTEMPT"; made' });
    await run(project, "--max-task-iterations", "2");
    expect((await call(project, "logs", "1.1", "spec", "--attempt", "1")).out).toBe(
      "Attempt 1 of 1.1 in run 1; other attempt: 2\n\ntry 1\nTASK_COMPLETE\n\nVerify: echo looked; test -e one (exit 1)\nlooked\n",
    );
    expect(JSON.parse((await call(project, "logs", "1.1", "spec", "--json")).out)).toMatchObject({
      ...{ task: "1.1", run: 1, attempt: 2, attempts: [1, 2], message: "try 2\nTASK_COMPLETE\n" },
      verify: { command: "echo looked; test -e one", exitCode: 1, output: "looked\n" },
    });
    expect((await call(project, "logs", "1.1", "spec", "--attempt", "7")).err).toMatch(
      /expected one of 1, 2\nSee what was tried: fix/,
    );
    expect((await call(project, "logs", "9.9", "spec")).exitCode).toBe(2);
    expect((await call(project, "why", "1.1", "spec", "--run", "4")).err).toMatch(/^ERROR: Cannot find run 4,/);
    expect(recordsOf(project).length).toBeGreaterThan(4);
  });
});
