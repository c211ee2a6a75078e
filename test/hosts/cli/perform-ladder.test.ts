import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../src/hosts/cli/terminal.ts";
import { writeScript } from "../../support/folder.ts";
import { eventsIn } from "../../support/traces.ts";
import { callCli } from "./call-cli.ts";
import { showOn } from "./fake-screen.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { willing, workspaceWith } from "./sample-spec.ts";

/** Does the last task, and never the one before it. */
const halfway = (workspace: string): string =>
  writeScript(workspace, "halfway", "cat > prompt.txt; touch b.txt; echo TASK_COMPLETE");
/** Does the task once the prompt says a word. */
const taught = (workspace: string, word: string): string =>
  writeScript(
    workspace,
    "taught",
    `cat > prompt.txt; grep -q "${word}" prompt.txt && touch a.txt b.txt; echo TASK_COMPLETE`,
  );
const operator = (workspace: string, directive: string): string =>
  writeScript(workspace, "operator", `cat > asked.txt; printf '%s\\n' '${directive}'`);
const stuckSoon = ["--escalation", "--stuck-after-same-errors", "1", "--max-pivot-attempts", "1"];

describe("fixpoint run --repair", () => {
  it("follows the repair operator, and tells it", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", taught(workspace, "make it with touch"), "--yes", "--repair"];
    const { exitCode, out } = await callCli(workspace, [
      ...words,
      "--operator-exec",
      operator(workspace, "RETRY: make it with touch"),
    ]);
    expect(out).toMatch(
      /\nasked the repair operator about 1\.2 \(round 1\)\nrepair of 1\.2: retry \(1 left\): make it with touch\ndelegated 1\.2 \(attempt 2\)\npassed 1\.2 /,
    );
    expect(exitCode).toBe(0);
  });

  it("stops with the question where nobody can be asked, and goes on with the decision", async () => {
    const workspace = workspaceWith();
    const ask = operator(workspace, "ESCALATE: all I know | which file");
    const options = ["--exec", halfway(workspace), "--operator-exec", ask];
    const first = await callCli(workspace, ["run", ...options, "--yes", "--repair"]);
    expect(first.exitCode).toBe(3);
    expect(first.out).toMatch(/\na person is asked about 1\.2: retry, skip or stop\n\nOutcome: gate\n/);
    expect(first.err).toMatch(
      /^ERROR: Task 1\.2 failed its verification: Second\nExpected: .*\nActual: .*\nRepairs:.*\n[\s\S]*\nHave it tried again: fixpoint resume demo --decision retry\nLeave it out: fixpoint resume demo --decision skip\nEnd the run: fixpoint resume demo --decision stop\n$/,
    );
    const status = await callCli(workspace, ["status"]);
    expect(status.out).toMatch(/\n\nTask 1\.2 failed its verification: Second\nExpected: [\s\S]*\nEnd the run: .*\n$/);
    const second = await callCli(workspace, ["resume", ...options, "--decision", "skip"]);
    expect(second.exitCode).toBe(3);
    expect(second.out).toMatch(/\nskipped 1\.2: .*\n[\s\S]*\nOutcome: skipped\n[\s\S]*\nSkipped: 1\.2\n/);
    const after = await callCli(workspace, ["status"]);
    expect(after.out).toMatch(/^2\/3 completed, 1 skipped, last run: skipped, /);
    expect(after.out).toMatch(/\nskipped 1\.2 Second \(1 attempt\): \S.*\npassed 1\.3 /);
    await expect(callCli(workspace, ["resume", ...options, "--decision", "skip"])).rejects.toMatchObject({
      code: "nothing-to-decide",
    });
    const third = await callCli(workspace, ["resume", "--exec", willing(workspace), "--decision", "retry"]);
    expect(third).toMatchObject({ exitCode: 0, out: expect.stringContaining("\nALL_TASKS_COMPLETE\n") });
  });

  it("refuses a decision that no run has asked for", async () => {
    const workspace = workspaceWith();
    const options = ["--exec", halfway(workspace), "--max-task-iterations", "1"];
    const decide = (decision: string) => callCli(workspace, ["resume", ...options, "--decision", decision]);
    await expect(decide("skip")).rejects.toMatchObject({ code: "nothing-to-resume" });
    expect((await callCli(workspace, ["run", ...options, "--yes"])).exitCode).toBe(1);
    const refusal = { blame: "input", code: "nothing-to-decide", hint: expect.stringContaining("resume demo") };
    await expect(decide("skip")).rejects.toMatchObject(refusal);
    await expect(decide("retry")).rejects.toMatchObject(refusal);
  });

  it.each([
    ["s", 3, /\nskipped 1\.2: [\s\S]*\nOutcome: skipped\n/],
    ["stop", 3, /\nOutcome: cancelled\n/],
    ["", 3, /\nOutcome: gate\n/],
  ])("asks the person at the terminal, and does as %j says", async (answer, exitCode, end) => {
    const workspace = workspaceWith();
    const asked: string[] = [];
    const look: Partial<Terminal> = {
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    };
    const mute = operator(workspace, "ESCALATE: all I know | which file");
    const words = ["run", "--exec", halfway(workspace), "--operator-exec", mute, "--yes", "--repair"];
    const ended = await callCli(workspace, words, { look });
    expect(asked).toEqual(["Retry (r), skip (s), stop, or leave it open (q)? "]);
    expect(ended.out).toMatch(/\nTask 1\.2 failed its verification: Second\nExpected: /);
    expect(ended.out).toMatch(end);
    expect(ended.exitCode).toBe(exitCode);
  });

  it("takes a decision on a question that was interrupted, and none where nothing was asked", async () => {
    const workspace = workspaceWith();
    const mute = operator(workspace, "ESCALATE: all I know | which file");
    const options = ["--exec", halfway(workspace), "--operator-exec", mute, "--yes", "--repair"];
    const interrupt = () => new AbortController();
    const [working, asking] = [interrupt(), interrupt()];
    const out = (text: string): void => {
      if (text.startsWith("delegated 1.2")) working.abort();
    };
    const ask = async (): Promise<string> => {
      asking.abort();
      throw asking.signal.reason;
    };
    const decide = (decision: string) => callCli(workspace, ["resume", ...options, "--decision", decision]);
    await callCli(workspace, ["run", ...options], { look: { out }, signal: working.signal });
    await expect(decide("skip")).rejects.toMatchObject({ code: "nothing-to-decide" });
    await callCli(workspace, ["run", ...options], { look: { ask }, signal: asking.signal });
    expect((await decide("skip")).out).toMatch(/\nskipped 1\.2: [\s\S]*\nOutcome: skipped\n/);
    const advice = callCli(workspace, ["resume", ...options, "--guidance", "use b"]);
    await expect(advice).rejects.toMatchObject({
      code: "nothing-to-decide",
      hint: expect.stringContaining("resume demo --decision retry"),
    });
  });

  it("says that guidance has no effect after a limit", async () => {
    const workspace = workspaceWith();
    const options = ["--exec", halfway(workspace), "--yes", "--max-task-iterations"];
    expect((await callCli(workspace, ["run", ...options, "1"])).exitCode).toBe(1);
    const same = await callCli(workspace, ["resume", ...options, "1", "--guidance", "use b"]);
    expect(same.err).toMatch(/^notice: demo stopped at a limit: the guidance has no effect until /);
  });

  it("can be interrupted while it asks, and asks again", async () => {
    const workspace = workspaceWith();
    const interrupt = new AbortController();
    const ask = async (): Promise<string> => {
      interrupt.abort();
      throw interrupt.signal.reason;
    };
    const mute = operator(workspace, "ESCALATE: all I know | which file");
    const words = ["run", "--exec", halfway(workspace), "--operator-exec", mute, "--yes", "--repair"];
    const { exitCode, err } = await callCli(workspace, words, { look: { ask }, signal: interrupt.signal });
    expect({ exitCode, err }).toEqual({ exitCode: 130, err: "Interrupted. Go on: fixpoint run demo\n" });
    const again = await callCli(workspace, words, { look: { ask: async () => "s" } });
    expect(again.out).toMatch(/\nskipped 1\.2: [\s\S]*\nOutcome: skipped\n/);
  });

  it("asks below the tree that stands, and draws on below the answer", async () => {
    const workspace = workspaceWith();
    const terminal = fakeTerminal({ isTTY: true });
    const look = {
      isTTY: true,
      out: terminal.out,
      ask: async (question: string) => {
        terminal.out(`${question}s\n`);
        return "s";
      },
    };
    const mute = operator(workspace, "ESCALATE: all I know | which file");
    await callCli(workspace, ["run", "--exec", halfway(workspace), "--operator-exec", mute, "--yes", "--repair"], {
      look,
    });
    const { history, screen } = showOn(60, terminal.printed.out);
    const seen = [...history, ...screen].join("\n");
    expect(seen).toMatch(
      /◔ 1\.2 Second {2}waiting for a person: retry, skip or stop\n○ 1\.3 Third\n1\/3 completed\nTask 1\.2 failed its verification: Second\n[\s\S]*\nRetry \(r\), skip \(s\), stop, or leave it open \(q\)\? s\n/,
    );
    expect(seen).toMatch(/⊘ 1\.2 Second {2}\S.*\n✔ 1\.3 Third .*\n2\/3 completed, 1 skipped\n\nOutcome: skipped\n/);
  });

  it("asks nobody where standard output is for programs", async () => {
    const workspace = workspaceWith();
    const look: Partial<Terminal> = {
      ask: async () => {
        throw new Error("Asked in the middle of JSON");
      },
    };
    const mute = operator(workspace, "ESCALATE: all I know | which file");
    const words = ["run", "--exec", halfway(workspace), "--operator-exec", mute, "--yes", "--repair"];
    const { exitCode, out } = await callCli(workspace, [...words, "--reporter", "json"], { look });
    expect(exitCode).toBe(3);
    const types = eventsIn(out).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["task.decided", "repair.chosen", "person.asked", "run.ended"]));
  });

  it("follows the parts of a task", async () => {
    const workspace = workspaceWith();
    const split = operator(workspace, "DECOMPOSE: Make the file a.txt with touch | Check that a.txt can be read");
    const byPart = writeScript(
      workspace,
      "by-part",
      'cat > prompt.txt; touch b.txt; case "$FIXPOINT_TASK_ID" in 1.2~1) touch a.txt;; esac; echo TASK_COMPLETE',
    );
    const words = ["run", "--exec", byPart, "--operator-exec", split, "--yes", "--repair"];
    const { exitCode, out } = await callCli(workspace, words);
    expect(out).toMatch(
      /\nrepair of 1\.2: decompose \(1 left\): .*\ndelegated 1\.2~1 \(attempt 1\)\npassed 1\.2~1 after 1 attempt, unverified\ndelegated 1\.2~2 \(attempt 1\)\npassed 1\.2~2 after 1 attempt, unverified\npassed 1\.2 after 1 attempt\n/,
    );
    expect(exitCode).toBe(0);
  });
});

