import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atWork } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { alive, livingWith } from "../support/processes.ts";
import { projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { boxes, delegations, read } from "../support/traces.ts";

const once = `grep -qs 'State:.[^ZX]' "/proc/$(cat pid)/status" && echo "$FIXPOINT_KEY" >> overlaps.log; echo $$ > pid`;

describe.concurrent("a run whose coordinator was killed while its executor is alive", () => {
  for (const [kind, script] of [
    ["silent", "touch started; sleep 60"],
    ["with daemons", "setsid sleep 61 & (setsid setsid sleep 62 &); touch started; sleep 63"],
    ["deaf to SIGTERM", "trap '' TERM; touch started; while :; do sleep 0.1; done"],
    ["stopped", "touch started; kill -STOP $$"],
    ["with a child that has cleared its environment", "touch started; env -i sh -c 'sleep 60; :' \"$PWD\""],
  ] as const) {
    it(`ends the old process tree before a new call, its executor ${kind}`, async () => {
      const project = projectWith({ script: `${once}; ${script}` });
      const { child, end } = await atWork(project);
      child.kill("SIGKILL");
      await end;
      const old = livingWith(project.workspace);
      expect(old).not.toEqual([]);
      writeExecutor(project.workspace, `${once}; ${works}`);
      expect((await runAgain(project)).exitCode).toBe(0);
      expect(livingWith(project.workspace)).toEqual([]);
      expect(existsSync(join(project.workspace, "overlaps.log"))).toBe(false);
      expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
      expect(read(project.tasks)).toBe(twoDone);
    });
  }

  it("ends the leftover Verify command before it runs again", async () => {
    const verify = "touch started; [ -e go ] || (trap '' TERM; while :; do sleep 0.1; done)";
    const project = projectWith({ plan: twoTasks.replace("test -e one", verify) });
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    expect(alive(project)).not.toEqual([]);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(alive(project)).toEqual([]);
  });
});

describe.concurrent("a run with an executor that", () => {
  it.each([
    ["exits 1", "exit 1"],
    ["crashes", "kill -SEGV $$"],
    ["is killed", "kill -KILL $$"],
  ])("claims completion and %s is complete only if Verify has turned green", async (_, end) => {
    const project = projectWith({ script: `touch one two; made; ${end}` });
    expect((await run(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    // The work of 1.1 makes the Verify of 1.2 pass. This proves nothing about 1.2, which stays open.
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2"]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2"]);
  });

  it("prints nothing is complete if Verify has turned green, and otherwise asked again first", async () => {
    const project = projectWith({ script: "touch one two" });
    const { exitCode, out } = await run(project, "--max-task-iterations", "2");
    expect({ exitCode, rejected: out.match(/^rejected .*/gm) }).toEqual({
      exitCode: 0,
      rejected: ["rejected 1.2 by signal: your last message is empty, without a line TASK_COMPLETE"],
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("prints nothing and does nothing is not complete", async () => {
    const project = projectWith({ script: ":" });
    expect((await run(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    expect(read(project.tasks)).toBe(twoTasks);
  });

  it("cannot be started is the environment's fault, and costs no attempt", async () => {
    const project = projectWith({ script: works });
    const executor = join(project.workspace, "executor.sh");
    const good = read(executor);
    writeFileSync(executor, "#!/no/such/interpreter\n");
    chmodSync(executor, 0o755);
    const refused = { exitCode: 5, err: expect.stringContaining("ENOENT") };
    for (let n = 0; n < 3; n++) expect(await run(project, "--max-task-iterations", "1")).toMatchObject(refused);
    expect(read(project.tasks)).toBe(twoTasks);
    writeFileSync(executor, good);
    expect((await run(project, "--max-task-iterations", "1")).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });

  it("floods and claims at the end has its claim accepted", async () => {
    const project = projectWith({ script: `touch one two; head -c 64000000 /dev/zero | tr '\\0' x; echo; made` });
    expect((await run(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
