import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTerminal, hasTerminals } from "../support/at-terminal.ts";
import { cli, launch } from "../support/cli.ts";
import {
  agentShell,
  byAgent,
  delegationsIn,
  type Handed,
  here,
  make,
  next,
  only,
  report,
  type Told,
  told,
  workOff,
  workspaceWith,
} from "../support/handed-out.ts";
import { ownerFolder } from "../support/owner-folder.ts";
import { until } from "../support/until.ts";
import { steady } from "./steady.ts";
import { planOf, task } from "./story.ts";

const two = planOf(task("1.1"), task("1.2"));
const complete = ["--claim", "complete"];

const forgets =
  (workspace: string) =>
  ({ key }: Handed): void => {
    if (key !== "1.1#1") make(workspace, key.replace(/#.*/, "").slice(0, 3));
  };

describe.concurrent("handed-out work", () => {
  it("is verified, recovered and ended by reports alone, with each delegation counted once", async () => {
    const workspace = workspaceWith(two);
    execFileSync("git", ["init", "-q", workspace]);
    const step = await workOff(workspace, (await next(workspace)).json, forgets(workspace));
    expect(step).toEqual({ kind: "ended", outcome: "complete" });
    expect(delegationsIn(workspace)).toEqual(["1.1#1", "1.1.1#1", "1.2#1"]);
    expect(readFileSync(join(workspace, "specs/spec/tasks.md"), "utf8")).not.toContain("- [ ]");
    const status = await told<{ iterations: number; outcome: string }>(workspace, "status", "spec");
    expect(status.json).toMatchObject({ iterations: 3, outcome: "complete", handedOut: [] });
  });

  it("ends exactly at the limit of the run, even if an agent lies forever", async () => {
    const honest = workspaceWith(two);
    const first = await next(honest, "--max-global-iterations", "3");
    expect(await workOff(honest, first.json, forgets(honest))).toMatchObject({ outcome: "complete" });
    const liar = workspaceWith(two);
    const step = await workOff(liar, (await next(liar, "--max-global-iterations", "3")).json, () => {});
    expect(step).toMatchObject({ kind: "ended", outcome: "limit" });
    expect(delegationsIn(liar)).toHaveLength(3);
    expect((await next(liar)).exitCode).toBe(1);
  });

  it("stays the same if it is requested again, and counts once", async () => {
    const workspace = workspaceWith(two);
    const first = await next(workspace);
    for (let time = 0; time < 2; time += 1) expect((await next(workspace)).out).toBe(first.out);
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
    const status = await told<{ handedOut: { key: string }[]; tasks: { state: string }[] }>(
      workspace,
      "status",
      "spec",
    );
    expect(status.json.handedOut.map(({ key }) => key)).toEqual(["1.1#1"]);
    expect(status.json.tasks.map(({ state }) => state)).toEqual(["running", "open"]);
  });

  it("asks about a changed Verify, and is handed out unchanged once the Verify is restored", async () => {
    const workspace = workspaceWith(two);
    const plan = join(workspace, "specs/spec/tasks.md");
    const first = await next(workspace);
    const before = readFileSync(plan, "utf8");
    writeFileSync(plan, before.replace("test -e made/1.2", "test -e made/1.2 || true"));
    const asked = await told(workspace, "next", "spec");
    expect(asked.exitCode).toBe(3);
    expect(asked.json).toMatchObject({ kind: "asked", question: expect.stringContaining("made/1.2 || true") });
    expect(asked.json.hint).toMatch(/next spec .*--accept [0-9a-f]{16}/);
    writeFileSync(plan, before);
    expect((await told(workspace, "next", "spec")).out).toBe(first.out);
    writeFileSync(plan, before.replace("Make 1.2", "Make 1.2 well"));
    expect(only((await told(workspace, "next", "spec")).json)).toEqual(only(first.json));
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
  });

  it("suggests fixpoint next, not fixpoint run, to continue", async () => {
    const workspace = workspaceWith(two);
    const ended = await workOff(workspace, (await next(workspace)).json, () => {});
    expect(ended).toMatchObject({ outcome: "limit", hint: expect.stringContaining("fixpoint next spec ") });
    const why = (await here(workspace, "why", "1.1", "spec")).out;
    expect(why).toContain("fixpoint next spec --max-fix-tasks 5");
    expect(`${why} ${ended.hint}`).not.toContain("fixpoint run");
  });

  it("accepts a report once, and refuses an unknown nonce", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    make(workspace, "1.1");
    const accepted = await report(workspace, nonce, ...complete);
    expect(accepted.json).toMatchObject({ key: "1.1#1", verdict: { kind: "accepted" }, next: { kind: "work" } });
    const before = delegationsIn(workspace);
    for (const [given, says] of [
      [nonce, "Cannot take the report of `1.1#1` twice"],
      ["0123456789abcdef", "expected the nonce of handed-out work of this spec"],
    ] as const) {
      const { exitCode, err } = await report(workspace, given, ...complete);
      expect(exitCode).toBe(2);
      expect(err).toContain(says);
    }
    expect(delegationsIn(workspace)).toEqual(before);
    expect(only((await next(workspace)).json).key).toBe("1.2#1");
  });

  it("accepts a report once, even if the start that took it was killed before recording it", async () => {
    const workspace = workspaceWith(planOf(task("1.1"), task("1.2"), task("1.3")));
    const { nonce } = only((await next(workspace)).json);
    const noted = join(ownerFolder(join(workspace, "specs/spec")), "handed-out");
    const open = new Map<string, Buffer>();
    const keepOpen = (): void => {
      for (const name of readdirSync(noted)) open.set(name, readFileSync(join(noted, name)));
    };
    for (const id of ["1.1", "1.2"]) make(workspace, id);
    keepOpen();
    const taken = await report(workspace, nonce, ...complete);
    keepOpen();
    await report(workspace, only(taken.json.next).nonce, ...complete);
    for (const name of readdirSync(noted)) if (name.endsWith("reported")) rmSync(join(noted, name));
    for (const [name, content] of open) if (name.endsWith("json")) writeFileSync(join(noted, name), content);
    const again = await report(workspace, nonce, ...complete);
    expect(again.exitCode).toBe(2);
    expect(again.err).toContain("Cannot take the report of `1.1#1` twice: it was already reported");
    expect(only((await next(workspace)).json).key).toBe("1.3#1");
  });

  it("refuses an incomplete report, and loses nothing", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    for (const [words, says] of [
      [[], "expected a claim, or a message"],
      [["--claim", "failed"], "expected `error`, or a message, for `failed`"],
      [["--claim", "modify"], "expected `request` with the tasks"],
      [["--claim", "done"], "expected one of complete, failed, blocked, modify"],
    ] as const) {
      const { exitCode, err } = await report(workspace, nonce, ...words);
      expect(exitCode).toBe(2);
      expect(err).toContain(says);
    }
    make(workspace, "1.1");
    expect((await report(workspace, nonce, ...complete)).json.verdict).toMatchObject({ kind: "accepted" });
  });

  it("hands out its prompt byte for byte, with a request for a report", async () => {
    const odd = `<>&"' ${"x".repeat(20_000)} </task>`;
    const workspace = workspaceWith(planOf(`- [ ] 1.1 Odd\n  - **Do**: ${odd}\n  - **Verify**: \`true\`\n`));
    const { nonce, prompt, promptFile = "" } = only((await next(workspace)).json);
    expect(prompt).toContain(odd);
    expect(readFileSync(promptFile, "utf8")).toBe(prompt);
    expect(prompt).toContain("Report the task as complete when done");
    expect(prompt).not.toContain("TASK_COMPLETE");
    expect((await report(workspace, nonce, ...complete)).json.next).toMatchObject({ kind: "ended" });
    expect(existsSync(promptFile)).toBe(false);
    const left = readdirSync(dirname(promptFile)).map((name) => readFileSync(join(dirname(promptFile), name), "utf8"));
    expect(left.join("")).not.toContain(odd.slice(-100));
    expect(only((await next(workspaceWith(two))).json).promptFile).toBeUndefined();
  });

  it("keeps no files of work that was abandoned long ago", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    const noted = join(ownerFolder(join(workspace, "specs/spec")), "handed-out");
    const [open = ""] = readdirSync(noted).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    const old = Array.from({ length: 300 }, (_, at) => String(at).padStart(64, "0"));
    for (const hash of old) {
      for (const form of [".json", ".prompt.md", ".reminded"]) {
        writeFileSync(join(noted, `${hash}${form}`), readFileSync(join(noted, open)));
        utimesSync(join(noted, `${hash}${form}`), 1, 1);
      }
    }
    make(workspace, "1.1");
    expect(only((await report(workspace, nonce, ...complete)).json.next).key).toBe("1.2#1");
    const hashes = new Set(readdirSync(noted).map((name) => name.slice(0, 64)));
    expect(hashes.size).toBeLessThanOrEqual(205);
    expect((await report(workspace, nonce, ...complete)).err).toContain("Cannot take the report of `1.1#1` twice");
  });

  it("hands out a batch together, and a fix of a member only once all members are reported", async () => {
    const workspace = workspaceWith(planOf(task("1.1 [P]"), task("1.2 [P]"), task("1.3")));
    const { tasks = [] } = (await next(workspace)).json;
    expect(tasks.map(({ key }) => key)).toEqual(["1.1#1", "1.2#1"]);
    const failed = await report(workspace, tasks[0]?.nonce ?? "", ...complete);
    expect(failed.json).toMatchObject({ verdict: { kind: "failed" }, next: { tasks: [{ key: "1.2#1" }] } });
    make(workspace, "1.2");
    const passed = await report(workspace, tasks[1]?.nonce ?? "", ...complete);
    expect(passed.json).toMatchObject({ verdict: { kind: "accepted" }, next: { tasks: [{ key: "1.1.1#1" }] } });
    const step = await workOff(workspace, passed.json.next, ({ task: { id } }) => make(workspace, id.slice(0, 3)));
    expect(step).toMatchObject({ outcome: "complete" });
  });

  it("accepts concurrent reports of a batch", async () => {
    const workspace = workspaceWith(planOf(task("1.1 [P]"), task("1.2 [P]"), task("1.3 [P]")));
    const { tasks = [] } = (await next(workspace)).json;
    for (const id of ["1.1", "1.2", "1.3"]) make(workspace, id);
    const ends = await Promise.all(tasks.map(({ nonce }) => byAgent.report(workspace, nonce, ...complete)));
    expect(ends.map(({ json }) => json.verdict.kind)).toEqual(["accepted", "accepted", "accepted"]);
    expect((await next(workspace)).json).toEqual({ kind: "ended", outcome: "complete" });
  });

  it("hands out the fixes of a batch one after the other", async () => {
    const workspace = workspaceWith(planOf(task("1.1 [P]"), task("1.2 [P]"), task("1.3 [P]")));
    const { tasks = [] } = (await next(workspace)).json;
    make(workspace, "1.1");
    let after: Told = { kind: "none" };
    for (const { nonce } of tasks.toReversed()) after = (await report(workspace, nonce, ...complete)).json.next;
    expect(after.tasks?.map(({ key }) => key)).toHaveLength(1);
    const step = await workOff(workspace, after, ({ task: { id } }) => make(workspace, id.slice(0, 3)));
    expect(step).toMatchObject({ outcome: "complete" });
    expect(delegationsIn(workspace)).toEqual(expect.arrayContaining(["1.2.1#1", "1.3.1#1"]));
  });

  it("is the same work for two concurrent requests", async () => {
    const workspace = workspaceWith(two);
    const [one, other] = await Promise.all([byAgent.next(workspace), byAgent.next(workspace)]);
    expect(only(one.json)).toEqual(only(other.json));
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
  });

  it("is reviewed by the reviewer named in the first call", async () => {
    const workspace = workspaceWith(planOf(task("1.1")));
    writeFileSync(join(workspace, "review.sh"), "cat > /dev/null; touch reviewed; echo REVIEW_PASS");
    const { nonce } = only((await next(workspace, "--reviewer-exec", "sh review.sh")).json);
    make(workspace, "1.1");
    expect((await report(workspace, nonce, ...complete)).json.verdict).toMatchObject({ kind: "accepted" });
    expect(existsSync(join(workspace, "reviewed"))).toBe(true);
  });

  it("blocks a run until a person withdraws it, after which its nonce is refused", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await byAgent.next(workspace)).json);
    const run = ["run", "spec", "--exec", "sh -c 'mkdir -p made; touch made/1.1 made/1.2; echo TASK_COMPLETE'"];
    const refused = await launch(workspace, run).end;
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("1.1#1 was handed out at");
    expect(refused.err).toContain("--take-over");
    const taking = await launch(workspace, [...run, "--take-over"]).end;
    expect([taking.exitCode, taking.err]).toEqual([2, expect.stringContaining("expected a person")]);
    if (!hasTerminals) return;
    expect((await atTerminal({ workspace }, ...run, "--take-over", "--reporter", "plain")).exitCode).toBe(0);
    const stale = await byAgent.report(workspace, nonce, ...complete);
    expect(stale.exitCode).toBe(2);
    expect(stale.err).toContain("the run has continued without it");
  });

  it("continues a run that was killed while its executor worked", async () => {
    const workspace = workspaceWith(two);
    const hangs =
      "mkdir -p made; touch made/1.1; if [ -e begun ]; then touch started; sleep 600; fi; touch begun; echo TASK_COMPLETE";
    writeFileSync(join(workspace, "agent.sh"), hangs);
    const { child, end } = launch(workspace, ["run", "spec", "--exec", "sh agent.sh", "--yes", "--recovery-mode"]);
    await until(() => delegationsIn(workspace).includes("1.2#1"));
    child.kill("SIGKILL");
    await end;
    const step = await workOff(workspace, (await next(workspace)).json, ({ key }) => make(workspace, key.slice(0, 3)));
    expect(step).toMatchObject({ outcome: "complete" });
    expect(delegationsIn(workspace)).toEqual(["1.1#1", "1.2#1", "1.2#1"]);
    const { out } = await here(workspace, "why", "1.2", "spec");
    expect(out).toContain("passed 1.2");
  });

  it("is explained and reported like a delegation to an executor", async () => {
    const outside = workspaceWith(two);
    await workOff(outside, (await next(outside)).json, forgets(outside));
    const called = workspaceWith(two);
    const agent = [
      'case "$FIXPOINT_KEY" in',
      "1.1#1) ;;",
      "1.1*) mkdir -p made; touch made/1.1 ;;",
      "*) mkdir -p made; touch made/1.2 ;;",
      "esac; echo TASK_COMPLETE",
    ];
    writeFileSync(join(called, "agent.sh"), agent.join("\n"));
    await here(called, "run", "spec", "--exec", "sh agent.sh", "--yes", "--recovery-mode");
    const toldOf = async (workspace: string) => {
      const why = await told<{ facts: { kind: string }[]; state: string }>(workspace, "why", "1.1", "spec");
      const status = await told<{ tasks: object[] }>(workspace, "status", "spec");
      const report = (await here(workspace, "export", "spec", "--format", "md")).out;
      const facts = why.json.facts.map(({ kind }) => kind);
      return [why.json.state, ...facts, ...status.json.tasks, steady(workspace)(report)];
    };
    expect(await toldOf(outside)).toEqual(await toldOf(called));
  });
});

