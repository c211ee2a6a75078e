import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Explanation } from "../../../../src/model/explanation.ts";
import { writeScript } from "../../../support/folder.ts";
import { callCli } from "../call-cli.ts";
import { clumsy, planText, willing, workspaceWith } from "../sample-spec.ts";

const call = (folder: string, ...words: string[]) => callCli(folder, words);
const run = (workspace: string, executor: string, ...words: string[]) =>
  call(workspace, "run", "--exec", executor, "--yes", ...words);
const why = async (workspace: string, ...words: string[]): Promise<string> =>
  (await call(workspace, "why", ...words)).out.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>");

describe("fixpoint why", () => {
  it("explains why a task has no attempts: what comes first", async () => {
    expect(await why(workspaceWith(), "1.3")).toBe(
      "1.3 Third: open\n\nThe task was not attempted yet. What would change this:\n- 1.2 comes first: fixpoint why 1.2 demo\n",
    );
    expect(await why(workspaceWith(), "1.1")).toBe(
      "1.1 First: passed\n\nNo executor worked on this task: its box was ticked by hand, or before this run.\n",
    );
    expect(await why(workspaceWith(), "1.2")).toContain("- start the task now: fixpoint run demo\n");
  });

  it("shows the fixes of a task, and each decision with its counts and with what would change it", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    await run(workspace, clumsy(workspace), "--recovery-mode", "--max-fix-tasks", "1", "--max-fix-depth", "1");
    const told = await why(workspace, "1.2", "demo");
    expect(told).toMatch(/^1\.2 Second: stopped at a limit\n\n1\. <time> start 1 of the run, with fix\n/);
    expect(told).toMatch(
      /^2\. <time> delegated 1\.2 \(attempt 1\)\n3\. <time> verdict on 1\.2 \(attempt 1\): failed\n {3}signal: accepted$/m,
    );
    expect(told).toMatch(/^ {3}Verify ran in \d+m?s: test -d a\.txt$/m);
    expect(told).toMatch(/^\d+\. <time> decided for 1\.2: write a fix task\n +fix: 0 of 1 used \(--max-fix-tasks\)$/m);
    expect(told).toMatch(/^ +fix: passed over, 1 of 1 used \(--max-fix-tasks of 1\.2\)$/m);
    expect(told).toContain(
      "What would change this:\n- raise --max-fix-tasks, which is 1: fixpoint run demo --max-fix-tasks 2\n",
    );
    expect(told).toMatch(/^- do 1\.2\.1 by hand and tick its box in line 10 of tasks\.md$/m);
    expect(await why(workspace, "1.2.1")).toMatch(/^1\.2\.1 .*: stopped at a limit\nA fix of 1\.2\.\n\n1\. /);
  });

  it("prints the same as JSON that matches its schema", async () => {
    const workspace = workspaceWith();
    await run(workspace, willing(workspace));
    const { exitCode, out } = await call(workspace, "why", "1.2", "--json");
    expect(exitCode).toBe(0);
    expect(Explanation.strict().parse(JSON.parse(out))).toMatchObject({ spec: "demo", task: "1.2", state: "passed" });
    expect(await why(workspace, "1.2")).toMatch(/\n\nThe task is done: nothing is left to change\.\n$/);
  });

  it("refuses an unknown task, and suggests the nearest", async () => {
    const workspace = workspaceWith();
    await expect(call(workspace, "why", "1.22")).rejects.toMatchObject({
      code: "task-not-found",
      blame: "input",
      hint: "Did you mean 1.2?",
    });
    await expect(call(workspace, "why", "something")).rejects.toMatchObject({
      hint: expect.stringContaining("status"),
    });
    await expect(call(workspace, "why", "demo", "1.2")).rejects.toMatchObject({
      ...{ code: "spec-missing", hint: "The task comes before the spec: fixpoint why 1.2 demo" },
    });
    await expect(call(workspace, "logs", "demo", "1.2")).rejects.toMatchObject({
      hint: "The task comes before the spec: fixpoint logs 1.2 demo",
    });
    await expect(call(workspace, "why")).rejects.toMatchObject({ code: "bad-usage" });
    await expect(call(workspace, "why", "1.2", "demo", "more")).rejects.toMatchObject({ code: "bad-usage" });
  });

  it("shows output of executors as text, truncated if it is long", async () => {
    const workspace = workspaceWith();
    const hostile = writeScript(
      workspace,
      "hostile",
      `cat > prompt.txt; printf 'Task %s: it FAILED\\n- Error: \\033[2J\\342\\200\\256evil%s\\n- Attempted fix: \\007\\n- Status: b\\n' "$FIXPOINT_TASK_ID" "$(printf 'x%.0s' $(seq 1 900))"; echo ALL_TASKS_COMPLETE`,
    );
    await run(workspace, hostile, "--max-task-iterations", "1");
    const { out } = await call(workspace, "why", "1.2");
    expect(out).toContain("\\x1b[2J\\u202eevil");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(400);
    expect((await call(workspace, "why", "1.2", "--json")).out).not.toMatch(/\u202e/);
  });

  it("changes nothing, and reads a journal up to its torn end", async () => {
    const workspace = workspaceWith();
    await run(workspace, clumsy(workspace), "--max-task-iterations", "1");
    const folder = join(workspace, "specs", "demo");
    appendFileSync(join(folder, ".fixpoint", "run-1", "journal-1.ndjson"), '{"n":99,"at":1,"type":"delega');
    const before = contentOf(folder);
    const { exitCode, out } = await call(workspace, "why", "1.2");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/delegated 1\.2 \(attempt 1\)/);
    expect(contentOf(folder)).toEqual(before);
  });
});

describe("fixpoint resume", () => {
  it("lists the answers to the open question for an unknown one", async () => {
    const workspace = workspaceWith();
    const asks = writeScript(workspace, "asks", "cat > prompt.txt; echo 'BLOCKED: SQLite or Postgres?'");
    expect((await run(workspace, asks)).exitCode).toBe(3);
    await expect(call(workspace, "resume", "demo", "--decision", "abort")).rejects.toMatchObject({
      code: "bad-option",
      message: "Cannot use --decision `abort`, expected one of retry, skip, stop",
      hint: expect.stringContaining("Retry the task: fixpoint resume demo --decision retry\n"),
    });
  });
});

const contentOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "utf8") : entry.name,
  );
