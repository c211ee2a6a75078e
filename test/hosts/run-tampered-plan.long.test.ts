import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAccepting as acceptApart, runAgain as runAgainApart, run as runApart } from "../support/cli.ts";
import { call, run, runAccepting, runAgain } from "../support/cli-here.ts";
import { type Project, projectWith, twoTasks, works, writeExecutor } from "../support/project.ts";
import { boxes, delegations, read } from "../support/traces.ts";

const plan = `# Tasks

Every task keeps the tests green.

## Phase 1: Start

- [ ] 1.1 First
  - **Do**: Make one
  - **Files**: one
  - **Done when**: It is there
  - **Verify**: \`test -e one\`
  - **Commit**: \`feat: one\`
  - _Requirements: R1_
  - Mind the gap

Between the tasks.

## Phase 2: Go on

- [ ] 1.2 Second
  - **Do**: Make two
  - **Files**: two
  - **Done when**: 100 tests pass
  - **Verify**: \`test -e two\`
  - **Commit**: \`feat: two\`
  - _Requirements: R2_
  - Mind the step
    - and the door

  More about it.
- [ ] 1.3 Third
  - **Verify**: \`test -e three\`

Notes after the last task.
`;
const done = plan.replaceAll("[ ]", "[x]");
const all = "touch one two three; made";

const once = (edit: string, then = all): string => `[ $FIXPOINT_KEY = '1.1#1' ] && { ${edit}; }; ${then}`;
const sed = (script: string): string => `sed -i '${script}' "$plan"`;

function inRepository(given: { plan?: string; script?: string }): Project {
  const project = projectWith(given);
  const git = (...words: string[]) => execFileSync("git", ["-C", project.workspace, ...words]);
  git("init", "-q");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "A");
  writeFileSync(join(project.workspace, ".gitignore"), "delegations.log\nexecutor.sh\n");
  git("add", "-A");
  git("commit", "-qm", "plan");
  return project;
}

