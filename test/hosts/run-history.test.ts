import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, resume, run, runAgain } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith, twoTasks, writeExecutor } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";

/** The lines under `## Fix Task History`, without their bullets. */
const history = ({ progress }: Project): string[] =>
  [...read(progress).matchAll(/^- (Task .* - Final: .*)$/gm)].map(([, line]) => line as string);

const plan = twoTasks.replace("test -e two", "test -e two && test -e whole");
/** No fix of 1.2 is accepted. */
const fixesOnly = "touch one two; made";
const oneFix = ["--recovery-mode", "--max-fix-tasks", "1"];

/** A run that a limit stopped behind one fix of 1.2. */
async function stopped(): Promise<Project> {
  const project = projectWith({ plan, script: fixesOnly });
  expect(await run(project, ...oneFix)).toMatchObject({ exitCode: 1 });
  expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: FAIL (max limit)"]);
  return project;
}

describe.concurrent("the line of a task that a limit stopped", () => {
  it("names all its fixes when a higher limit stops it again", async () => {
    const project = await stopped();
    expect(await runAgain(project, "--max-fix-tasks", "2")).toMatchObject({ exitCode: 1 });
    expect(history(project)).toEqual([
      "Task 1.2: 2 fixes attempted (1.2.1 superseded, 1.2.2) - Final: FAIL (max limit)",
    ]);
  });

  it("says PASS when a person has mended it, so that its Verify passes", async () => {
    const project = await stopped();
    writeFileSync(join(project.workspace, "whole"), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: PASS"]);
  });

  it("says PASS when the task passes in a new run, without a fix", async () => {
    const project = await stopped();
    writeExecutor(project.workspace, "touch whole; made");
    expect(await run(project, "--new-run")).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: PASS"]);
  });

  it("says so when a person has ticked the task before a new run", async () => {
    const project = await stopped();
    writeFileSync(project.tasks, read(project.tasks).replaceAll("- [ ]", "- [x]"));
    expect(await run(project, "--new-run")).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: done by hand"]);
  });

  it("follows the task when a person ticks it, and clears it again", async () => {
    const project = await stopped();
    const edit = (from: string, to: string): void =>
      writeFileSync(project.tasks, read(project.tasks).replace(from, to));
    edit("- [ ] 1.2 ", "- [x] 1.2 ");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: done by hand"]);
    edit("- [x] 1.2 ", "- [ ] 1.2 ");
    writeExecutor(project.workspace, "touch whole; made");
    expect(await run(project)).toMatchObject({ exitCode: 0 });
    expect(delegations(project).at(-1)).toMatch(/^1\.2#/);
  });

  it("says of a fix whose place another one has taken that it is superseded", async () => {
    const project = projectWith({
      script:
        "case $id in 1.1) touch one; made;; 1.2) broke 'no two';; 1.2.1) broke 'no tool';; *) broke 'no net';; esac",
    });
    expect(await run(project, "--recovery-mode", "--max-fix-depth", "2")).toMatchObject({ exitCode: 1 });
    expect(history(project)).toEqual([
      "Task 1.2.1: 1 fix attempted (1.2.1.1) - Final: FAIL (max limit)",
      "Task 1.2: 1 fix attempted (1.2.1) - Final: FAIL (max limit)",
    ]);
    // With the tool, 1.2.1 fails as the task did that it was made for.
    writeExecutor(project.workspace, "case $id in 1.2.1) broke 'no two';; 1.2.1.*) made;; *) touch two; made;; esac");
    expect(await runAgain(project, "--max-fix-depth", "3")).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual([
      "Task 1.2.1: 1 fix attempted (1.2.1.1) - Final: superseded",
      "Task 1.2: 2 fixes attempted (1.2.1 superseded, 1.2.2) - Final: PASS",
    ]);
  });
});

it("does no fix in a new run that another has taken the place of in the run before", async () => {
  const project = projectWith({ script: "case $id in 1.1) touch one; made;; *) broke 'no two';; esac" });
  expect(await run(project, "--recovery-mode", "--max-fix-tasks", "3")).toMatchObject({ exitCode: 1 });
  writeExecutor(project.workspace, "touch two; made");
  expect(await run(project, "--new-run")).toMatchObject({ exitCode: 0 });
  expect(delegations(project).slice(-2)).toEqual(["1.2.3#1", "1.2#1"]);
  expect(read(project.tasks).match(/Superseded by.*/g)).toHaveLength(2);
});

/** Plans of which the second task can be skipped: the third is done all the same. */
const three = `${twoTasks}- [ ] 1.3 Third\n`;
const hard = "[ $id = 1.2 ] && broke 'it is hard' || { touch one; made; }";
/** Every answer of a repair operator is this. */
const withOperator = (project: Project, answer: string): string[] => {
  writeScript(project.workspace, "operator.sh", `cat > prompt.md; echo '${answer}'`);
  return ["--repair", "--max-task-iterations", "1", "--operator-exec", "./operator.sh"];
};

describe.concurrent("the line of a task that was left open", () => {
  it("says WAITING at a gate, then SKIPPED when a person says so, then what else becomes of it", async () => {
    const project = projectWith({ plan: three, script: hard });
    expect(await run(project, ...withOperator(project, "ESCALATE: all | which way"))).toMatchObject({ exitCode: 3 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: WAITING"]);
    expect(await resume(project, "--decision", "skip")).toMatchObject({ exitCode: 3 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: SKIPPED"]);
    writeExecutor(project.workspace, "touch two; made");
    expect(await resume(project, "--decision", "retry")).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: PASS"]);
  });

  it("says SKIPPED when the repair operator has pruned it", async () => {
    const project = projectWith({ plan: three, script: hard });
    expect(await run(project, ...withOperator(project, "PRUNE: out of scope"))).toMatchObject({ exitCode: 3 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: SKIPPED"]);
    writeFileSync(project.tasks, read(project.tasks).replace("- [ ] 1.2", "- [x] 1.2"));
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: done by hand"]);
  });

  it("names its fixes at a checkpoint, and says WAITING", async () => {
    const project = projectWith({ plan: three, script: hard });
    const stuck = ["--recovery-mode", "--escalation", "--max-fix-tasks", "1", "--max-total-attempts", "2"];
    expect(await run(project, ...stuck, "--max-pivot-attempts", "0", "--max-research-attempts", "0")).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(/^CHECKPOINT - STUCK\n/),
    });
    expect(history(project)).toEqual(["Task 1.2: 1 fix attempted (1.2.1) - Final: WAITING"]);
  });

  it("is not there for a task that has not failed", async () => {
    const project = projectWith({ plan: three, script: "echo 'BLOCKED: which database'" });
    expect(await run(project)).toMatchObject({ exitCode: 3 });
    expect(history(project)).toEqual([]);
  });

  it("is there for each member of a batch", async () => {
    const plan = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n- [ ] 1.3 [P] Third\n";
    const project = projectWith({ plan, script: "[ $id = 1.2 ] && made || broke 'it is hard'" });
    expect(await run(project, ...withOperator(project, "ESCALATE: all | which way"))).toMatchObject({ exitCode: 3 });
    expect(history(project)).toEqual([
      "Task 1.1: 0 fixes attempted - Final: WAITING",
      "Task 1.3: 0 fixes attempted - Final: WAITING",
    ]);
  });

  it("says WAITING of a member that asks beside one that a limit has stopped", async () => {
    const plan = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n";
    const script = "[ $id = 1.2 ] || until [ -e asked ]; do sleep 0.05; done; broke 'it is hard'";
    const project = projectWith({ plan, script });
    const words = withOperator(project, "ESCALATE: all | which way");
    writeScript(project.workspace, "operator.sh", "cat > prompt.md; touch asked; echo 'ESCALATE: all | which way'");
    // Both attempts and the question about 1.2: none is left for the operator of 1.1.
    expect(await run(project, ...words, "--max-global-iterations", "3")).toMatchObject({ exitCode: 1 });
    expect(history(project)).toEqual(["Task 1.2: 0 fixes attempted - Final: WAITING"]);
  });

  it("goes when the run is taken back", async () => {
    const project = projectWith({ plan: three, script: hard });
    await run(project, ...withOperator(project, "PRUNE: out of scope"));
    expect(await call(project, "reset", project.spec, "--yes")).toMatchObject({ exitCode: 0 });
    expect(existsSync(project.progress)).toBe(false);
  });
});
