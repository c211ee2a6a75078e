import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Segment } from "../../../../src/adapters/journal/journal-segment.ts";
import { readJournal } from "../../../../src/adapters/journal/read-journal.ts";
import { readStatus } from "../../../../src/hosts/node/reading/read-status.ts";
import { writeScript } from "../../../support/folder.ts";
import { takeJournal } from "../../../support/forced-lease.ts";
import { callCli } from "../call-cli.ts";
import { clumsy, planText, willing, workspaceWith } from "../sample-spec.ts";

const call = async (folder: string, ...words: string[]): Promise<string> => (await callCli(folder, words)).out;

describe("fixpoint status", () => {
  it("lists a plan without a run", async () => {
    expect(await call(workspaceWith(), "status")).toBe(
      "1/3 completed\npassed 1.1 First\nopen 1.2 Second\nopen 1.3 Third\n",
    );
  });

  it("reports which file the system refuses to read, and why", async () => {
    const workspace = workspaceWith();
    const folderAt = (path: string): string => {
      rmSync(join(workspace, path));
      return mkdirSync(join(workspace, path), { recursive: true }) as string;
    };
    const refusal = (path: string) => ({
      ...{ blame: "environment", code: "file-refused" },
      message: expect.stringContaining(`${path}\`, expected a regular file, found a folder`),
    });
    const plan = folderAt("specs/demo/tasks.md");
    expect(() => readStatus(join(workspace, "specs/demo"))).toThrow(expect.objectContaining(refusal(plan)));
    const active = folderAt("specs/.current-spec");
    await expect(call(workspace, "status")).rejects.toMatchObject(refusal(active));
  });

  it("reports a missing plan", () => {
    const folder = join(workspaceWith(), "specs/demos");
    expect(() => readStatus(folder)).toThrow(
      expect.objectContaining({ blame: "input", code: "tasks-missing", hint: "Write the plan there first" }),
    );
  });

  it("shows where a run stopped, with its fix tasks", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    const limits = ["--recovery-mode", "--max-fix-tasks", "1", "--max-fix-depth", "1"];
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", ...limits);
    const found = await call(workspace, "status", "demo");
    expect(found).toMatch(/^1\/3 completed, last run: limit, 2 delegations, [\d]+m?s\npassed 1\.1 First\n/);
    expect(found).toMatch(/^open 1\.2 Second \(1 attempt\): Verify failed \(exit 1\).*$/m);
    expect(found).toMatch(/^ {2}failed 1\.2\.1 .*\(1 attempt\)/m);
    const json: unknown = JSON.parse(await call(workspace, "status", "--json"));
    expect(json).toMatchObject({ spec: "demo", total: 3, completed: 1, outcome: "limit", running: null });
  });

  it("shows how many checks fail, for open tasks only", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "sh ./check"));
    writeFileSync(
      join(workspace, "check"),
      "if [ $1 = a.txt ] || [ -e mended ]; then exit 0; fi; echo 1..2; echo not ok 1 - adds; echo ok 2 - takes; exit 1\n",
    );
    const words = ["run", "--exec", willing(workspace), "--yes", "--max-task-iterations"];
    await call(workspace, ...words, "1");
    expect(await call(workspace, "status")).toMatch(
      /^failed 1\.3 Third \[1 of 2 failing, was 1, the same checks\] \(1 attempt\): Verify failed/m,
    );
    writeFileSync(join(workspace, "mended"), "");
    await call(workspace, ...words, "2");
    expect(await call(workspace, "status")).toMatch(/^passed 1\.3 Third/m);
    expect(await call(workspace, "status")).not.toContain("failing]");
  });

  it("shows the same after a start that did nothing", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", "--escalation");
    const before = await call(workspace, "status");
    expect(before).toContain("last run: checkpoint");
    const reading = readJournal(join(workspace, "specs/demo/.fixpoint"));
    const { policy, planHash, open } = (reading.segments[0] as Segment).header;
    takeJournal(reading, reading.run, { policy, planHash, open }).close();
    expect(await call(workspace, "status")).toBe(before);
  });

  it("shows skipped tasks, with all tasks made for them", async () => {
    const workspace = workspaceWith();
    const operator = writeScript(
      workspace,
      "operator",
      "cat > asked.txt; echo 'PRUNE: the file\u001b[2J is of no use'",
    );
    const lazy = writeScript(workspace, "lazy", "cat > prompt.txt; touch b.txt; echo TASK_COMPLETE");
    const words = ["run", "--exec", lazy, "--operator-exec", operator, "--yes"];
    await call(workspace, ...words, "--recovery-mode", "--repair", "--max-fix-tasks", "1", "--max-fix-depth", "1");
    const found = await call(workspace, "status");
    expect(found).toMatch(/^2\/3 completed, 1 skipped, last run: skipped, /);
    expect(found).toMatch(/^skipped 1\.2 Second \(1 attempt\): the file is of no use$/m);
    expect(found).toMatch(/^ {2}skipped 1\.2\.1 Fix.*\(1 attempt\)$/m);
    expect(found).not.toContain("\u001b");
    const json: unknown = JSON.parse(await call(workspace, "status", "--json"));
    expect(json).toMatchObject({ outcome: "skipped", resumable: true, question: null, paused: false });
  });

  it("labels counts of a whole tree as such, not as attempts of its root", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    const limits = ["--recovery-mode", "--max-fix-tasks", "1", "--max-fix-depth", "1", "--escalation"];
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", ...limits);
    expect(await call(workspace, "status")).toMatch(
      /^open 1\.2 Second \[checkpoint\] \(1 attempt; in the whole tree: 3 for pivot, 3 for research\): /m,
    );
  });

  it("shows a pending question, live and after an interrupt", async () => {
    const workspace = workspaceWith();
    const operator = writeScript(workspace, "operator", "cat > asked.txt; echo 'ESCALATE: all | which way'");
    const lazy = writeScript(workspace, "lazy", "cat > prompt.txt; echo TASK_COMPLETE");
    const words = ["run", "--exec", lazy, "--operator-exec", operator, "--yes", "--repair"];
    const interrupt = new AbortController();
    let live: string[] = [];
    const ask = async (): Promise<string> => {
      live = [await call(workspace, "status"), await call(workspace, "why", "1.2")];
      interrupt.abort();
      throw interrupt.signal.reason;
    };
    await callCli(workspace, words, { look: { ask }, signal: interrupt.signal });
    expect(live[0]).toMatch(
      /, running as process [\s\S]*\nopen 1\.2 [\s\S]*\n\nTask 1\.2 waits for a person: answer in the terminal of the run, or from here\nRetry the task: fixpoint say retry demo\nSkip the task: fixpoint say skip demo\nEnd the run: fixpoint say stop demo\n$/,
    );
    expect(live[1]).toMatch(
      /^1\.2 Second: waits for a person\n[\s\S]*\n- answer the open question, in the terminal of the run or with fixpoint say\n$/,
    );
    expect(await call(workspace, "status")).toMatch(
      /\n\nTask 1\.2 waits for a person: its question was not answered\nRetry the task: fixpoint resume demo --decision retry\nSkip the task: fixpoint resume demo --decision skip\nEnd the run: fixpoint resume demo --decision stop\n$/,
    );
    expect(await call(workspace, "why", "1.2")).toMatch(/^1\.2 Second: waits for a person\n[\s\S]*--decision skip\n/);
  });

  it("says whether a start would resume the run", async () => {
    const workspace = workspaceWith();
    const isResumable = async () => JSON.parse(await call(workspace, "status", "--json")).resumable;
    expect(await isResumable()).toBe(false);
    await call(workspace, "run", "--exec", willing(workspace), "--yes", "--max-global-iterations", "1");
    expect(await isResumable()).toBe(true);
    await call(workspace, "run", "--exec", willing(workspace), "--yes", "--max-global-iterations", "9");
    expect(await isResumable()).toBe(false);
  });
});