describe.concurrent("the whole text of open tasks", () => {
  it.each([
    ["title of another", "s/1.2 Second/1.2 Nothing/", 'title of task 1.2 changed from "Second" to "Nothing"'],
    ["Do of another", "s/Make two/Make ten/", "Do of task 1.2 changed"],
    ["Files of another", "s/Files.*: two/Files**: ten/", "Files of task 1.2 changed"],
    [
      "Done when of another",
      "s/100 tests pass/anything/",
      'Done when of task 1.2 changed from "100 tests pass" to "anything"',
    ],
    ["Verify of another", "s/test -e two/true/", "Verify of task 1.2 changed"],
    ["Commit of another", "s/feat: two/feat: ten/", "Commit of task 1.2 changed"],
    [
      "requirements of another",
      "s/R2/R9/",
      'text of task 1.2 changed from "- _Requirements: R2_" to "- _Requirements: R9_"',
    ],
    ["bullet of another", "s/Mind the step/Mind nothing/", "text of task 1.2 changed"],
    ["nested bullet of another", "s/and the door/and no door/", "text of task 1.2 changed"],
    ["prose of another", "s/More about it/Nothing about it/", "text of task 1.2 changed"],
    ["a note in another", "s/.*Mind the step/&\\n  - Skip it/", "text of task 1.2 changed from nothing"],
    ["a line of another that is gone", "/Mind the step/d", "text of task 1.2 changed"],
    ["text before the first", "s/tests green/tests red/", "text above task 1.1 changed"],
    ["heading of the document", "s/^# Tasks/# Jokes/", "text above task 1.1 changed"],
    ["heading of a phase", "s/Phase 2: Go on/Phase 2: Stop/", "text above task 1.2 changed"],
    ["text between tasks", "s/Between the tasks/Skip 1.2/", "text above task 1.2 changed"],
    ["text after the last", "s/Notes after/Nothing after/", "text after the last task changed"],
    ["title of its own", "s/1.1 First/1.1 Nothing/", "title of task 1.1 changed"],
    ["Do of its own", "s/Make one/Make nothing/", "Do of task 1.1 changed"],
    ["a step in its own Do", "s/.*Make one/&\\n    - or not/", "Do of task 1.1 changed"],
    ["Files of its own", "s/Files.*: one/Files**: ten/", "Files of task 1.1 changed"],
    ["Done when of its own", "s/It is there/Whatever/", "Done when of task 1.1 changed"],
    ["Verify of its own", "s/test -e one/true/", "Verify of task 1.1 changed"],
    ["Commit of its own", "s/feat: one/feat: ten/", "Commit of task 1.1 changed"],
    ["requirements of its own", "s/R1/R9/", "text of task 1.1 changed"],
    ["label of its own, used twice", "s/.*Mind the gap/&\\n  - **Done when**: it runs/", "text of task 1.1 changed"],
    ["bullet of its own", "s/Mind the gap/Mind nothing/", "text of task 1.1 changed"],
  ])("raises a question if an executor changes the %s", async (_what, script, told) => {
    const project = projectWith({ plan, script: once(sed(script)) });
    const { exitCode, err } = await run(project);
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: expect.stringContaining(told) });
    expect(read(project.tasks)).not.toContain("[x]");
    // Exit code 2: the changed Verify still needs consent.
    expect((await runAgain(project)).exitCode).toBe(script.includes("test -e") && script.includes("true") ? 3 : 2);
    writeFileSync(project.tasks, plan);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(done);
  });

  it("raises a question if an executor changes their order", async () => {
    const [one, two, three] = ["1.1 A", "1.2 B", "1.3 C"].map((name) => `- [ ] ${name}\n`) as [string, string, string];
    const project = projectWith({ plan: one + two + three, script: once('cat moved > "$plan"') });
    writeFileSync(join(project.workspace, "moved"), one + three + two);
    expect(await run(project)).toMatchObject({ exitCode: 3, err: expect.stringMatching(/task 1\.[23] was moved/) });
  });

  it("is accepted by a person by its hash, and no other", async () => {
    const project = projectWith({ plan, script: once(sed("s/100 tests pass/anything/")) });
    await run(project);
    const asked = await runAgain(project);
    writeFileSync(project.tasks, read(project.tasks).replace("anything", "nothing"));
    expect((await runAccepting(project, asked)).exitCode).toBe(2);
    expect((await runAccepting(project, await runAgain(project))).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(done.replace("100 tests pass", "nothing"));
  });

  it("raises a question even if the coordinator was killed after the change", async () => {
    const edit = `${sed("s/100 tests pass/anything/")}; ${sed("s/Make one/Make nothing/")}; kill -9 $PPID`;
    const project = projectWith({ plan, script: once(edit) });
    await runApart(project);
    const asked = await runAgainApart(project);
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining("Done when of task 1.2 changed") });
    expect(asked.err).toContain("Do of task 1.1 changed");
    expect((await acceptApart(project, asked)).exitCode).toBe(0);
  });

  it.each([
    ["blanks at ends of lines", sed("s/$/  /")],
    ["other line endings", sed("s/$/\\r/")],
    ["other blank lines", sed("s/^## .*/\\n&\\n/")],
    ["its own tick", sed("s/\\[ \\] 1.1/[x] 1.1/")],
    ["a note in its own block", sed("s/.*Mind the gap/&\\n  - One is made/")],
    ["notes at the end of the plan", `echo "One is made." >> "$plan"`],
  ])("may have %s", async (_what, edit) => {
    const project = projectWith({ plan, script: once(edit) });
    expect((await run(project)).exitCode).toBe(0);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.3"]);
  });

  it("may contain notes that an executor writes and changes", async () => {
    const notes = `${sed("/A note/d")}; ${sed("s/.*Mind the gap/&\\n  - A note of $FIXPOINT_KEY/").replaceAll("'", '"')}`;
    const script = `[ $id = 1.1 ] && { ${notes}; }; [ $FIXPOINT_KEY = '1.1#1' ] && exit 1; ${all}`;
    const project = projectWith({ plan, script });
    expect((await run(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(done.replace("Mind the gap\n", "Mind the gap\n  - A note of 1.1#2\n"));
  });

  it("may be changed by a person between two starts", async () => {
    const project = projectWith({ plan, script: "made" });
    expect((await run(project, "--max-task-iterations", "1")).exitCode).toBe(1);
    const rewritten = plan.replace("100 tests", "9 tests").replace("# Tasks", "# Work").replace("Mind the gap", "Gap");
    writeFileSync(project.tasks, rewritten);
    writeExecutor(project.workspace, all);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(rewritten.replaceAll("[ ]", "[x]"));
  });
});

describe.concurrent("a duplicate id", () => {
  const never = "- [ ] 1.1 A\n  - **Verify**: `true`\n- [ ] 1.2 B\n  - **Verify**: `false`\n";
  const tick = (id: string): string => sed(`s/\\[ \\] ${id}/[x] ${id}/`);
  const append = (line: string): string => `printf '%s\\n' '${line}' >> "$plan"`;

  async function expectOpen(project: Project, end: { exitCode: number | null; out: string }): Promise<void> {
    expect(end.out).not.toContain("ALL_TASKS_COMPLETE");
    expect(end.exitCode).not.toBe(0);
    expect(read(project.tasks)).not.toContain("[x] 1.2");
  }

  it.each([
    ["one more, and both are ticked", `${tick("1.2")}; ${append("- [x] 1.2 B")}`],
    ["two more, all ticked", `${tick("1.2")}; ${append("- [x] 1.2 B")}; ${append("- [x] 1.2 B")}`],
    ["one before it", `${tick("1.2")}; sed -i '1i - [x] 1.2 B' "$plan"`],
    ["one within it", `${tick("1.2")}; ${append("  - [x] 1.2 B")}`],
  ])("leaves no tick of a task that was not accepted: %s", async (_what, edit) => {
    const project = projectWith({ plan: never, script: `[ $id = 1.2 ] && { ${edit}; }; made` });
    expect((await run(project)).exitCode).toBe(3);
    expect(read(project.tasks)).toContain("[x] 1.1 A");
    expect(read(project.tasks)).not.toContain("[x] 1.2");
    expect((await runAgain(project, "--accept", "any")).exitCode).toBe(2);
    writeExecutor(project.workspace, "made");
    const lines = read(project.tasks).split("\n");
    const isKept = (line: string, at: number): boolean =>
      !line.includes("] 1.2 B") || (line.startsWith("- ") && lines[at + 1]?.includes("false") === true);
    writeFileSync(project.tasks, lines.filter(isKept).join("\n"));
    await expectOpen(project, await runAgain(project, "--max-task-iterations", "2"));
  });

  it("accepts the text of the other task by its hash, but no tick", async () => {
    const edit = `${tick("1.2")}; ${append("- [x] 1.2 B")}`;
    const project = projectWith({ plan: never, script: `[ $id = 1.2 ] && { ${edit}; }; made` });
    await run(project);
    writeFileSync(project.tasks, read(project.tasks).replace(/1\.2 B\n$/, "1.3 B\n"));
    writeExecutor(project.workspace, "made");
    const asked = await runAgain(project, "--max-task-iterations", "2");
    expect(asked.exitCode).toBe(2);
    await expectOpen(project, await runAccepting(project, asked, "--max-task-iterations", "2"));
  });

  it("keeps the tick of an accepted task, and gives none to its duplicate", async () => {
    const project = projectWith({
      plan: never,
      script: `[ $FIXPOINT_KEY = '1.2#1' ] && { ${append("- [ ] 1.1 A")}; }; made`,
    });
    expect((await run(project)).exitCode).toBe(3);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2", "- [ ] 1.1"]);
    writeFileSync(project.tasks, read(project.tasks).replace("- [ ] 1.1 A\n", ""));
    await runAgain(project, "--max-task-iterations", "2");
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toEqual(["1.1#1"]);
  });

  it("gives no tick to a task that takes the id of an accepted one", async () => {
    const swap = sed("s/1\\.1 A/1.9 A/; s/1\\.2 B/1.1 B/; s/1\\.9 A/1.2 A/");
    const project = projectWith({ plan: never, script: `[ $FIXPOINT_KEY = '1.2#1' ] && { ${swap}; }; made` });
    expect((await run(project)).exitCode).toBe(3);
    const swapped = read(project.tasks);
    expect(swapped).not.toContain("] 1.1 B\n".replace("]", "[x]"));
    const back = swapped.replace("1.1 B", "1.9 B").replace("1.2 A", "1.1 A").replace("1.9 B", "1.2 B");
    writeFileSync(project.tasks, back);
    await expectOpen(project, await runAgain(project, "--max-task-iterations", "2"));
  });

  it("leaves no tick of a batch member, whichever member set it", async () => {
    const batch = never.replace("1.1 A", "1.1 [P] A").replace("1.2 B", "1.2 [P] B");
    const edit = `${tick("1.2")}; ${append("- [x] 1.2 [P] B")}; ${append("- [x] 1.1 [P] A")}`;
    const project = projectWith({
      plan: batch,
      script: `[ $FIXPOINT_KEY = '1.2#1' ] && { ${edit}; touch doubled; }
      [ $FIXPOINT_KEY = '1.1#1' ] && while [ ! -e doubled ]; do sleep 0.02; done; made`,
    });
    expect((await run(project)).exitCode).toBe(3);
    expect(read(project.tasks)).not.toContain("[x] 1.2");
    expect(read(project.tasks)).not.toContain("[x] 1.1 [P] A\n- ");
    expect(read(project.tasks)).not.toMatch(/\[x\] 1\.1 \[P\] A\n$/);
  });

  it("leaves no tick of a fix task", async () => {
    const edit = `${tick("1.2.1")}; ${append("- [x] 1.2.1 [FIX 1.2] B")}`;
    const script = `[ $id = 1.2 ] && { broke 'it is hard'; exit; }; [ $id = 1.2.1 ] && { ${edit}; }; made`;
    const project = projectWith({ plan: never, script });
    expect((await run(project, "--recovery-mode")).exitCode).toBe(3);
    expect(read(project.tasks)).not.toContain("[x] 1.2.1");
  });

  it("raises a question about ticks that were set right before a kill", async () => {
    const edit = `${tick("1.2")}; ${append("- [x] 1.2 B")}; kill -9 $PPID`;
    const project = projectWith({ plan: never, script: `[ $id = 1.2 ] && { ${edit}; }; made` });
    await runApart(project);
    expect((await runAgainApart(project)).exitCode).toBe(2);
    writeFileSync(project.tasks, read(project.tasks).replace(/- \[x\] 1\.2 B\n$/, ""));
    writeExecutor(project.workspace, "made");
    await expectOpen(project, await runAgainApart(project, "--max-task-iterations", "2"));
  });

  it("loses its ticks even if the program is stopped before it checks the plan", async () => {
    const edit = `${tick("1.2")}; ${append("- [x] 1.2 B")}; kill -INT $PPID; sleep 60`;
    const project = projectWith({ plan: never, script: `[ $id = 1.2 ] && { ${edit}; }; made` });
    expect((await runApart(project)).exitCode).toBe(130);
    expect(read(project.tasks)).not.toContain("[x] 1.2");
  });

  it("keeps a tick that a person sets after the question", async () => {
    const edit = `${tick("1.2")}; ${append("- [x] 1.2 B")}`;
    const project = projectWith({ plan: never, script: `[ $id = 1.2 ] && { ${edit}; }; made` });
    await run(project);
    writeFileSync(project.tasks, never.replaceAll("[ ]", "[x]"));
    expect(await runAgain(project)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("Done before this run or by hand: 1 task"),
    });
  });
});

