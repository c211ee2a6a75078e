import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeScript } from "../../../support/folder.ts";
import { beginCli, callCli } from "../call-cli.ts";
import { willing, workspaceWith } from "../sample-spec.ts";

const call = (folder: string, ...words: string[]) => callCli(folder, words);
/** Says that it has begun, and works until the file `go` is there. */
const patient = (workspace: string): string =>
  writeScript(
    workspace,
    "patient",
    `cat > prompt.txt; touch started; n=0
while [ ! -e go ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
touch a.txt b.txt; echo TASK_COMPLETE`,
  );

describe("fixpoint pause", () => {
  it("has a run finish what is under way and begin nothing more, until it is resumed", async () => {
    const workspace = workspaceWith();
    const running = beginCli(workspace, ["run", "--exec", patient(workspace), "--yes"]);
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    const line = `Pausing demo: coordinator ${process.pid} will pause, and finishes 1.2 first. Go on: fixpoint resume demo\n`;
    expect(await call(workspace, "pause", "demo")).toEqual({ exitCode: 0, out: line, err: "" });
    expect((await call(workspace, "pause")).out).toBe(line);
    // It has answered when it was heard.
    expect(running.printed.out).toContain("\npaused: nothing more is delegated");
    writeFileSync(join(workspace, "go"), "");
    await expect.poll(() => running.printed.out).toContain("\npassed 1.2 ");
    expect((await call(workspace, "status")).out).toMatch(
      new RegExp(`^2/3 completed, paused as process ${process.pid}, `),
    );
    expect(JSON.parse((await call(workspace, "status", "--json")).out)).toMatchObject({ paused: true });
    expect((await call(workspace, "pause")).out).toBe(
      `Paused demo: coordinator ${process.pid} starts nothing more. Go on: fixpoint resume demo\n`,
    );

    // Only that it is to go on can be said to it from outside.
    const held = { blame: "environment", code: "spec-locked" };
    const advice = call(workspace, "resume", "--guidance", "x\u001b");
    await expect(advice).rejects.toMatchObject({
      ...held,
      hint: expect.stringContaining("Say it to the run that is going on: fixpoint say guidance "),
    });
    await expect(call(workspace, "resume", "--decision", "skip")).rejects.toMatchObject(held);
    const other = call(workspace, "resume", "--max-fix-tasks", "9");
    await expect(other).rejects.toMatchObject({ ...held, hint: expect.stringContaining("go on as it is") });
    expect(running.printed.out).not.toContain("delegated 1.3");

    const resumed = `Resumed: coordinator ${process.pid} goes on with demo\n`;
    expect(await call("/", "resume", "--cwd", workspace)).toEqual({ exitCode: 0, out: resumed, err: "" });
    expect(await running.ended).toBe(0);
    expect(running.printed.out).toMatch(/\nresumed\ndelegated 1\.3 [\s\S]*\nALL_TASKS_COMPLETE\n$/);
  });

  it("refuses to resume a run that is not paused", async () => {
    const workspace = workspaceWith();
    const exec = patient(workspace);
    const running = beginCli(workspace, ["run", "--exec", exec, "--yes"]);
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    await expect(call(workspace, "resume")).rejects.toMatchObject({
      blame: "environment",
      code: "spec-locked",
      message: `Cannot resume \`demo\`, coordinator ${process.pid} is not paused`,
    });
    await expect(call(workspace, "resume", "--exec", exec)).rejects.toMatchObject({
      code: "spec-locked",
      hint: "Wait for it to end, or end it: fixpoint stop demo",
    });
    writeFileSync(join(workspace, "go"), "");
    expect(await running.ended).toBe(0);
  });

  it("refuses when nobody runs it", async () => {
    const workspace = workspaceWith();
    const refusal = {
      blame: "input",
      code: "nothing-to-pause",
      message: "Cannot pause `demo`, expected a run that is going on here",
      hint: "See where it stands: fixpoint status demo",
    };
    await expect(call(workspace, "pause")).rejects.toMatchObject(refusal);
    expect((await call(workspace, "run", "--exec", willing(workspace), "--yes")).exitCode).toBe(0);
    await expect(call(workspace, "pause")).rejects.toMatchObject(refusal);
    expect(existsSync(join(workspace, "specs", "demo", ".fixpoint", "pause"))).toBe(false);
  });

  it("refuses a spec that is not there", async () => {
    await expect(call(workspaceWith(), "pause", "nowhere")).rejects.toMatchObject({ code: "spec-missing" });
  });
});
