import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/hosts/node/consent/owner-record.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { createRunControl } from "../../src/runtime/run-control.ts";
import { askingRun } from "../support/asking-run.ts";
import { atTerminal, hasTerminals } from "../support/at-terminal.ts";
import { atWork, call, cli, launch, run } from "../support/cli.ts";
import { call as callHere, statusOf } from "../support/cli-here.ts";
import { forcedLease, forgeHolder } from "../support/forced-lease.ts";
import { ownerFolder } from "../support/owner-folder.ts";
import { type Project, projectWith, works } from "../support/project.ts";
import { delegations, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const comm = readFileSync("/proc/self/comm", "utf8").trim();
const by = { kind: "program", terminal: null, process: comm, pid: process.pid } as const;
const untilGo = "touch started; until [ -e go ]; do sleep 0.05; done";
const go = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");
const boxOf = ({ spec, workspace }: Project) => wordsFor(findSpec(spec, workspace));
const said = (records: readonly TimedRunRecord[]) =>
  records.filter((record) => "by" in record && record.by !== undefined);
const heardIn = (project: Project, segments: number): unknown[] =>
  Array.from({ length: segments }, (_, at) => recordsOf(project, at + 1))
    .flat()
    .flatMap((record) =>
      "by" in record && typeof record.by === "object" && record.by.word !== undefined ? [record] : [],
    );

const twoTasks = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";

describe.concurrent("fixpoint say", () => {
  it("records advice with its sender, and passes it to the next attempt", async () => {
    const script = `${untilGo}; case "$prompt" in *"Use the pool"*) made ;; *) broke 'no pool' ;; esac`;
    const project = projectWith({ plan: "- [ ] 1.1 First\n", script });
    const { child, end } = await atWork(project, "--recovery-mode");
    expect(await call(project, "say", "guidance", "Use the pool", "spec")).toMatchObject({
      exitCode: 0,
      out: `Received: coordinator ${child.pid} has recorded \`guidance\` for spec\n`,
    });
    const word = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(recordsOf(project).filter(({ type }) => type === "guided")).toMatchObject([
      { task: "1.1", text: "Use the pool", by: { ...by, word } },
    ]);
    expect(boxOf(project).read()).toEqual([]);
    go(project);
    expect((await end).exitCode).toBe(0);
  });

  it.skipIf(!hasTerminals).each<[string, PersonEvent, readonly string[]]>([
    ["retry", { type: "decision.made", decision: "retry" }, ["retry"]],
    ["skip", { type: "decision.made", decision: "skip" }, ["skip"]],
    ["skip-task", { type: "decision.made", decision: "skip-task" }, ["skip-task"]],
    ["stop", { type: "decision.made", decision: "stop" }, ["stop"]],
    ["guidance", { type: "guidance.given", text: "The old one" }, ["guidance", "The old one"]],
  ])("answers a question at a terminal with %s as in the run's own program", async (_, event, words) => {
    const [here, there] = await Promise.all([askingRun("- [ ] 1.1 First\n"), askingRun("- [ ] 1.1 First\n")]);
    here.control.send(event);
    expect(await atTerminal(there.project, "say", ...words, "spec")).toMatchObject({ exitCode: 0 });
    const bare = ({ project }: typeof here) =>
      recordsOf(project)
        .filter(({ type }) => type === "answered")
        .filter((record) => "effect" in record && record.effect === "askPerson")
        .slice(0, 1)
        .map(({ at: _at, ...record }) => record);
    await until(() => bare(here).length > 0);
    const [answer] = bare(here);
    const person = { kind: "terminal", terminal: expect.stringMatching(/^\/dev\//), word: expect.any(String) };
    expect(bare(there)).toMatchObject([{ ...answer, n: expect.any(Number), by: person }]);
    expect(answer).not.toHaveProperty("by");
    expect(there.wasAborted()).toBe(true);
    for (const { stop, ended } of [here, there]) {
      stop.abort();
      await ended;
    }
  });

  it.each([
    ["retry", ["retry"], "--decision retry"],
    ["skip", ["skip", "--task", "1.1"], "--decision skip"],
    ["stop", ["stop"], "--decision stop"],
    ["guidance", ["guidance", "The old one"], '--guidance "…"'],
  ])("refuses an answer of a program to a running run: %s", async (word, words, options) => {
    const { project, stop, ended } = await askingRun("- [ ] 1.1 First\n");
    expect(await call(project, "say", ...words, "spec")).toEqual({
      exitCode: 2,
      signal: null,
      out: "",
      err: [
        `ERROR: Cannot say \`${word}\` to \`spec\` without a terminal, expected a person to answer the question about task 1.1`,
        "Answer in a terminal, or on the page of the run",
        `Or end the run and answer with a start: fixpoint stop spec && fixpoint resume spec ${options}`,
        "",
      ].join("\n"),
    });
    // This message names no question, so it answers none.
    const event = { type: "guidance.given", text: "The old one" } as const;
    boxOf(project).leave({ run: 1, by, event });
    await until(() => boxOf(project).read().length === 0);
    expect((await call(project, "pause", "spec")).exitCode).toBe(0);
    expect((await call(project, "resume", "spec")).exitCode).toBe(0);
    expect((await statusOf(project)).question).not.toBeNull();
    expect(heardIn(project, 1)).toMatchObject([
      { event: { type: "pause" }, by },
      { event: { type: "resume" }, by },
    ]);
    stop.abort();
    await ended;
  });

  it("answers a question over the page that a program serves", async () => {
    const { project, stop, ended } = await askingRun("- [ ] 1.1 First\n");
    const watching = launch(project.workspace, ["watch", "spec"]);
    let printed = "";
    watching.child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await until(() => /file:\S+\n/.test(printed));
    const [file = ""] = /file:\S+/.exec(printed) ?? [];
    const [, address = "", token = ""] = /(http:\S+\/)#token=([\w-]+)/.exec(readFileSync(new URL(file), "utf8")) ?? [];
    const answer = await fetch(`${address}say`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ word: "skip" }),
    });
    expect(await answer.text()).toContain("Received: ");
    expect(heardIn(project, 1)).toMatchObject([
      { type: "answered", answer: { decision: "skip" }, by: { kind: "page", terminal: null } },
    ]);
    expect((await callHere(project, "why", "1.1", "spec")).out).toMatch(
      /a person said about 1\.1: skip \(.*, over the page\)/,
    );
    watching.child.kill("SIGINT");
    expect((await watching.end).exitCode).toBe(0);
    stop.abort();
    await ended;
  });

  it.skipIf(!hasTerminals)("does not accept a terminal of another session", async () => {
    const { project, stop, ended } = await askingRun("- [ ] 1.1 First\n");
    const line = `setsid -w '${process.execPath}' '${cli}' say skip spec; echo "exit $?"`;
    const child = spawn("script", ["--quiet", "--command", line, "/dev/null"], {
      cwd: project.workspace,
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await text(child.stdout)).toMatch(/Cannot say `skip` to `spec` without a terminal[\s\S]*exit 2/);
    stop.abort();
    await ended;
  });

  it("refuses messages that the run does not expect", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const refused = { exitCode: 2, out: "" };
    expect(await call(project, "say", "retry", "spec")).toMatchObject({
      ...refused,
      err: "ERROR: Cannot say `retry` to `spec`, expected a run that is at work here\nIf the run has stopped: fixpoint resume spec --decision retry\n",
    });
    const { end } = await atWork(project);
    const question = "expected a question that waits for a person";
    expect(await call(project, "say", "skip", "spec")).toMatchObject({
      ...refused,
      err: `ERROR: Cannot say \`skip\` to \`spec\`, ${question}\nSee the state of the run: fixpoint status spec\n`,
    });
    expect(await call(project, "say", "stop", "spec")).toMatchObject({
      ...refused,
      err: `ERROR: Cannot say \`stop\` to \`spec\`, ${question}\nEnd the run: fixpoint stop spec\n`,
    });
    expect(await call(project, "say", "guidance", "x", "--task", "1.2", "spec")).toMatchObject(refused);
    for (const words of [["retri"], [], ["retry", "spec", "more"], ["guidance", " "], ["guidance", "x".repeat(4001)]]) {
      expect(await call(project, "say", ...words)).toMatchObject({
        ...refused,
        err: expect.stringMatching(/^ERROR: Cannot|^ERROR: Missing/),
      });
    }
    expect(said(recordsOf(project))).toEqual([]);
    expect(existsSync(join(ownerFolder(project.spec), "said"))).toBe(false);
    go(project);
    expect((await end).exitCode).toBe(0);
  });

  it("ends the run although the program that was asked ignores answers from elsewhere", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n" });
    const control = createRunControl();
    const { outcome, skipped } = await runSpec({
      ...{ spec: project.spec, workspace: project.workspace, yes: true, control },
      executors: { executor: async () => "BLOCKED: Which database?" },
      decide: () => {
        control.send({ type: "decision.made", decision: "skip-task" });
        return new Promise(() => {});
      },
    });
    expect([outcome, skipped]).toEqual(["skipped", ["1.1"]]);
  });

  it("does not answer a later question than the one it was sent for", async () => {
    const { project, stop, ended } = await askingRun(twoTasks);
    const key = "1.1#9/askPerson";
    boxOf(project).leave({ run: 1, by, event: { type: "decision.made", decision: "stop" }, to: key });
    await until(() => boxOf(project).read().length === 0);
    await sleep(300);
    expect((await statusOf(project)).question).not.toBeNull();
    expect(heardIn(project, 1)).toEqual([]);
    stop.abort();
    await ended;
  });

  it("is received once if the run is killed before it reads the message", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const { child, end } = await atWork(project);
    child.kill("SIGSTOP");
    const telling = call(project, "say", "guidance", "Mind the gap", "spec");
    await until(() => boxOf(project).read().length === 1);
    child.kill("SIGKILL");
    await end;
    expect(await telling).toMatchObject({
      exitCode: 0,
      out: `Sent: coordinator ${child.pid} was killed, and the next start reads the message. Continue: fixpoint run spec\n`,
    });
    go(project);
    expect((await run(project)).exitCode).toBe(0);
    expect(heardIn(project, 2)).toMatchObject([{ type: "guided", text: "Mind the gap", by }, { type: "said" }]);
    expect(boxOf(project).read()).toEqual([]);
  });

  it("is received once if the run is killed before it removes the recorded message", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const { child, end } = await atWork(project);
    child.kill("SIGSTOP");
    const telling = call(project, "say", "guidance", "Mind the gap", "spec");
    await until(() => boxOf(project).read().length === 1);
    const [word] = boxOf(project).read();
    child.kill("SIGCONT");
    await telling;
    child.kill("SIGKILL");
    await end;
    const folder = join(ownerFolder(project.spec), "said");
    mkdirSync(folder, { mode: 0o700, recursive: true });
    writeFileSync(join(folder, `${"1".padStart(20, "0")}-${word?.id ?? ""}.json`), JSON.stringify(word));
    expect(boxOf(project).read()).toEqual([word]);
    go(project);
    expect((await run(project)).exitCode).toBe(0);
    expect(heardIn(project, 2)).toMatchObject([{ type: "guided" }, { type: "said" }]);
    expect(boxOf(project).read()).toEqual([]);
  });

  it("withdraws a pause that a suspended run has not received yet", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const { child, end } = await atWork(project);
    child.kill("SIGSTOP");
    boxOf(project).leave({ run: 1, by, event: { type: "pause" } });
    const resumed = call(project, "resume", "spec");
    await until(() => boxOf(project).read().length === 2);
    child.kill("SIGCONT");
    expect(await resumed).toMatchObject({
      exitCode: 0,
      out: `Resumed: coordinator ${child.pid} continues spec\n`,
    });
    go(project);
    expect((await end).exitCode).toBe(0);
    expect(said(recordsOf(project))).toMatchObject([{ event: { type: "pause" } }, { event: { type: "resume" } }]);
  });

  it("begins no work after a received pause", async () => {
    const plan = Array.from({ length: 200 }, (_, at) => `- [ ] 1.${at + 1} Task\n`).join("");
    const project = projectWith({ plan, script: "touch started; made" });
    const { end, child } = await atWork(project);
    expect((await call(project, "pause", "spec")).exitCode).toBe(0);
    const begun = (): number => recordsOf(project).filter(({ type }) => type === "delegated").length;
    const before = begun();
    await sleep(1000);
    expect([begun(), before < 200]).toEqual([before, true]);
    child.kill("SIGINT");
    await end;
  });
});