describe.concurrent("a plan that an executor restores to an older text", () => {
  const three = "- [ ] 1.1 A\n  - **Verify**: `test -e d1`\n- [ ] 1.2 B\n  - **Verify**: `test -e d2`\n";
  const work = `touch d\${id#1.}; made`;

  it.each([
    ["git checkout", 'git checkout -q -- "$plan"'],
    ["git checkout of everything", "git checkout -q -- ."],
    ["git stash", "git stash -q"],
    ["git reset", "git reset -q --hard"],
    ["an old buffer", '[ -e old ] || cp "$plan" old; cat old > "$plan"'],
    ["an old buffer that replaces the file", '[ -e old ] || cp "$plan" old; cp old new; mv new "$plan"'],
  ])("loses no tick, and costs no attempt: %s", async (_what, edit) => {
    const project = inRepository({ plan: three, script: `${edit}; ${work}` });
    const { exitCode, out } = await run(project);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/notice: .*1\.1/) });
    expect(out).not.toContain("rejected");
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(three.replaceAll("[ ]", "[x]"));
    expect((await call(project, "why", "1.2", "spec")).out).toMatch(/checkmarks: accepted: ticked again: 1\.1/);
  });

  it("does not affect the verdict on the claim", async () => {
    const script = `git checkout -q -- .; [ $id = 1.1 ] && touch d1; made`;
    const project = inRepository({ plan: three, script });
    const { exitCode, out } = await run(project, "--max-task-iterations", "1");
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: expect.stringContaining("failed 1.2: Verify failed") });
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2"]);
  });

  it("does not hide a foreign tick", async () => {
    const script = `git checkout -q -- .; [ $FIXPOINT_KEY = '1.2#1' ] && ${sed("s/\\[ \\] 1.3/[x] 1.3/")}; ${work}`;
    const project = inRepository({ plan: `${three}- [ ] 1.3 C\n  - **Verify**: \`true\`\n`, script });
    const { exitCode, out } = await run(project);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.not.stringContaining("rejected") });
    // Verify proves the work, so a foreign tick is only reported and cleared.
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.3#1"]);
    expect((await call(project, "why", "1.2", "spec")).out).toContain("1.3");
  });

  it("gets the fix tasks of the run again", async () => {
    const script = `git checkout -q -- .; [ $FIXPOINT_KEY = '1.2#1' ] && { broke 'it is hard'; exit; }
      [ $id = 1.1 ] && touch d1 || touch d2; made`;
    const project = inRepository({ plan: three, script });
    const { exitCode, out, err } = await run(project, "--recovery-mode");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/notice: .*1\.2\.1/);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2.1"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2.1#1"]);
    expect((await call(project, "why", "1.2", "spec")).out).toContain("restored: 1.2.1");
  });

  it("keeps the executor's own tick if ticks are required", async () => {
    const script = `git checkout -q -- .; ${sed("s/\\[ \\] '$id'/[x] '$id'/")}; [ $FIXPOINT_KEY = '1.2#1' ] && { broke 'it is hard'; exit; }
      [ $id = 1.1 ] && touch d1 || touch d2; made`;
    const project = inRepository({ plan: three, script });
    const end = await run(project, "--recovery-mode", "--require-executor-tick");
    expect({ exitCode: end.exitCode, err: end.err }).toEqual({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2.1#1"]);
  });

  it("raises a question if more than the run's own writes were lost", async () => {
    const script = `git checkout -q -- .; [ $FIXPOINT_KEY = '1.2#1' ] && { broke 'it is hard'; exit; }
      touch d\${id#1.} d2; made`;
    const project = inRepository({ plan: three, script });
    writeFileSync(project.tasks, `${read(project.tasks)}- [ ] 1.3 C\n`);
    expect(await run(project)).toMatchObject({ exitCode: 3, err: expect.stringContaining("task 1.3 vanished") });
  });
});

