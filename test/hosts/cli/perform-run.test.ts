import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../src/hosts/cli/run-cli.ts";
import type { Terminal } from "../../../src/hosts/cli/terminal.ts";
import { writeScript } from "../../support/folder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { clumsy, planText, willing, workspaceWith } from "./sample-spec.ts";

interface Call {
  readonly look?: Partial<Terminal>;
  readonly signal?: AbortSignal;
}

async function call(folder: string, words: readonly string[], { look = {}, signal }: Call = {}) {
  const terminal = fakeTerminal(look);
  const surroundings = { terminal, folder, signal: signal ?? new AbortController().signal };
  return { exitCode: await runCli(words, surroundings, "0.0.0"), ...terminal.printed };
}
const tasksOf = (workspace: string): string => readFileSync(join(workspace, "specs", "demo", "tasks.md"), "utf8");

describe("fixpoint run", () => {
  it("runs a plan to its end", async () => {
    const workspace = workspaceWith();
    const { exitCode, out, err } = await call(workspace, ["run", "demo", "--exec", willing(workspace), "--yes"]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/^Starting execution for 'demo'\n\nTasks: 1\/3 completed\nStarting from task 1\.2\n\n/);
    expect(out).toMatch(/\npassed 1\.3 after 1 attempt\n[\s\S]*\nALL_TASKS_COMPLETE\n$/);
    expect(tasksOf(workspace)).not.toContain("[ ]");
  });

  it("recovers with a fix task, and draws it", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", clumsy(workspace), "--yes", "--recovery-mode"];
    const { exitCode, out } = await call(workspace, words, { look: { isTTY: true } });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/ {2}✔ 1\.2\.1 Fix: Verify failed \(exit 1\).*\n/);
    expect(out).toMatch(/\nALL_TASKS_COMPLETE\n$/);
  });

  it("takes executor and limits from the config file beside the spec", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    const config = { exec: clumsy(workspace), recoveryMode: true, maxFixTasksPerOriginal: 0, reporter: "json" };
    writeFileSync(join(workspace, "specs", "demo", "fixpoint.config.json"), JSON.stringify(config));
    const { exitCode, out } = await call(workspace, ["run", "--yes", "--max-task-iterations", "2"]);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(exitCode).toBe(1);
    expect(events[0]).toMatchObject({
      type: "run.started",
      policy: { recovery: ["fix"], maxFixTasksPerOriginal: 0, maxTaskIterations: 2 },
    });
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "limit", exitCode: 1 });
  });

  it("asks a person before it runs what the plan says", async () => {
    const workspace = workspaceWith();
    const asked: string[] = [];
    const look = (answer: string): Partial<Terminal> => ({
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });
    const words = ["run", "--exec", willing(workspace)];
    await expect(call(workspace, words, { look: look("n") })).rejects.toMatchObject({ code: "verify-unconfirmed" });
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    const { exitCode, out } = await call(workspace, words, { look: look("y") });
    expect(asked).toHaveLength(2);
    expect(out).toContain("\n  test -f a.txt\n  test -f b.txt\n");
    expect(exitCode).toBe(0);
  });

  it("refuses a plan that nobody has agreed to", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", willing(workspace)];
    await expect(call(workspace, words)).rejects.toMatchObject({ blame: "input", code: "verify-unconfirmed" });
    const look = { ask: async () => "y" };
    await expect(call(workspace, [...words, "--reporter", "json"], { look })).rejects.toMatchObject({
      code: "verify-unconfirmed",
    });
  });

  it("can be interrupted while it asks", async () => {
    const workspace = workspaceWith();
    const interrupt = new AbortController();
    const ask = async (): Promise<string> => {
      interrupt.abort();
      throw interrupt.signal.reason;
    };
    const words = ["run", "--exec", willing(workspace)];
    const { exitCode, err } = await call(workspace, words, { look: { ask }, signal: interrupt.signal });
    expect({ exitCode, err }).toEqual({ exitCode: 130, err: "Interrupted. Run the same command again to go on.\n" });
  });

  it("can be interrupted while it works, and resumed", async () => {
    const workspace = workspaceWith();
    const interrupt = new AbortController();
    const slow = writeScript(workspace, "slow", "cat > prompt.txt; touch started; sleep 30");
    const ended = call(workspace, ["run", "--exec", slow, "--yes"], { signal: interrupt.signal });
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    interrupt.abort();
    expect(await ended).toMatchObject({ exitCode: 130, err: "Interrupted. Run the same command again to go on.\n" });
    const { exitCode, out } = await call(workspace, [
      "resume",
      "--exec",
      willing(workspace),
      "--verifier-exec",
      "true",
    ]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\nALL_TASKS_COMPLETE\n$/);
  });

  it("works in the workspace that it is given", async () => {
    const workspace = workspaceWith();
    const { exitCode } = await call("/", [
      "run",
      "--cwd",
      workspace,
      "--exec",
      willing(workspace),
      "--yes",
      "--take-over",
    ]);
    expect(exitCode).toBe(0);
  });

  it.each([
    [["run"], "no-executor"],
    [["run", "nowhere", "--exec", "true"], "spec-missing"],
    [["run", "--exec", "true", "--max-tokens", "few"], "bad-number"],
    [["resume", "--exec", "true"], "nothing-to-resume"],
  ])("refuses %j", async (words, code) => {
    await expect(call(workspaceWith(), words)).rejects.toMatchObject({ blame: "input", code });
  });
});
