import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch, runWords } from "../support/cli.ts";
import { call, resume, run, runAgain, statusOf } from "../support/cli-here.ts";
import { alive } from "../support/processes.ts";
import { type Project, projectWith, writeExecutor } from "../support/project.ts";
import { delegations, journalPath, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const members = ["1.1", "1.2", "1.3"];
const member = (id: string): string => `- [ ] ${id} [P] Make ${id}\n  - **Verify**: \`test -e ${id}\`\n`;
const plan = `# Tasks\n\n${members.map(member).join("")}- [ ] 1.4 Last\n  - **Verify**: \`ls 1.1 1.2 1.3\`\n`;
const done = plan.replaceAll("[ ]", "[x]");
const keys = members.map((id) => `${id}#1`);
/** Works until it is told to finish. */
const works = `echo $$ >> "pids-$id"; touch "started-$id"; until [ -e go ]; do sleep 0.05; done; touch "$id"; made`;

/** Start a run and wait until the executors of these tasks are at work. */
async function atWork(project: Project, tasks: readonly string[], ...words: readonly string[]) {
  const launched = launch(project.workspace, runWords(project, "--yes", ...words));
  const begun = (id: string): boolean => existsSync(join(project.workspace, `started-${id}`));
  await until(() => tasks.every(begun));
  return launched;
}

/** Executors of a task, as they have named themselves, that are alive. */
const executorsOf = (project: Project, id: string): number[] => {
  const named = read(join(project.workspace, `pids-${id}`))
    .trim()
    .split("\n")
    .map(Number);
  return alive(project).filter((pid) => named.includes(pid));
};

const finish = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");

const statesOf = async (project: Project): Promise<Record<string, string>> =>
  Object.fromEntries((await statusOf(project)).tasks.map(({ id, state }) => [id, state]));

describe.concurrent("a batch that was killed", () => {
  it("ends what was left at work before it goes on with every member", async () => {
    const project = projectWith({ plan, script: works });
    const { child, end } = await atWork(project, members);
    child.kill("SIGKILL");
    await end;
    const left = alive(project);
    expect(members.map((id) => executorsOf(project, id).length)).toEqual([1, 1, 1]);
    const next = launch(project.workspace, runWords(project));
    await until(() => delegations(project).length > 3);
    expect(alive(project).filter((pid) => left.includes(pid))).toEqual([]);
    await until(() => delegations(project).length === 6);
    expect(members.map((id) => executorsOf(project, id).length)).toEqual([1, 1, 1]);
    finish(project);
    expect(await next.end).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(done);
    expect(delegations(project).slice(0, 6).sort()).toEqual([...keys, ...keys].sort());
    expect(delegations(project).slice(6)).toEqual(["1.4#1"]);
    expect(alive(project)).toEqual([]);
  });

  it("does no member again that has passed", async () => {
    const project = projectWith({
      plan,
      script: `[ $id != 1.1 ] || touch go-1.1 1.1; ${works.replace("-e go ", '-e go-"$id" ')}`,
    });
    const { child, end } = await atWork(project, members);
    await until(() => read(journalPath(project)).includes('"1.1#1/recordPass"'));
    child.kill("SIGKILL");
    await end;
    expect(read(project.tasks)).toContain("- [x] 1.1");
    for (const id of ["1.2", "1.3", "1.4"]) writeFileSync(join(project.workspace, `go-${id}`), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toEqual(["1.1#1"]);
    expect(read(project.progress).match(/^- \[x\] \S+/gm)).toEqual([
      "- [x] 1.1",
      "- [x] 1.2",
      "- [x] 1.3",
      "- [x] 1.4",
    ]);
    expect(read(project.tasks)).toBe(done);
  });

  it("believes no tick that its members made of tasks of others", async () => {
    const script = `[ $id != 1.2 ] || sed -i 's/\\[ \\] 1.4/[x] 1.4/' "$plan"; ${works}`;
    const project = projectWith({ plan, script });
    const { child, end } = await atWork(project, members);
    child.kill("SIGKILL");
    await end;
    expect(read(project.tasks)).toContain("[x] 1.4");
    writeExecutor(project.workspace, `touch "$id"; made`);
    expect(await runAgain(project)).toMatchObject({ exitCode: 2, err: expect.stringContaining("ticked: 1.4") });
    writeFileSync(project.tasks, read(project.tasks).replace("[x] 1.4", "[ ] 1.4"));
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toContain("1.4#1");
  });
});

describe.concurrent("a batch that was interrupted", () => {
  it("has ended all its executors, one that is deaf included, and goes on later", async () => {
    // One heeds no SIGTERM.
    const project = projectWith({ plan, script: `[ $id != 1.2 ] || trap '' TERM; ${works}` });
    const { child, end } = await atWork(project, members);
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    expect(alive(project)).toEqual([]);
    expect(recordsOf(project).at(-1)).toMatchObject({
      type: "ended",
      ending: { outcome: "interrupted" },
    });
    finish(project);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(done);
    expect(delegations(project).slice(3, 6).sort()).toEqual(keys);
  });
});

describe.concurrent("the status of a batch", () => {
  it("shows as running what is worked on, also the fix of a member", async () => {
    const script = `if [ $id = 1.2 ] && [ ! -e go ]; then broke hard; exit; fi; ${works}`;
    const project = projectWith({ plan, script });
    const { end } = await atWork(project, ["1.1", "1.2.1", "1.3"], "--recovery-mode");
    expect(await statesOf(project)).toEqual({
      "1.1": "running",
      "1.2": "open",
      "1.2.1": "running",
      "1.3": "running",
      "1.4": "open",
    });
    finish(project);
    writeFileSync(join(project.workspace, "1.2"), "");
    expect((await end).exitCode).toBe(0);
    expect(new Set(Object.values(await statesOf(project)))).toEqual(new Set(["passed"]));
  });

  it("shows as open what waits for its turn, and as passed what has passed", async () => {
    const project = projectWith({
      plan,
      script: `[ $id != 1.1 ] || touch 1.1; ${works.replace("-e go ", '-e 1.1 -a "$id" = 1.1 -o -e go ')}`,
    });
    const { end } = await atWork(project, ["1.2", "1.3"], "--max-parallel", "2");
    expect(await statesOf(project)).toEqual({ "1.1": "passed", "1.2": "running", "1.3": "running", "1.4": "open" });
    finish(project);
    expect((await end).exitCode).toBe(0);
  });

  it("shows nothing as running when the coordinator is gone", async () => {
    const project = projectWith({ plan, script: works });
    const { child, end } = await atWork(project, ["1.1", "1.2"], "--max-parallel", "2");
    expect(await statesOf(project)).toEqual({ "1.1": "running", "1.2": "running", "1.3": "open", "1.4": "open" });
    child.kill("SIGKILL");
    await end;
    expect(new Set(Object.values(await statesOf(project)))).toEqual(new Set(["open"]));
    finish(project);
    expect((await runAgain(project)).exitCode).toBe(0);
  });
});

describe.concurrent("a batch whose members save the plan", () => {
  it("holds it against none of them that another's tick is lost by that, and ticks that again", async () => {
    const ticked = (id: string): string => `grep -q "\\[x\\] ${id} " "$plan"`;
    const saves = `until ${ticked("1.1")}; do sleep 0.02; done; sed -i 's/\\[x\\] 1.1 /[ ] 1.1 /' "$plan"`;
    const project = projectWith({ plan, script: `[ $id = 1.2 ] && { ${saves}; }; touch "$id"; made` });
    expect(await launch(project.workspace, runWords(project, "--yes")).end).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(done);
    expect(delegations(project).sort()).toEqual([...keys, "1.4#1"]);
  });
});

describe.concurrent("a question at the end of a batch", () => {
  const hard = `case $FIXPOINT_KEY in *askOperator*) echo "ESCALATE: all | which way";; *) made;; esac`;
  const lines = async (project: Project, task: string): Promise<string[]> => {
    const { out } = await call(project, "why", task, project.spec);
    return out.split("\n").filter((line) => /^- .*(comes first|leave |tried again|advice)/.test(line));
  };

  it("is answered for the task that it is about alone, of several that are asked about", async () => {
    const project = projectWith({ plan, script: hard });
    expect((await run(project, "--repair")).exitCode).toBe(3);
    expect(await lines(project, "1.2")).toEqual([`- 1.1 comes first: fixpoint why 1.1 spec`]);
    expect(await lines(project, "1.1")).toEqual([
      "- have it tried again: fixpoint resume spec --decision retry",
      "- leave 1.1 out: fixpoint resume spec --decision skip",
      `- give its executor advice: fixpoint resume spec --guidance "…"`,
    ]);
    await resume(project, "--decision", "skip");
    expect(await statesOf(project)).toMatchObject({ "1.1": "skipped" });
  });

  it("is answered for a fix, or for the planned task that it is in", async () => {
    const project = projectWith({ plan, script: hard.replace("*) made", "1.[13]#*) touch $id; made;; *) made") });
    const end = await run(project, "--repair", "--recovery-mode", "--max-fix-tasks", "1");
    expect(end.err).toContain("Leave all of 1.2 out: fixpoint resume spec --decision skip-task\n");
    for (const task of ["1.2", "1.2.1"]) {
      expect((await lines(project, task)).slice(1, 3)).toEqual([
        "- leave 1.2.1 out: fixpoint resume spec --decision skip",
        "- leave 1.2 out: fixpoint resume spec --decision skip-task",
      ]);
    }
    await resume(project, "--decision", "skip-task");
    expect(await statesOf(project)).toMatchObject({ "1.1": "passed", "1.2": "skipped" });
  });
});