describe.concurrent("fixpoint stop, with a lease that came with files", () => {
  it("ends no run of the folder that it was copied from", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const { child, end } = await atWork(project);
    const copy = join(project.workspace, "copy");
    cpSync(project.spec, copy, { recursive: true });
    expect(await call(project, "stop", "copy")).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(`its lease names process ${child.pid}, with the spec \`${project.spec}\``),
    });
    go(project);
    expect((await end).exitCode).toBe(0);
  });

  it.each([null, "1"])("ends no process that it names by number alone, with the start %s", async (pidStart) => {
    const project = projectWith({ script: works });
    await run(project);
    const other = spawn("sleep", ["600"]);
    const dataFolder = join(project.spec, ".fixpoint");
    forcedLease(dataFolder);
    forgeHolder(dataFolder, { pid: other.pid, pidStart });
    expect(await call(project, "stop", "spec")).toMatchObject({ exitCode: 2, out: "" });
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill();
  });
});

describe.concurrent("a file that an executor writes for its own run", () => {
  it("is not a message if it is in the workspace, whatever its name", async () => {
    const word = JSON.stringify({ id: "x", run: 1, by, event: { type: "pause" } });
    const name = `00000000000000000001-${"a".repeat(8)}-1111-4111-8111-111111111111.json`;
    const script = `cd "$FIXPOINT_SPEC/.fixpoint"; mkdir -p said; for at in . said; do
for name in pause resume stop said-1 ${name}; do echo '${word}' > "$at/$name" 2> /dev/null; done; done
cd "$OLDPWD"; touch one two; sleep 1; made`;
    const project = projectWith({ script });
    expect((await run(project)).exitCode).toBe(0);
    expect(said(recordsOf(project))).toEqual([]);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });
});
