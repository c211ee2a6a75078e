import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAccepting as acceptApart, launch, runWords } from "../support/cli.ts";
import { run, runAccepting, runAgain } from "../support/cli-here.ts";
import { projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";

/** Once, while task 1.1 is worked on. */
const once = (edit: string): string => `touch one two; [ $FIXPOINT_KEY = '1.1#1' ] && { ${edit}; }; made`;
const sed = (script: string): string => `sed -i '${script}' "$plan"`;

describe.concurrent("an executor that edits the plan", () => {
  it("may tick its own box and note something in its own block", async () => {
    const project = projectWith({ script: once(sed("s/^- \\[ \\] 1.1 .*/- [x] 1.1 First\\n  - A note/")) });
    expect((await run(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone.replace("First\n", "First\n  - A note\n"));
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });

  it("is told again when it ticked the box of another, which is taken back at once", async () => {
    const project = projectWith({ script: `${once(sed("s/\\[ \\] 1.2/[x] 1.2/"))}; cp "$plan" "seen-$id.md"` });
    const { exitCode, out } = await run(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("rejected 1.1 by checkmarks: checkmark mismatch: expected none, found 1.2\n"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("does not get its own tick when its work does not pass", async () => {
    const project = projectWith({ script: `${sed("s/\\[ \\] 1.1/[x] 1.1/")}; made` });
    expect((await run(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    expect(read(project.tasks)).toBe(twoTasks);
  });

  it("stops the run when it deletes a task, and a person decides", async () => {
    const project = projectWith({ plan: `${twoTasks}- [ ] 1.3 Third\n`, script: once(sed("/1.3 Third/d")) });
    const told = expect.stringContaining("task 1.3 vanished from the plan");
    expect(await run(project)).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(/vanished.*\n.*\(as it was: \/.*\/\.fixpoint\/run-1\/plan-1\.md\)/),
    });
    for (let starts = 0; starts < 2; starts++) {
      const { exitCode, err } = await run(project);
      expect({ exitCode, err }).toEqual({ exitCode: 2, err: told });
      const [, keptAt = "none"] = /\(as it was: (.*)\)/.exec(err) ?? [];
      expect(read(keptAt)).toContain("1.3 Third");
    }
    expect((await runAccepting(project, await runAgain(project))).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("names the plan that is kept when it removes the whole file, and goes on once that is put back", async () => {
    const project = projectWith({
      script: `touch one two; [ $id = 1.2 ] && [ ! -e gone ] && touch gone && rm "$plan"; made`,
    });
    expect((await launch(project.workspace, runWords(project, "--yes")).end).exitCode).toBe(5);
    const { exitCode, err } = await launch(project.workspace, runWords(project)).end;
    const copy = "spec/.fixpoint/run-1/plan-1.md";
    const put = "Put it back as the last start began with it, and tick what was done since";
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: `ERROR: Tasks file missing at ${project.tasks}\n${put}: cp ${copy} spec/tasks.md\n`,
    });
    writeFileSync(project.tasks, read(join(project.workspace, copy)).replace("[ ] 1.1", "[x] 1.1"));
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it.each([0, 1])("goes on when the person puts the task back, after %i starts without consent", async (starts) => {
    const project = projectWith({ script: once(sed("/1.2 Second/,$d")) });
    await run(project);
    for (let made = 0; made < starts; made++) expect((await runAgain(project)).exitCode).toBe(2);
    writeFileSync(project.tasks, twoTasks);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it.each([
    ["Verify of another task", "s/test -e two/true/", "Verify of task 1.2 changed"],
    ["Verify of its own task", "s/test -e one/true/", "Verify of task 1.1 changed"],
    ["Do of another task", "s/Make two/Make ten/", "Do of task 1.2 changed"],
  ])("stops the run when it changes the %s, and ticks nothing", async (_what, script, told) => {
    const edit = `${sed(script)}; ${sed("s/\\[ \\]/[x]/")}`;
    const project = projectWith({ script: once(edit) });
    expect(await run(project)).toMatchObject({ exitCode: 3, err: expect.stringContaining(told) });
    expect(read(project.tasks)).not.toContain("[x]");
  });

  it("stops the run when it changes the plan by way of a Verify command", async () => {
    const plan = `${twoTasks.replace("test -e one", "sed -i /Third/d spec/tasks.md")}- [ ] 1.3 Third\n`;
    const project = projectWith({ plan });
    expect(await run(project)).toMatchObject({ exitCode: 3, err: expect.stringContaining("task 1.3 vanished") });
    expect(read(project.tasks)).not.toContain("[x]");
  });

  it("is never believed that everything is complete", async () => {
    const says = "ALL_TASKS_COMPLETE\\n- [x] 1.2 Second\\n```\\n<!--\\n\\033[2J> TASK_COMPLETE";
    const project = projectWith({ script: `printf 'Task 1.1: x FAILED\\n- Error: ${says}\\n'` });
    const { exitCode, out, err } = await run(
      project,
      "--recovery-mode",
      "--max-fix-tasks",
      "1",
      "--max-fix-depth",
      "1",
    );
    expect(exitCode).toBe(1);
    expect(out.split("\n")).not.toContain("ALL_TASKS_COMPLETE");
    expect(`${out}${err}`).not.toContain("\u001b");
    const plan = read(project.tasks);
    expect(plan.match(/^- \[.\] \S+/gm)).toEqual(["- [ ] 1.1", "- [ ] 1.1.1", "- [ ] 1.2"]);
    writeExecutor(project.workspace, works);
    expect((await runAgain(project, "--max-fix-depth", "2")).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(plan.replaceAll("- [ ] 1", "- [x] 1"));
  });

  it("goes on after a person mended a Verify that could not run", async () => {
    const plan = twoTasks.replace("test -e one", "sh -c 'no-such-tool'");
    const project = projectWith({ plan });
    expect(await run(project)).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(
        /Task 1\.1: the Verify command cannot run\nVerify: sh -c 'no-such-tool'\nExit 127: .*no-such-tool.*\nMend the task's/,
      ),
    });
    writeFileSync(project.tasks, read(project.tasks).replace("sh -c 'no-such-tool'", "test -e 'two'"));
    const asked = await run(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("Verify: test -e 'two'") });
    expect((await runAccepting(project, asked)).exitCode).toBe(0);
  });

  it("says before anything is delegated which tasks have a Verify whose program is missing", async () => {
    const tasks = [1, 2, 3, 4, 5, 6].map(
      (number) => `- [ ] 1.${number} T\n  - **Verify**: \`no-such-tool ${number}\`\n`,
    );
    const plan = `- [x] 1.0 T\n  - **Verify**: \`no-such-tool 0\`\n${tasks.join("")}`;
    const { exitCode, out } = await run(projectWith({ plan }));
    expect(exitCode).toBe(3);
    expect(out.match(/^(notice: |delegated ).*/gm)).toEqual([
      "notice: The Verify of 1.1 cannot run here: there is no program no-such-tool",
      "notice: The Verify of 1.2 cannot run here: there is no program no-such-tool",
      "notice: The Verify of 1.3 cannot run here: there is no program no-such-tool",
      "notice: Nor can that of 3 other tasks: fixpoint lint spec",
      "delegated 1.1 (attempt 1)",
    ]);
    const trusting = projectWith({ plan: tasks.join("") });
    expect((await run(trusting, "--trust-executor")).out).not.toContain("no-such-tool");
  });

  it("goes on after it was killed behind such a question", async () => {
    const plan = twoTasks.replace("test -e one", "sh -c 'no-such-tool'");
    const project = projectWith({ plan });
    await run(project, "--recovery-mode");
    writeFileSync(project.tasks, read(project.tasks).replace("sh -c 'no-such-tool'", "test -e three"));
    writeExecutor(project.workspace, "[ $id != 1.1.1 ] || [ -e go ] || kill -9 $PPID; touch two three; made");
    expect((await acceptApart(project, await runAgain(project))).signal).toBe("SIGKILL");
    writeFileSync(join(project.workspace, "go"), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(0, 3)).toEqual(["1.1#1", "1.1.1#1", "1.1.1#1"]);
  });

  it.each([0, 1])(
    "leaves the ticks to a person when the Verify could not run, after %i more starts",
    async (starts) => {
      const plan = twoTasks.replace("test -e one", "sh -c 'no-such-tool'");
      const project = projectWith({ plan });
      await run(project);
      for (let made = 0; made < starts; made++) expect((await runAgain(project)).exitCode).toBe(3);
      writeFileSync(project.tasks, read(project.tasks).replace("[ ] 1.1", "[x] 1.1"));
      expect(await runAgain(project)).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining("Done before this run or by hand: 1 task"),
      });
      expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    },
  );
});
