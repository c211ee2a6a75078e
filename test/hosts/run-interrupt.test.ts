import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { atWork, cli, runWords } from "../support/cli.ts";
import { run, runAccepting, runAgain } from "../support/cli-here.ts";
import { alive } from "../support/processes.ts";
import { projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { contentOf, delegations, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

describe.concurrent("an interrupted run", () => {
  it.each(["SIGINT", "SIGHUP"] as const)("ends all processes and can go on after %s", async (signal) => {
    const project = projectWith({ script: "sleep 61 & touch started; sleep 62" });
    const { child, end } = await atWork(project);
    child.kill(signal);
    expect(await end).toMatchObject({ exitCode: 130, err: "Interrupted. Go on: fixpoint run spec\n" });
    expect(alive(project)).toEqual([]);
    expect(recordsOf(project).at(-1)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
    expect(JSON.parse(read(project.state))).toMatchObject({ taskIndex: 0, totalTasks: 2, globalIteration: 2 });
    writeExecutor(project.workspace, works);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("kills an executor that does not heed SIGTERM", async () => {
    const project = projectWith({ script: "trap '' TERM; touch started; while :; do sleep 0.2; done" });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    expect(alive(project)).toEqual([]);
  });

  it("ends at once at the second signal, and leaves nothing working", async () => {
    const project = projectWith({ script: "trap ': >told' TERM; touch started; while :; do sleep 0.2; done" });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    await until(() => existsSync(join(project.workspace, "told")));
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    await until(() => alive(project).length === 0);
    expect(recordsOf(project).at(-1)?.type).toBe("delegated");
    writeExecutor(project.workspace, works);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
  });

  it("takes back what its executor ticked before it was stopped", async () => {
    const project = projectWith({ script: `sed -i 's/\\[ \\]/[x]/' "$plan"; touch started; sleep 60` });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    await end;
    expect(read(project.tasks)).toBe(twoTasks);
    writeExecutor(project.workspace, works);
    const { exitCode, out } = await runAgain(project);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.not.stringContaining("by hand") });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
  });

  it("asks a person about what its executor rewrote before it was stopped", async () => {
    const plan = `${twoTasks}- [ ] 1.3 Third\n`;
    const project = projectWith({ plan, script: `sed -i '/1.3/d' "$plan"; touch started; sleep 60` });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    writeExecutor(project.workspace, works);
    expect(await runAgain(project)).toMatchObject({ exitCode: 2, err: expect.stringContaining("task 1.3 vanished") });
    writeFileSync(project.tasks, plan);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toHaveLength(4);
  });

  it("goes on with what a person wrote into the plan meanwhile", async () => {
    const project = projectWith({ plan: `${twoTasks}- [ ] 1.3 Third\n`, script: "touch started; sleep 60" });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    await end;
    writeFileSync(project.tasks, `${read(project.tasks)}- [ ] 1.4 Fourth\n`.replace("[ ] 1.3", "[x] 1.3"));
    writeExecutor(project.workspace, works);
    const { exitCode, out } = await runAgain(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Done before this run or by hand: 1 task\n"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1", "1.4#1"]);
  });

  it("can be stopped while a Verify command runs, and runs that one again", async () => {
    const plan = twoTasks.replace("test -e one", "echo verified >> verified.log; touch started; [ -e go ] || sleep 60");
    const project = projectWith({ plan });
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    expect(alive(project)).toEqual([]);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(join(project.workspace, "verified.log"))).toBe("verified\nverified\n");
  });

  it("judges later what was ticked for a claim, though it takes that back when it is stopped", async () => {
    const plan = twoTasks.replace("test -e one", "touch started; [ -e go ] || sleep 60");
    const script = `sed -i "s/\\[ \\] $id /[x] $id /" "$plan"; touch one two; made`;
    const project = projectWith({ plan, script });
    const { child, end } = await atWork(project, "--require-executor-tick");
    child.kill("SIGINT");
    await end;
    expect(read(project.tasks)).toBe(plan);
    expect(recordsOf(project).at(-2)).toMatchObject({ type: "boxes", key: "1.1#1", set: ["1.1"] });
    writeFileSync(join(project.workspace, "go"), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });

  it("stops when its reader has seen enough, and goes on later", async () => {
    const project = projectWith({ script: `${works}; sleep 0.2` });
    const pipe = `"$0" "$@" | head -1`;
    const words = ["-c", pipe, process.execPath, cli, ...runWords(project, "--yes")];
    const shell = spawn("sh", words, { cwd: project.workspace, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect({ out, err }).toEqual({ out: expect.stringMatching(/^Starting execution.*\n$/), err: "" });
    expect(recordsOf(project).at(-1)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });
});

describe.concurrent("a run that was killed", () => {
  it("ends the executor that was left working before it goes on", async () => {
    const project = projectWith({ script: "sleep 61 & touch started; sleep 62" });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    expect(alive(project)).not.toEqual([]);
    writeExecutor(project.workspace, works);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(alive(project)).toEqual([]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
  });

  it("believes no tick that was made meanwhile", async () => {
    const project = projectWith({ script: `sed -i 's/\\[ \\]/[x]/' "$plan"; touch started; sleep 60` });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, works);
    const asked = await run(project);
    expect(asked).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("nobody has accepted what is ticked: 1.2"),
    });
    writeFileSync(project.tasks, read(project.tasks).replace("[x] 1.2", "[ ] 1.2"));
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(new Set(delegations(project))).toEqual(new Set(["1.1#1", "1.2#1"]));
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("keeps a tick that was made meanwhile when a person says so", async () => {
    const project = projectWith({ script: "touch started; sleep 60" });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    writeFileSync(project.tasks, read(project.tasks).replace("[ ] 1.2", "[x] 1.2"));
    writeExecutor(project.workspace, works);
    const { exitCode, out } = await runAccepting(project, await runAgain(project));
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Done before this run or by hand: 1 task"),
    });
    expect(new Set(delegations(project))).toEqual(new Set(["1.1#1"]));
  });

  it("accepts what the executor wrote into the block of its own task", async () => {
    const project = projectWith({ script: `sed -i 's/Make one/&\\n  - A note/' "$plan"; touch started; sleep 60` });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, works);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toContain("  - A note\n");
  });

  it("asks a person about another task that was rewritten meanwhile", async () => {
    const project = projectWith({ script: `sed -i 's/Make two/Make ten/' "$plan"; touch started; sleep 60` });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, works);
    expect((await run(project)).exitCode).toBe(2);
    const asked = await runAgain(project);
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining("Do of task 1.2") });
    expect((await runAccepting(project, asked)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone.replace("two", "ten"));
  });
});

describe.concurrent("a second coordinator", () => {
  it("is refused with exit code 4, told of the first, and changes nothing", async () => {
    const project = projectWith({ script: "touch started; sleep 60" });
    const first = await atWork(project);
    // The state of the first is written a little later.
    await until(() => existsSync(project.state) && read(project.state).includes('"globalIteration": 2'));
    const before = contentOf(project.workspace);
    const second = await run(project);
    expect(second).toMatchObject({ exitCode: 4, out: "", err: expect.stringContaining(`process ${first.child.pid} `) });
    expect(contentOf(project.workspace)).toEqual(before);
    first.child.kill("SIGINT");
    expect((await first.end).exitCode).toBe(130);
  });

  it("wins alone when several go on with a killed run at once", async () => {
    const project = projectWith({ script: "touch started; sleep 60" });
    const killed = await atWork(project);
    killed.child.kill("SIGKILL");
    await killed.end;
    writeExecutor(project.workspace, `sleep 0.5; ${works}`);
    const ends = await Promise.all([1, 2, 3, 4].map(() => runAgain(project)));
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 4, 4, 4]);
    for (const { exitCode, err } of ends) if (exitCode === 4) expect(err).toMatch(/process \d+ on /);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