describe.concurrent("a question of handed-out work", () => {
  const asks = ["--claim", "blocked", "--message", "Keep the old endpoint?"];

  it("is not accepted from a process without a terminal", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await byAgent.next(workspace)).json);
    const asked = await byAgent.report(workspace, nonce, ...asks);
    expect(asked.exitCode).toBe(3);
    expect(asked.json).toMatchObject({
      verdict: { kind: "asked", question: expect.stringContaining("Keep the old endpoint?") },
      next: { kind: "asked" },
    });
    for (const words of [
      ["resume", "spec", "--decision", "retry"],
      ["resume", "spec", "--guidance", "Keep it"],
      ["run", "spec", "--new-run", "--yes"],
      ["next", "spec", "--new-run", "--yes"],
      ["next", "spec", "--trust-executor"],
      ["next", "spec", "--max-task-iterations", "9"],
      ["run", "spec", "--exec", "true", "--guard", "off"],
      ["reset", "spec", "--yes"],
      ["say", "retry", "spec"],
    ]) {
      const { exitCode, err } = await here(workspace, ...words);
      expect([words.join(" "), exitCode]).toEqual([words.join(" "), 2]);
      expect(err).toContain("expected a person");
    }
    expect((await next(workspace)).json).toMatchObject({ kind: "asked" });
  });

  const inAgent = (line: string): string => `'${process.execPath}' '${agentShell}' ${line}`;
  it.runIf(hasTerminals).each<[string, (line: string) => string, ((line: string) => string)?]>([
    ["an agent that creates a terminal", (line) => line],
    ["an agent whose work was handed out to another since", inAgent],
    ["an agent whose work was handed out to a terminal since", (line) => `script -qec "${line}" /dev/null`],
    ["an agent whose work was handed out to another before", inAgent, inAgent],
  ])("is not answered by %s", async (_, elsewhere, before) => {
    const workspace = workspaceWith(two);
    const line = (...words: string[]): string => [process.execPath, cli, ...words].map((word) => `'${word}'`).join(" ");
    const begin = line("next", "spec", "--yes", "--recovery-mode", "--json");
    const answer = `${line("resume", "spec", "--decision", "retry")} > answered.txt 2>&1`;
    const agent = `import { spawnSync } from "node:child_process";
      const sh = (command) => spawnSync("sh", ["-c", command], { encoding: "utf8" }).stdout;
      ${before === undefined ? "" : `sh(${JSON.stringify(before(begin))});`}
      const { nonce } = JSON.parse(sh(${JSON.stringify(begin)})).tasks[0];
      ${before === undefined ? `sh(${JSON.stringify(elsewhere(line("resume", "spec", "--reporter", "plain")))});` : ""}
      sh(${JSON.stringify(elsewhere(line("report", "NONCE", "--claim", "blocked", "--message", "Which?")))}.replace("NONCE", nonce));
      sh(${JSON.stringify(`script --quiet --return --command "${answer}" /dev/null`)});`;
    writeFileSync(join(workspace, "agent.mjs"), agent);
    await launch(workspace, [], {}, () => [process.execPath, join(workspace, "agent.mjs")]).end;
    expect(readFileSync(join(workspace, "answered.txt"), "utf8")).toContain("expected a person");
    expect((await next(workspace)).json).toMatchObject({ kind: "asked" });
  });

  it.runIf(hasTerminals)("is answered at a terminal, and hands its work out again", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await byAgent.next(workspace)).json);
    await byAgent.report(workspace, nonce, ...asks);
    const answered = await atTerminal({ workspace }, "resume", "spec", "--guidance", "Keep it", "--reporter", "plain");
    expect(answered.out).toContain("Handed-out work is not reported yet");
    const again = only((await byAgent.next(workspace)).json);
    expect(again.key).toBe("1.1#2");
    expect(again.prompt).toContain("Keep it");
    make(workspace, "1.1");
    expect((await byAgent.report(workspace, again.nonce, ...complete)).json.verdict).toMatchObject({
      kind: "accepted",
    });
  });
});

