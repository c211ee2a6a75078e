import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atWork, run as runApart, runUntil } from "../support/cli.ts";
import { resume, run, runAgain } from "../support/cli-here.ts";
import {
  copyOf,
  onlyFirst,
  type Project,
  projectWith,
  proposed,
  twoTasks,
  works,
  writeExecutor,
} from "../support/project.ts";
import { boxes, delegations, journalPath, read, recordsIn } from "../support/traces.ts";

const once = ["--max-task-iterations", "1"];

const edit = ({ tasks }: Project, from: string, to: string): void =>
  writeFileSync(tasks, read(tasks).replace(from, to));

async function stopped(project: Project, signal: NodeJS.Signals): Promise<void> {
  const { child, end } = await atWork(project);
  child.kill(signal);
  await end;
}

function splitting(script: string): Project {
  const plan = `${twoTasks}- [ ] 1.3 Third\n`;
  const project = projectWith({ plan, script: `[ $id = 1.2 ] && { touch one two; cat request; exit; }; ${script}` });
  const tasks = [proposed("1.2a", "test -e two"), proposed("1.2b", "test -e two")];
  const request = { type: "SPLIT_TASK", originalTaskId: "1.2", reasoning: "It is more", proposedTasks: tasks };
  const said = `TASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify(request)}\n\`\`\`\n`;
  writeFileSync(join(project.workspace, "request"), said);
  return project;
}

describe.concurrent("a run with tasks requested by an executor", () => {
  it("resumes however often a person edits them", async () => {
    const project = splitting("[ $id = 1.2b ] && broke hard || { touch one two; made; }");
    expect((await run(project, ...once)).exitCode).toBe(1);
    for (const title of ["Make it well", "Make it better", "Make it best"]) {
      writeFileSync(project.tasks, read(project.tasks).replace(/1\.2b .*/, `1.2b ${title}`));
      expect(await run(project, ...once)).toMatchObject({ exitCode: 1, err: expect.stringContaining("Max retries") });
    }
    writeExecutor(project.workspace, works);
    edit(project, "Make it best", "Make it");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual([
      "1.1#1",
      "1.2#1",
      "1.2a#1",
      ...[1, 2, 3, 4, 5].map((n) => `1.2b#${n}`),
      "1.3#1",
    ]);
  });

  it("resumes after a kill that follows an executor's note in its own task", async () => {
    const note = `sed -i "s/.*feat: make 1.2a.*/&\\n  - Made well/" "$plan"`;
    const project = splitting(
      `[ $id = 1.2a ] && ${note}; [ $id != 1.3 ] || [ -e go ] || { touch go; kill -9 $PPID; }; ${works}`,
    );
    expect((await runApart(project)).signal).toBe("SIGKILL");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toContain("`feat: make 1.2a`\n  - Made well\n");
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2a#1", "1.2b#1", "1.3#1", "1.3#1"]);
  });
});

describe.concurrent("a task without attempts left", () => {
  it("is retried after a person changed its text, if the limit is one attempt", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, ...once);
    edit(project, "Make two", "Make it easy");
    writeExecutor(project.workspace, works);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2"]);
  });

  it("gets all attempts again after a person changed its text, and then reports the limit", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, "--max-task-iterations", "2");
    edit(project, "Make two", "Make it easy");
    expect((await runAgain(project)).err).toContain(
      "Max retries reached for task 1.2 after 4 attempts (2 of them count)",
    );
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#2", "1.2#3", "1.2#4"]);
    expect((await runAgain(project)).exitCode).toBe(1);
    expect(delegations(project)).toHaveLength(5);
  });
});

describe.concurrent("an interrupted attempt that is not resumed", () => {
  it.each(["SIGINT", "SIGKILL"] as const)("by %s spends nothing", async (signal) => {
    const project = projectWith({ script: `sed -i 's/\\[ \\] 1.1/[x] 1.1/' "$plan"; touch started; sleep 60` });
    await stopped(project, signal);
    writeExecutor(project.workspace, works);
    const { exitCode, out } = await runAgain(project, ...once);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.not.stringContaining("by hand") });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
  });
});

describe.concurrent("advice of a person", () => {
  it("is in the prompts of every later turn and start", async () => {
    const script = 'printf %s "$prompt" > "prompt-$FIXPOINT_KEY"; broke hard';
    const project = projectWith({ plan: "- [ ] 1.1 First\n", script });
    const limited = (limit: number): string[] => ["--max-task-iterations", String(limit)];
    await run(project, ...limited(1));
    await resume(project, "--guidance", "Use the other library", ...limited(2));
    for (const limit of [3, 4]) await runAgain(project, ...limited(limit));
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.1#4"]);
    const told = delegations(project).map((key) => read(join(project.workspace, `prompt-${key}`)));
    expect(told.map((text) => text.includes("Use the other library"))).toEqual([false, true, true, true]);
  });
});