describe.concurrent("a tick lost by a save before a kill", () => {
  const batch = "- [ ] 1.1 [P] A\n  - **Verify**: `test -e d1`\n- [ ] 1.2 [P] B\n  - **Verify**: `test -e d2`\n";
  const save = `cp "$plan" old; while ! grep -q 1.1#1/recordPass spec/.fixpoint/run-1/*.ndjson; do sleep 0.02; done; cat old > "$plan"`;
  const script = `[ $FIXPOINT_KEY = '1.2#1' ] && [ ! -e killed ] && { ${save}; touch killed; kill -9 $PPID; sleep 60; }
    touch d\${id#1.}; made`;

  it("is restored by the next start, which reports it and does not delegate the task again", async () => {
    const project = projectWith({ plan: batch, script });
    expect((await runApart(project)).signal).toBe("SIGKILL");
    expect(boxes(project)).toEqual(["- [ ] 1.1", "- [ ] 1.2"]);
    const { exitCode, out, err } = await runAgainApart(project);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/notice: .*1\.1/);
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toEqual(["1.1#1"]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2"]);
  });

  it("counts as cleared by a person once the run has reported its end", async () => {
    const project = projectWith({ plan: batch, script: "[ $id = 1.1 ] && touch d1; made" });
    expect((await run(project, "--max-task-iterations", "1")).exitCode).toBe(1);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2"]);
    writeFileSync(project.tasks, batch);
    writeExecutor(project.workspace, "touch d1 d2; made");
    expect((await runAgain(project, "--max-task-iterations", "2")).exitCode).toBe(0);
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toHaveLength(2);
  });

  it("counts as cleared by a person after a kill during another task", async () => {
    const kill = "[ $FIXPOINT_KEY = '1.2#1' ] && [ ! -e killed ] && { touch killed; kill -9 $PPID; }";
    const project = projectWith({ plan: twoTasks, script: `${kill}; ${works}` });
    await runApart(project);
    expect(existsSync(join(project.workspace, "killed"))).toBe(true);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2"]);
    writeFileSync(project.tasks, twoTasks);
    expect((await runAgainApart(project)).exitCode).toBe(0);
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toHaveLength(2);
  });
});
