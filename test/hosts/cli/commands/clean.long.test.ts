import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeScript } from "../../../support/folder.ts";
import { callCli } from "../call-cli.ts";
import { planText, willing, workspaceWith } from "../sample-spec.ts";

const call = (folder: string, ...words: string[]) => callCli(folder, words);
const runsIn = (workspace: string): string[] =>
  readdirSync(join(workspace, "specs", "demo", ".fixpoint"))
    .filter((name) => name.startsWith("run-"))
    .sort();

async function runAnew(workspace: string, ...words: string[]) {
  writeFileSync(join(workspace, "specs", "demo", "tasks.md"), planText);
  return call(workspace, "run", "--exec", willing(workspace), "--yes", ...words);
}

async function workspaceWithRuns(count: number): Promise<string> {
  const workspace = workspaceWith();
  for (let run = 0; run < count; run++) expect((await runAnew(workspace)).exitCode).toBe(0);
  return workspace;
}

describe("fixpoint clean", () => {
  it("removes all runs except the latest, and reports how much was freed", async () => {
    const workspace = await workspaceWithRuns(3);
    const { exitCode, out } = await call(workspace, "clean");
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^Removed 2 old runs, \d+\.\d KiB: 1, 2\n$/),
    });
    expect(runsIn(workspace)).toEqual(["run-3"]);
    expect((await call(workspace, "clean", "demo")).out).toBe(
      "Nothing to remove: demo has no more than its latest run\n",
    );
    expect((await call(workspace, "status")).out).toContain("last run: complete");
    await runAnew(workspace);
    expect(runsIn(workspace)).toEqual(["run-3", "run-4"]);
  });

  it("keeps the given number of runs", async () => {
    const workspace = await workspaceWithRuns(3);
    expect((await call(workspace, "clean", "demo", "--keep-runs", "2")).out).toMatch(/^Removed 1 old run, .*: 1\n$/);
    expect((await call(workspace, "clean", "demo", "--keep-runs", "2")).out).toBe(
      "Nothing to remove: demo has no more than 2 runs\n",
    );
    expect(runsIn(workspace)).toEqual(["run-2", "run-3"]);
    await expect(call(workspace, "clean", "--keep-runs", "0")).rejects.toMatchObject({ code: "bad-number" });
  });

  it("refuses while a coordinator is running", async () => {
    const workspace = await workspaceWithRuns(1);
    writeFileSync(join(workspace, "specs", "demo", "tasks.md"), planText);
    const exec = writeScript(
      workspace,
      "patient",
      "cat > prompt.txt; touch started; while [ ! -e go ]; do sleep 0.05; done; touch a.txt b.txt; echo TASK_COMPLETE",
    );
    const running = call(workspace, "run", "--exec", exec, "--yes");
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    await expect(call(workspace, "clean")).rejects.toMatchObject({ code: "spec-locked", blame: "environment" });
    expect(runsIn(workspace)).toEqual(["run-1", "run-2"]);
    writeFileSync(join(workspace, "go"), "");
    expect((await running).exitCode).toBe(0);
  });
});

describe("fixpoint run --keep-runs", () => {
  it("removes older runs when a run begins, and counts the new run", async () => {
    const workspace = await workspaceWithRuns(3);
    const { exitCode, out } = await runAnew(workspace, "--keep-runs", "2");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/notice: Removed 2 old runs, \d+\.\d KiB\n/);
    expect(runsIn(workspace)).toEqual(["run-3", "run-4"]);
    expect((await runAnew(workspace)).out).not.toContain("Removed");
    expect(runsIn(workspace)).toEqual(["run-3", "run-4", "run-5"]);
  });

  it("removes nothing when a run resumes", async () => {
    const workspace = await workspaceWithRuns(2);
    writeFileSync(join(workspace, "specs", "demo", "tasks.md"), planText);
    const failing = writeScript(workspace, "failing", "cat > prompt.txt; rm -f a.txt; echo TASK_COMPLETE");
    const words = ["--exec", failing, "--yes", "--max-task-iterations", "1"];
    expect((await call(workspace, "run", ...words)).exitCode).toBe(1);
    const again = await call(
      workspace,
      "run",
      "--max-task-iterations",
      "3",
      "--keep-runs",
      "1",
      "--exec",
      willing(workspace),
    );
    expect(again.exitCode).toBe(0);
    expect(runsIn(workspace)).toEqual(["run-1", "run-2", "run-3"]);
  });

  it("keeps a link that stands in place of an old run", async () => {
    const workspace = await workspaceWithRuns(1);
    symlinkSync("run-1", join(workspace, "specs", "demo", ".fixpoint", "run-0"));
    expect((await runAnew(workspace, "--keep-runs", "1")).exitCode).toBe(0);
    expect(runsIn(workspace)).toEqual(["run-0", "run-2"]);
  });
});