describe.concurrent("a start that abandons a turn", () => {
  const taken = ["--accept", "any"];

  /** Interval between the file changes at which kills are tried. The campaign `tests` uses a smaller interval. */
  const stride = Number(process.env["CRASH_STRIDE"] ?? 3);

  async function killedEverywhere(project: Project, words: string[] = []): Promise<Project[]> {
    const killed: Project[] = [];
    for (let write = 1; ; write += stride) {
      const copy = copyOf(project);
      await runUntil(copy, write, ...taken, ...words);
      const second = journalPath(copy, 2);
      if (existsSync(second) && recordsIn(second).some(({ type }) => type === "answered")) return killed;
      killed.push(copy);
    }
  }

  async function eachOf<Found>(killed: readonly Project[], go: (project: Project) => Promise<Found>): Promise<Found[]> {
    const found: Found[] = [];
    for (const project of killed) found.push(await go(project));
    expect(found.length).toBeGreaterThan(3);
    return found;
  }

  it("accepts a manual fix once, with its line in the log, wherever it is killed", async () => {
    const project = projectWith({ script: "[ $id = 1.1 ] && touch one; made" });
    await run(project, "--recovery-mode", "--max-fix-depth", "1", "--max-fix-tasks", "1");
    const made = delegations(project);
    writeFileSync(join(project.workspace, "two"), "");
    const ends = await eachOf(await killedEverywhere(project), async (killed) => {
      const { exitCode, out } = await runAgain(killed, ...taken);
      const logged = read(killed.progress).match(/- \[x\] 1\.2 Second\n/g)?.length;
      return [exitCode, delegations(killed), logged, /by hand/.test(out), boxes(killed).join()];
    });
    const ticked = boxes(project).join().replaceAll("[ ]", "[x]");
    expect(ends).toEqual(ends.map(() => [0, made, 1, false, ticked]));
  });

  async function refusedBehindTick(): Promise<Project> {
    const refuses = "rm -f spec/.progress.md; mkdir -p spec/.progress.md/in-the-way";
    const project = projectWith({ script: `${works}; ${refuses}` });
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringContaining(".progress.md") });
    expect(read(project.tasks)).toContain("[x] 1.1");
    rmSync(project.progress, { recursive: true });
    writeExecutor(project.workspace, works);
    return project;
  }

  it("retries a changed task, wherever it is killed", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, ...once);
    edit(project, "Make two", "Make it easy");
    writeExecutor(project.workspace, works);
    const ends = await eachOf(await killedEverywhere(project), (killed) => run(killed, ...taken));
    expect(ends.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  });

  it("writes the missing log line of a task that was ticked, wherever it is killed", async () => {
    const project = await refusedBehindTick();
    edit(project, "Make two", "Make it well");
    const whole = copyOf(project);
    const end = await run(whole, ...taken);
    expect(end).toMatchObject({ exitCode: 0, out: expect.not.stringContaining("by hand") });
    expect(read(whole.progress)).toContain("## Completed Tasks\n- [x] 1.1 First\n- [x] 1.2 Second\n\n");
    expect(delegations(whole)).toEqual(["1.1#1", "1.2#1"]);
    const ends = await eachOf(await killedEverywhere(project), (killed) => run(killed, ...taken));
    expect(ends.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  });

  it("resumes with other options, and delegates no task that the Verify proves, wherever it is killed", async () => {
    const killed = await killedEverywhere(await refusedBehindTick());
    const opened = killed.map(copyOf);
    const others = await eachOf(killed, async (project) => {
      const { exitCode, out } = await run(project, ...taken, "--max-task-iterations", "7");
      const isLogged = read(project.progress).includes("- [x] 1.1 First\n");
      return { exitCode, isByHand: out.includes("by hand"), isLogged };
    });
    expect(others).toEqual(others.map(() => ({ exitCode: 0, isByHand: false, isLogged: true })));
    const again = await eachOf(opened, async (project) => {
      edit(project, "[x] 1.1", "[ ] 1.1");
      const { exitCode } = await run(project, ...taken);
      return { exitCode, made: delegations(project), boxes: boxes(project).join() };
    });
    // The pass of 1.1 was not recorded. Verify failed before the work and passes now, which proves the task.
    const whole = { exitCode: 0, made: ["1.1#1", "1.2#1"], boxes: boxes(opened[0] as Project).join() };
    expect(whole.boxes).not.toContain("[ ]");
    expect(again).toEqual(again.map(() => whole));
  });

  it("reports only changes of the state file that others made, wherever it is killed", async () => {
    const project = projectWith({ script: onlyFirst });
    await run(project, ...once);
    writeExecutor(project.workspace, works);
    const raised = ["--max-task-iterations", "2"];
    const ends = await eachOf(await killedEverywhere(project, raised), (left) => run(left, ...taken, ...raised));
    const notice = "was changed since the last start wrote it, and has been rewritten";
    expect(ends.filter(({ exitCode, out }) => exitCode !== 0 || out.includes(notice))).toEqual([]);
    writeFileSync(project.state, JSON.stringify({ ...JSON.parse(read(project.state)), taskIndex: 0 }));
    expect((await run(project, ...taken, ...raised)).out).toContain(`spec/.ralph-state.json ${notice}\n`);
  });

  it("refunds an interrupted attempt once, wherever it is killed", async () => {
    const project = projectWith({ script: "touch started; sleep 60" });
    await stopped(project, "SIGINT");
    writeExecutor(project.workspace, "broke hard");
    const ends = await eachOf(await killedEverywhere(project, once), (killed) => run(killed, ...taken, ...once));
    expect(new Set(ends.map(({ err }) => err.split("\n")[0]))).toEqual(
      new Set(["ERROR: Max retries reached for task 1.1 after 2 attempts (1 of them counts)"]),
    );
  });
});