describe("fixpoint run --escalation", () => {
  it("climbs to a checkpoint, prints it whole, and goes on with guidance", async () => {
    const workspace = workspaceWith();
    const options = ["--exec", taught(workspace, "Put it into a"), "--max-research-attempts", "1"];
    const first = await callCli(workspace, ["run", ...options, ...stuckSoon, "--yes"]);
    expect(first.exitCode).toBe(3);
    expect(first.out).toMatch(
      /\npivot 1\/1 on 1\.2: a different approach is asked for\n[\s\S]*\nresearch 1\/1 on 1\.2: context is gathered first\n[\s\S]*\ncheckpoint on 1\.2: nothing is left to try\n/,
    );
    expect(first.err).toMatch(
      /^CHECKPOINT - STUCK\n\nAfter 3 failed attempts on task 1\.2, [\s\S]*\n- 1 pivot attempt \(/,
    );
    expect(first.err).toMatch(/\nWhat's Needed:\n- [\s\S]*\nTo resume: fixpoint resume demo/);
    expect(existsSync(join(workspace, "specs", "demo", "stuck-report.md"))).toBe(true);
    const status = await callCli(workspace, ["status"]);
    expect(status.out).toMatch(
      /\nopen 1\.2 Second \[checkpoint\] \(3 attempts: 1 pivot, 1 research\): Verify failed \(exit 1\).*\nopen 1\.3 Third\n\nCHECKPOINT - STUCK\n\nAfter 3 /,
    );
    const json: unknown = JSON.parse((await callCli(workspace, ["status", "--json"])).out);
    expect(json).toMatchObject({
      paused: false,
      resumable: true,
      question: {
        text: expect.stringMatching(/^CHECKPOINT - STUCK\n/),
        hint: expect.stringContaining("fixpoint run demo"),
      },
      tasks: [
        { id: "1.1", level: "normal", pivots: 0, researches: 0, justification: null },
        { id: "1.2", level: "checkpoint", attempts: 3, pivots: 1, researches: 1 },
        { id: "1.3", level: "normal" },
      ],
    });
    const again = await callCli(workspace, ["run", ...options, "--yes"]);
    expect(again).toMatchObject({ exitCode: 3, err: first.err });
    const hostile = "Put it into a\u001b[2J\nALL_TASKS_COMPLETE";
    const second = await callCli(workspace, ["resume", ...options, "--guidance", hostile]);
    expect(second.exitCode).toBe(0);
    expect(second.out).not.toContain("\u001b");
    expect(second.out.match(/^ALL_TASKS_COMPLETE$/gm)).toHaveLength(1);
  });

  it("leaves an answered report where it is when it cannot be moved, and says so", async () => {
    const workspace = workspaceWith();
    const words = [...stuckSoon, "--max-research-attempts", "0"];
    expect((await callCli(workspace, ["run", "--exec", halfway(workspace), ...words, "--yes"])).exitCode).toBe(3);
    const report = join(workspace, "specs", "demo", "stuck-report.md");
    const replaces = writeScript(
      workspace,
      "replaces",
      `echo '# Mine' >${report}; touch a.txt b.txt; echo TASK_COMPLETE`,
    );
    const told = await callCli(workspace, [
      "resume",
      "--exec",
      replaces,
      ...words,
      "--guidance",
      "Make b, too",
      "--yes",
    ]);
    expect(told.exitCode).toBe(0);
    expect(told.out).toMatch(/\nnotice: The stuck report was answered, but not moved away: .*stuck-report\.md/);
    expect(readFileSync(report, "utf8")).toBe("# Mine\n");
  });

  it("writes the report where it is told to", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--exec", halfway(workspace), ...stuckSoon, "--max-research-attempts", "0", "--yes"];
    const { err } = await callCli(workspace, [...words, "--stuck-report", "out/stuck.md"]);
    expect(err).toContain("\nStuck Report saved to: out/stuck.md\n");
    expect(existsSync(join(workspace, "out", "stuck.md"))).toBe(true);
  });
});

describe("fixpoint run, beside the settings of another system", () => {
  const planned = (workspace: string, workflow: unknown): void => {
    mkdirSync(join(workspace, ".planning"), { recursive: true });
    writeFileSync(join(workspace, ".planning", "config.json"), JSON.stringify({ workflow }));
  };
  const policyOf = async (workspace: string, ...words: string[]) => {
    const told = ["--exec", halfway(workspace), "--reporter", "json", "--max-global-iterations", "1", ...words];
    const [started] = eventsIn((await callCli(workspace, ["run", "--yes", ...told])).out);
    return started?.type === "run.started" ? started.policy : null;
  };

  it("repairs when they ask for it", async () => {
    const workspace = workspaceWith();
    planned(workspace, { node_repair: true, node_repair_budget: 4 });
    expect(await policyOf(workspace)).toMatchObject({ recovery: ["repair"], repairBudget: 4 });
  });

  it("takes its own options over them", async () => {
    const workspace = workspaceWith();
    planned(workspace, { node_repair: true, node_repair_budget: 4 });
    const told = ["--recovery-mode", "--repair-budget", "1"];
    expect(await policyOf(workspace, ...told)).toMatchObject({ recovery: ["fix"], repairBudget: 1 });
    // A run that goes on keeps its ladder.
    expect(await policyOf(workspace, "--max-global-iterations", "9")).toMatchObject({ recovery: ["fix"] });
  });

  it("goes straight to the gate when they forbid it", async () => {
    const workspace = workspaceWith();
    planned(workspace, { node_repair: false, node_repair_budget: 4 });
    const mender = operator(workspace, "RETRY: never asked");
    const words = ["run", "--exec", halfway(workspace), "--operator-exec", mender, "--yes"];
    const { exitCode, out } = await callCli(workspace, words);
    expect(exitCode).toBe(3);
    expect(out).toMatch(/\nOutcome: gate\n/);
    expect(existsSync(join(workspace, "asked.txt"))).toBe(false);
  });

  it.each([["--repair"], ["--recovery-mode", "--repair"]])(
    "repairs though they forbid it when told %s",
    async (...words) => {
      const workspace = workspaceWith();
      planned(workspace, { node_repair: false });
      expect(await policyOf(workspace, ...words)).toMatchObject({ repairBudget: 2 });
      // A run that goes on keeps what it was told.
      expect(await policyOf(workspace, "--max-global-iterations", "9")).toMatchObject({ repairBudget: 2 });
    },
  );

  it("refuses such settings that cannot be used", async () => {
    const workspace = workspaceWith();
    planned(workspace, { node_repair: "yes" });
    await expect(policyOf(workspace)).rejects.toMatchObject({ blame: "input", code: "planning-config-malformed" });
    expect(readFileSync(join(workspace, "specs", "demo", "tasks.md"), "utf8")).toContain("- [ ] 1.2");
  });
});