describe.concurrent("a reminder", () => {
  const hook = async (workspace: string, event = "stop") =>
    JSON.parse((await launch(workspace, ["hook", event]).end).out) as { decision?: string; reason?: string };

  it("blocks an agent once for each unreported task, and carries no prompt", async () => {
    const workspace = workspaceWith(two);
    expect(await hook(workspace)).toEqual({});
    const { nonce, prompt } = only((await next(workspace)).json);
    const { decision, reason = "" } = await hook(workspace);
    expect(decision).toBe("block");
    expect(reason).toContain(nonce);
    expect(reason.length).toBeLessThanOrEqual(300);
    expect(reason).not.toMatch(/[<>&"]/);
    expect(reason).not.toContain(prompt.slice(0, 40));
    expect(await hook(workspace)).toEqual({});
    make(workspace, "1.1");
    await report(workspace, nonce, ...complete);
    expect((await hook(workspace, "after-agent")).reason).toContain("1.2#1");
  });

  it("blocks only one of several agents that stop at the same time, and loses no work to a concurrent step", async () => {
    const workspace = workspaceWith(planOf(task("1.1 [P]"), task("1.2 [P]")));
    const { tasks = [] } = (await next(workspace)).json;
    make(workspace, "1.1");
    const hooks = Array.from({ length: 4 }, () => launch(workspace, ["hook", "stop"]).end);
    const [reported, ...stopped] = await Promise.all([
      byAgent.report(workspace, tasks[0]?.nonce ?? "", ...complete),
      ...hooks,
    ]);
    expect(only(reported.json.next)).toEqual(tasks[1]);
    const reasons = stopped.map(({ out }) => (JSON.parse(out) as { reason?: string }).reason ?? "");
    for (const { nonce } of tasks.slice(1)) expect(reasons.filter((said) => said.includes(nonce))).toHaveLength(1);
  });

  it("reports in the session that the spec is unreadable, and does not block the agent", async () => {
    const workspace = workspaceWith(two);
    writeFileSync(join(workspace, "specs/.current-spec"), "gone");
    const { systemMessage, ...more } = (await hook(workspace)) as { systemMessage?: string };
    expect(systemMessage).toContain("fixpoint hook: ");
    expect(more).toEqual({});
  });
});
