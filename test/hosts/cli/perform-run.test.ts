import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Terminal } from "../../../src/hosts/cli/terminal.ts";
import { clockTime } from "../../../src/wording/render-time.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { eventsIn } from "../../support/traces.ts";
import { callCli } from "./call-cli.ts";
import { clumsy, planText, willing, workspaceWith } from "./sample-spec.ts";

const tasksOf = (workspace: string): string => readFileSync(join(workspace, "specs", "demo", "tasks.md"), "utf8");

describe("fixpoint run", () => {
  it("runs a plan to its end", async () => {
    const workspace = workspaceWith();
    const { exitCode, out, err } = await callCli(workspace, ["run", "demo", "--exec", willing(workspace), "--yes"]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/^Starting execution for 'demo'\n\nTasks: 1\/3 completed\nStarting from task 1\.2\n\n/);
    expect(out).toMatch(/\npassed 1\.3 after 1 attempt\n[\s\S]*\nALL_TASKS_COMPLETE\n$/);
    expect(tasksOf(workspace)).not.toContain("[ ]");
  });

  it("recovers with a fix task, and draws it", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", clumsy(workspace), "--yes", "--recovery-mode"];
    const { exitCode, out } = await callCli(workspace, words, { look: { isTTY: true } });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/ {2}✔ 1\.2\.1 Fix: Verify failed \(exit 1\).*\n/);
    expect(out).toMatch(/\nALL_TASKS_COMPLETE\n$/);
  });

  it("takes executor and limits from the config file beside the spec", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    const config = { exec: clumsy(workspace), recoveryMode: true, maxFixTasksPerOriginal: 0, reporter: "json" };
    writeFileSync(join(workspace, "specs", "demo", "fixpoint.config.json"), JSON.stringify(config));
    const { exitCode, out } = await callCli(workspace, ["run", "--yes", "--max-task-iterations", "2"]);
    const events = eventsIn(out);
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
    await expect(callCli(workspace, words, { look: look("n") })).rejects.toMatchObject({ code: "consent-missing" });
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    const { exitCode, out } = await callCli(workspace, words, { look: look("y") });
    expect(asked).toHaveLength(2);
    expect(out).toContain("\n  Verify: test -f a.txt\n  Verify: test -f b.txt\n");
    expect(exitCode).toBe(0);
  });

  it("refuses a plan that nobody has agreed to", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", willing(workspace)];
    await expect(callCli(workspace, words)).rejects.toMatchObject({ blame: "input", code: "consent-missing" });
    const look = { ask: async () => "y" };
    await expect(callCli(workspace, [...words, "--reporter", "json"], { look })).rejects.toMatchObject({
      code: "consent-missing",
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
    const { exitCode, err } = await callCli(workspace, words, { look: { ask }, signal: interrupt.signal });
    expect({ exitCode, err }).toEqual({ exitCode: 130, err: "Interrupted. Go on: fixpoint run demo\n" });
  });

  it("can be interrupted while it works, and resumed", async () => {
    const workspace = workspaceWith();
    const interrupt = new AbortController();
    const slow = writeScript(workspace, "slow", "cat > prompt.txt; touch started; sleep 30");
    const ended = callCli(workspace, ["run", "--exec", slow, "--yes"], { signal: interrupt.signal });
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    interrupt.abort();
    expect(await ended).toMatchObject({ exitCode: 130, err: "Interrupted. Go on: fixpoint run demo\n" });
    const { exitCode, out } = await callCli(workspace, [
      "resume",
      "--exec",
      willing(workspace),
      "--verifier-exec",
      "true",
    ]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\nALL_TASKS_COMPLETE\n$/);
  });

  it("can be interrupted while it waits", async () => {
    const workspace = workspaceWith();
    const tools = temporaryFolder();
    const resetsAt = Math.ceil(Date.now() / 1000) + 3600;
    const rejected = { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } };
    writeScript(tools, "claude", `cat > /dev/null; echo '${JSON.stringify(rejected)}'; exit 1`);
    vi.stubEnv("PATH", `${tools}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const interrupt = new AbortController();
    let out = "";
    const look: Partial<Terminal> = {
      out: (text) => {
        out += text;
        // It says so, and then begins to wait.
        if (text.startsWith("waiting ")) setTimeout(() => interrupt.abort(), 100);
      },
    };
    const words = ["run", "--executor", "claude", "--yes"];
    const { exitCode, err } = await callCli(workspace, words, { look, signal: interrupt.signal });
    expect({ exitCode, err }).toEqual({ exitCode: 130, err: "Interrupted. Go on: fixpoint run demo\n" });
    const until = clockTime(resetsAt * 1000, Date.now());
    expect(out).toContain(
      `\nwaiting for the rate limit of the executor until ${until} (task 1.2): The service gave no reason\n`,
    );
  });

  it("works in the workspace that it is given", async () => {
    const workspace = workspaceWith();
    const { exitCode } = await callCli("/", [
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

  it("calls known tools by their names, the next when the first cannot work", async () => {
    const workspace = workspaceWith();
    const tools = temporaryFolder();
    const said = (event: object): string => `cat > /dev/null; echo '${JSON.stringify(event)}'`;
    const denied = { type: "result", is_error: true, result: "Not logged in", api_error_status: 401 };
    const done = { type: "item.completed", item: { type: "agent_message", text: "TASK_COMPLETE" } };
    writeScript(tools, "claude", `${said(denied)}; exit 1`);
    writeScript(tools, "codex", `touch a.txt b.txt; ${said(done)}`);
    vi.stubEnv("PATH", `${tools}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const settled = ["--executor-args", "codex: --sandbox workspace-write --skip-git-repo-check"];
    const { exitCode, out } = await callCli(workspace, ["run", "--executor", "claude,codex", ...settled, "--yes"]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\nfailed 1\.2: .*Not logged in.*\ndelegated 1\.2 \(attempt 2\)\npassed 1\.2 /);
    expect(out).toMatch(/\nALL_TASKS_COMPLETE\n$/);
  });

  it("works on [P] tasks side by side, and tells it", async () => {
    const workspace = workspaceWith(planText.replace("1.2 ", "1.2 [P] ").replace("1.3 ", "1.3 [P] "));
    const [file, other] = ["$FIXPOINT_TASK_ID.started", '$([ "$FIXPOINT_TASK_ID" = 1.2 ] && echo 1.3 || echo 1.2)'];
    const meeting = writeScript(
      workspace,
      "meeting",
      `cat > /dev/null; touch "${file}" a.txt b.txt; n=0
while [ ! -e "${other}.started" ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
[ -e "${other}.started" ] && echo TASK_COMPLETE`,
    );
    const { exitCode, out } = await callCli(workspace, ["run", "--exec", meeting, "--yes"]);
    expect(out).toMatch(/\nbegan 1\.2, 1\.3 side by side\ndelegated 1\.\d .*\ndelegated 1\.\d .*\n/);
    expect(out).toMatch(/\nended 1\.2, 1\.3\n/);
    expect(exitCode).toBe(0);
    expect(tasksOf(workspace)).not.toContain("[ ]");
  });

  it("has the result reviewed, and checks the end", async () => {
    const workspace = workspaceWith();
    const judge = writeScript(workspace, "judge", "cat > /dev/null; echo REVIEW_PASS");
    const words = ["run", "--exec", willing(workspace), "--reviewer-exec", judge, "--yes"];
    const first = await callCli(workspace, [...words, "--final-verify", "test -f end.txt"]);
    expect(first.exitCode).toBe(3);
    expect(first.out).toContain("\ndelegated the review of 1.3 (round 1)\nreview of 1.3 passed (round 1)\npassed 1.3 ");
    expect(first.out).not.toContain("ALL_TASKS_COMPLETE");
    const second = await callCli(workspace, [...words, "--final-verify", "off"]);
    expect(second.exitCode).toBe(0);
  });

  it.each([
    [["run"], "no-executor"],
    [["run", "--executor", "cluade"], "preset-unknown"],
    [["run", "--executor", "claude,codex", "--exec", "true"], "bad-option"],
    [["run", "nowhere", "--exec", "true"], "spec-missing"],
    [["run", "--exec", "true", "--max-tokens", "few"], "bad-number"],
    [["resume", "--exec", "true"], "nothing-to-resume"],
  ])("refuses %j", async (words, code) => {
    await expect(callCli(workspaceWith(), words)).rejects.toMatchObject({ blame: "input", code });
  });
});
