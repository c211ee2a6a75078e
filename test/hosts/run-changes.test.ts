import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChangeType } from "../../src/model/modification-request.ts";
import { atWork, runUntil } from "../support/cli.ts";
import { run, runAccepting, runAgain } from "../support/cli-here.ts";
import { alive } from "../support/processes.ts";
import { copyOf, type Project, projectWith, proposed, twoDone, twoTasks } from "../support/project.ts";
import { boxes, delegations, eventsIn, read, recordsOf } from "../support/traces.ts";

/** What an executor says that asks for tasks, in a file for it to print. */
function writeRequest({ workspace }: Project, type: ChangeType, tasks: readonly string[], claim = ""): void {
  const request = { type, originalTaskId: "1.2", reasoning: "It is more than that", proposedTasks: tasks };
  const said = `I asked.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify(request, null, 2)}\n\`\`\`\n${claim}\n`;
  writeFileSync(join(workspace, "request"), said);
}

/** Asks for other tasks in place of 1.2, as long as they do not stand in the plan. */
const asks =
  "if [ $id = 1.2 ] && ! grep -q '1.2a' \"$plan\"; then touch two; cat request; else touch one two; made; fi";
const completed = ({ progress }: Project): string[] => read(progress).match(/^- \[x\] \S+/gm) ?? [];
const changesIn = (out: string): unknown[] => eventsIn(out).filter(({ type }) => type === "plan.changed");

describe.concurrent("a run whose executor asks for other tasks", () => {
  it("splits a task: its parts take its place", async () => {
    const project = projectWith({ script: asks });
    writeRequest(project, "SPLIT_TASK", [proposed("1.2a", "test -e one"), proposed("1.2b", "test -e two")]);
    const { exitCode, out } = await run(project, "--reporter", "json");
    expect(exitCode).toBe(0);
    expect(changesIn(out)).toMatchObject([{ task: "1.2", change: "SPLIT_TASK", added: ["1.2a", "1.2b"] }]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a", "- [x] 1.2b"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2a#1", "1.2b#1"]);
    expect(completed(project)).toEqual(["- [x] 1.1", "- [x] 1.2a", "- [x] 1.2b"]);
    expect(read(project.tasks).startsWith(twoDone.trimEnd())).toBe(true);
  });

  it("does first what a task needs, and then that task again", async () => {
    const project = projectWith({ script: asks });
    writeRequest(project, "ADD_PREREQUISITE", [proposed("1.2a", "test -e one")]);
    const { exitCode, out } = await run(project, "--reporter", "json", "--max-task-iterations", "1");
    expect(exitCode).toBe(0);
    expect(changesIn(out)).toMatchObject([{ task: "1.2", change: "ADD_PREREQUISITE", added: ["1.2a"] }]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2a", "- [x] 1.2"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2a#1", "1.2#2"]);
  });

  it("does afterwards what follows from a task", async () => {
    const project = projectWith({ script: asks });
    writeRequest(project, "ADD_FOLLOWUP", [proposed("1.2a", "test -e one")], "TASK_COMPLETE");
    const { exitCode, out } = await run(project, "--reporter", "json");
    expect(exitCode).toBe(0);
    expect(changesIn(out)).toMatchObject([{ task: "1.2", change: "ADD_FOLLOWUP", added: ["1.2a"] }]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2a#1"]);
  });

  it("goes on after a kill in the middle of a split, and splits nothing again", async () => {
    const project = projectWith({
      script: `[ $id = 1.2b ] && [ ! -e go ] && { touch started; sleep 60; }; ${asks}`,
    });
    writeRequest(project, "SPLIT_TASK", [proposed("1.2a", "test -e one"), proposed("1.2b", "test -e two")]);
    const { child, end } = await atWork(project);
    child.kill("SIGKILL");
    await end;
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a", "- [ ] 1.2b"]);
    writeFileSync(join(project.workspace, "go"), "");
    // Without --yes: the Verify commands of the parts were agreed to.
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a", "- [x] 1.2b"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2a#1", "1.2b#1", "1.2b#1"]);
    expect(completed(project)).toEqual(["- [x] 1.1", "- [x] 1.2a", "- [x] 1.2b"]);
    expect(alive(project)).toEqual([]);
  });

  it("asks before it takes over Verify commands that nobody has agreed to, and does not have to be asked again", async () => {
    const project = projectWith({ script: `[ $id = 1.1 ] && [ ! -e go ] && { touch started; sleep 60; }; ${asks}` });
    writeRequest(project, "SPLIT_TASK", [proposed("1.2a", "test -e three"), proposed("1.2b", "test -e two")]);
    const { child, end } = await atWork(project);
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    for (const name of ["go", "three"]) writeFileSync(join(project.workspace, name), "");
    const asked = await runAgain(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("test -e three") });
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2"]);
    expect(recordsOf(project, 2).some(({ type }) => type === "planned")).toBe(false);
    expect((await run(project)).exitCode).toBe(3);
    expect(await runAccepting(project, asked)).toMatchObject({ exitCode: 0, err: "" });
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a", "- [x] 1.2b"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1", "1.2a#1", "1.2b#1"]);
  });

  it("goes on behind a split that was agreed to, when the start that made it was killed before it had said so", async () => {
    const project = projectWith({ plan: twoTasks.replace(/ {2}- \*\*Verify.*\n/g, ""), script: asks });
    writeRequest(project, "SPLIT_TASK", [proposed("1.2a", "test -e one"), proposed("1.2b", "test -e two")]);
    expect((await runAgain(project)).exitCode).toBe(3);
    let killed = copyOf(project);
    for (let write = 9; !boxes(killed).includes("- [x] 1.2"); write++) {
      killed = copyOf(project);
      await runUntil(killed, write, "--accept", "any");
    }
    expect(recordsOf(killed, 2).some(({ type }) => type === "answered")).toBe(false);
    expect(await run(killed)).toMatchObject({ exitCode: 0, err: "" });
    expect(boxes(killed)).toEqual(["- [x] 1.1", "- [x] 1.2", "- [x] 1.2a", "- [x] 1.2b"]);
  });
});
