import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../src/hosts/node/run-options.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { TimedRunEvent } from "../../src/model/event.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { launch, runWords } from "../support/cli.ts";
import {
  lastingFolder,
  type Project,
  projectAt,
  projectWith,
  twoTasks,
  works,
  writeExecutor,
} from "../support/project.ts";
import { msOf, type TestTelemetry, testTelemetry, treesOf } from "../support/telemetry.ts";
import { read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const root = resolve(import.meta.dirname, "../..");
const oneTask = "- [ ] 1.1 Only\n  - **Verify**: `test -e one`\n";
const run = "invoke_workflow fixpoint";
const agent = (task: string, role = "executor"): [string] => [`invoke_agent ${role} ${task}`];
const verify = (task: string): [string] => [`execute_tool verify ${task}`];

async function traced(
  project: Project,
  options: Partial<RunOptions> = {},
  told: TestTelemetry = testTelemetry(),
): Promise<TestTelemetry & { readonly events: readonly TimedRunEvent[] }> {
  const events: TimedRunEvent[] = [];
  await runSpec({
    ...{ workspace: project.workspace, spec: project.spec, yes: true, onEvent: (event) => void events.push(event) },
    executors: { executor: "./executor.sh" },
    telemetry: told.options,
    ...options,
  });
  return { ...told, events };
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

describe.concurrent("the spans of a run", () => {
  it("are its turns, attempts and checks, with the fixes inside the task they repair", async () => {
    const plan = `${oneTask}- [ ] 1.2 Next\n`;
    const script = "[ $id = 1.1 ] || touch one; [ -e one ] && made || broke 'it is hard'";
    const project = projectWith({ plan, script });
    const { spans } = await traced(project, { policy: { recovery: ["fix"] } });
    expect(treesOf(spans())).toEqual([
      [run, ["turn", agent("1.1"), verify("1.1"), agent("1.1.1"), verify("1.1.1")], ["turn", agent("1.2")]],
    ]);
    const [first] = named(spans(), "turn");
    expect(first?.attributes).toMatchObject({ "fixpoint.turn.number": 1, "fixpoint.turn.tasks": ["1.1"] });
    expect(first?.events.map(({ name }) => name)).toEqual([
      ...["task.failed", "task.decided", "fix.inserted", "task.passed", "task.passed"],
    ]);
    expect(first?.events[2]?.attributes).toEqual({ "fixpoint.task.id": "1.1", "fixpoint.fix": "1.1.1" });
    expect(named(spans(), run)[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.agent.name": "fixpoint",
      "fixpoint.run.number": 1,
      "fixpoint.run.resumed": false,
      "fixpoint.run.outcome": "complete",
    });
    const fix = named(spans(), "invoke_agent executor").find(
      ({ attributes }) => attributes["fixpoint.task.id"] === "1.1.1",
    );
    expect(fix?.attributes).toMatchObject({ "fixpoint.attempt.number": 1, "gen_ai.operation.name": "invoke_agent" });
    const ids = new Set(spans().map(({ attributes }) => attributes["gen_ai.conversation.id"]));
    expect(ids.size).toBe(1);
  });

  it("have the recorded times of the run", async () => {
    const project = projectWith({ plan: oneTask, script: "touch one; made" });
    const { spans } = await traced(project);
    const records = recordsOf(project);
    const timeOf = (holds: (record: (typeof records)[number]) => boolean): number => records.find(holds)?.at ?? 0;
    const chosen = timeOf((record) => record.type === "answered" && record.effect === "chooseTask");
    const delegated = timeOf(({ type }) => type === "delegated");
    const replied = timeOf((record) => record.type === "answered" && record.effect === "delegate");
    const ended = timeOf(({ type }) => type === "ended");
    const judged = records.find((record) => record.type === "answered" && record.effect === "verify");
    const took = judged?.type === "answered" ? (judged.verify?.result.durationMs ?? Number.NaN) : Number.NaN;
    const timesOf = (name: string) =>
      named(spans(), name).map(({ startTime, endTime }) => [msOf(startTime), msOf(endTime)].map(Math.round));
    expect(timesOf("turn")[0]?.[0]).toBe(chosen);
    expect(timesOf("invoke_agent executor")).toEqual([[delegated, replied]]);
    expect(timesOf("execute_tool verify")).toEqual([[(judged?.at ?? 0) - took, judged?.at]]);
    expect(timesOf(run)[0]?.[1]).toBe(ended);
  });

  it("are parallel in a batch", async () => {
    const plan = "- [ ] 1.1 [P] A\n  - **Files**: a\n- [ ] 1.2 [P] B\n  - **Files**: b\n";
    const { spans } = await traced(projectWith({ plan, script: "made" }));
    const [tree, ...others] = treesOf(spans());
    expect(others).toEqual([]);
    expect(tree?.slice(1)).toHaveLength(1);
    const [[turn, ...members] = []] = (tree?.slice(1) ?? []) as unknown as string[][][];
    expect(turn).toBe("turn");
    expect(members.sort()).toEqual([agent("1.1"), agent("1.2")]);
    expect(named(spans(), "turn")[0]?.attributes["fixpoint.turn.tasks"]).toEqual(["1.1", "1.2"]);
  });

  it("name the repair operator and parts", async () => {
    const project = projectWith({ plan: oneTask, script: "case $id in 1.1~*) touch one; made;; *) broke hard;; esac" });
    const operator: Executor = async () => "DECOMPOSE: Make the file | Check that the file can be read";
    const { spans } = await traced(project, {
      policy: { recovery: ["repair"], maxTaskIterations: 1 },
      executors: { executor: "./executor.sh", operator },
    });
    const [[, [, ...calls] = []] = []] = treesOf(spans()) as unknown as [string, string[]][];
    expect(calls.map((call) => call[0]).filter((call) => call?.startsWith("invoke_agent"))).toEqual([
      ...["invoke_agent executor 1.1", "invoke_agent operator 1.1"],
      ...["invoke_agent executor 1.1~1", "invoke_agent executor 1.1~2"],
    ]);
  });

  it("name the reviewer, after the reviewed attempt", async () => {
    const reviewer: Executor = async () => ({ text: "REVIEW_PASS", usage: { inputTokens: 7 } });
    const executors = { executor: "./executor.sh", reviewer };
    const { spans } = await traced(projectWith({ plan: oneTask }), { executors });
    expect(treesOf(spans())).toEqual([[run, ["turn", agent("1.1"), verify("1.1"), agent("1.1", "reviewer")]]]);
    const [call] = named(spans(), "invoke_agent reviewer");
    expect(call?.attributes).toMatchObject({ "gen_ai.usage.input_tokens": 7 });
    expect(call?.attributes["error.type"]).toBeUndefined();
  });

  it("include the final check, which belongs to no task", async () => {
    const policy = { finalVerify: "ls one" };
    const { spans } = await traced(projectWith({ plan: oneTask }), { policy });
    const checks = ["turn", agent("1.1"), verify("1.1")];
    expect(treesOf(spans())).toEqual([[run, checks, ["execute_tool verify"]]]);
  });

  it("fail with the reason why an agent was stopped, and with the limit of the run", async () => {
    const project = projectWith({ plan: oneTask, script: "sleep 600" });
    const { spans } = await traced(project, {
      policy: { taskTimeout: 300, maxTaskIterations: 1, recovery: ["retry"] },
    });
    const [call] = named(spans(), "invoke_agent executor");
    expect(call?.attributes["error.type"]).toBe("timeout");
    expect(call?.status.code).toBe(SpanStatusCode.ERROR);
    expect(named(spans(), run)[0]?.attributes).toMatchObject({
      "error.type": "limit",
      "fixpoint.run.outcome": "limit",
    });
    const [failed] = named(
      (await traced(projectWith({ plan: oneTask, script: "made" }))).spans(),
      "execute_tool verify",
    );
    expect(failed?.attributes).toMatchObject({ "error.type": "exit", "process.exit.code": 1 });
  });

  it("mark a start that repeats the result of the previous one", async () => {
    const project = projectWith({ plan: oneTask, script: "broke hard" });
    const options = { policy: { maxTaskIterations: 1 } };
    await traced(project, options);
    const { spans } = await traced(project, options);
    expect(treesOf(spans()).map(([name]) => name)).toEqual([run]);
    expect(named(spans(), run)[0]?.attributes).toMatchObject({ "fixpoint.run.outcome": "limit" });
  });

  it("end with the run on an interrupt, and continue in a separate trace", async () => {
    const project = projectWith({ plan: oneTask, script: "touch started; sleep 600" });
    const stop = new AbortController();
    const first = traced(project, { signal: stop.signal });
    await until(() => readdirSync(project.workspace).includes("started"));
    stop.abort();
    const before = (await first).spans();
    expect(treesOf(before)).toEqual([[run, ["turn", agent("1.1")]]]);
    expect(named(before, "invoke_agent executor")[0]?.attributes["error.type"]).toBe("abandoned");
    writeFileSync(join(project.workspace, "executor.sh"), "#!/bin/sh\ntouch one; echo TASK_COMPLETE\n");
    const after = (await traced(project)).spans();
    expect(treesOf(after)).toEqual([[run, ["turn", agent("1.1"), verify("1.1")]]]);
    expect(named(after, "turn")[0]?.attributes).toMatchObject({ "fixpoint.turn.number": 1 });
    expect(named(after, run)[0]?.attributes).toMatchObject({ "fixpoint.run.resumed": true });
    const idOf = (spans: ReadableSpan[]) => named(spans, run)[0]?.attributes["gen_ai.conversation.id"];
    expect(idOf(after)).toBe(idOf(before));
  });
});

describe.concurrent("the metrics of a run", () => {
  const executor: Executor = async () => ({
    text: "TASK_COMPLETE",
    usage: { inputTokens: 1200, outputTokens: 34, costUsd: 0.5 },
  });

  it("have units, by kind of call", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n  - **Verify**: `true`\n- [ ] 1.2 B\n" });
    const { metrics, spans } = await traced(project, { executors: { executor } });
    const all = (await metrics()).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const points = all.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => {
        const { count, sum } = typeof value === "number" ? { count: null, sum: value } : (value as Histogram);
        return { name, unit, ...attributes, count, ...(unit !== "s" && { sum }) };
      }),
    );
    const call = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "executor" };
    expect(points).toEqual(
      expect.arrayContaining([
        {
          name: "gen_ai.client.token.usage",
          unit: "{token}",
          ...call,
          "gen_ai.token.type": "input",
          count: 2,
          sum: 2400,
        },
        {
          name: "gen_ai.client.token.usage",
          unit: "{token}",
          ...call,
          "gen_ai.token.type": "output",
          count: 2,
          sum: 68,
        },
        { name: "fixpoint.usage.cost", unit: "{USD}", ...call, count: null, sum: 1 },
        { name: "gen_ai.invoke_agent.duration", unit: "s", ...call, count: 2 },
        { name: "fixpoint.turn.duration", unit: "s", count: 2 },
      ]),
    );
    expect(points).toHaveLength(7);
    expect(named(spans(), "invoke_agent executor")[0]?.attributes).toMatchObject({
      ...{ "gen_ai.usage.input_tokens": 1200, "gen_ai.usage.output_tokens": 34, "fixpoint.usage.cost_usd": 0.5 },
    });
  });

  interface Histogram {
    readonly count: number;
    readonly sum: number;
  }
});

describe.concurrent("foreign text", () => {
  function secretive(): Project {
    const workspace = join(lastingFolder(), "SECRET-path");
    const project = projectAt(workspace, join(workspace, "SECRET-spec"));
    mkdirSync(project.spec, { recursive: true });
    const task = (id: string): string =>
      `- [ ] ${id} SECRET-title\n  - **Do**: SECRET-do\n  - **Files**: SECRET-file\n  - **Verify**: \`echo SECRET-command; test -e one\`\n`;
    writeFileSync(project.tasks, task("1.1") + task("1.2") + task("1.3"));
    return project;
  }

  const replies: Readonly<Record<string, string>> = {
    "1.1":
      "Task 1.1: SECRET-work FAILED\n- Error: SECRET-error\n- Attempted fix: SECRET-fix\n- Status: SECRET-status\n",
    "1.2": "BLOCKED: SECRET-question",
  };
  const executor: Executor = async ({ taskId }) => replies[taskId] ?? "TASK_COMPLETE: SECRET-done\nTASK_COMPLETE\n";

  it.each([
    ["are not exported by default", undefined],
    ["are exported if enabled", true],
  ])("%s", async (_what, traceContent) => {
    const project = secretive();
    const told = testTelemetry();
    const { spans, metrics } = await traced(
      project,
      {
        executors: { executor, operator: async () => "ESCALATE: SECRET-tried | SECRET-decision" },
        policy: { recovery: ["fix", "repair"], maxTaskIterations: 1 },
        telemetry: { ...told.options, ...(traceContent && { traceContent }) },
        decide: async () => ({ kind: "decided", decision: "skip" }),
      },
      told,
    );
    expect(spans().length).toBeGreaterThan(5);
    expect(named(spans(), "execute_tool verify").length).toBeGreaterThan(0);
    const all = JSON.stringify([
      spans().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
      await metrics(),
    ]);
    const secrets = [...new Set(all.match(/SECRET-\w+/g) ?? [])].sort();
    if (traceContent === undefined) expect(secrets).toEqual([]);
    else {
      expect(secrets).toEqual(
        expect.arrayContaining(["SECRET-title", "SECRET-do", "SECRET-error", "SECRET-spec", "SECRET-command"]),
      );
      const [call] = named(spans(), "invoke_agent executor");
      expect(JSON.parse(String(call?.attributes["gen_ai.output.messages"]))).toMatchObject([
        { role: "assistant", parts: [{ type: "text", content: expect.stringContaining("SECRET-error") }] },
      ]);
    }
  });

  it("of a failing Verify is exported, if enabled, as its command and the end of its output", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n  - **Verify**: `echo SECRET-output; false`\n", script: "made" });
    const told = testTelemetry();
    const { spans } = await traced(
      project,
      {
        ...{ policy: { maxTaskIterations: 1 }, telemetry: { ...told.options, traceContent: true } },
      },
      told,
    );
    expect(named(spans(), "execute_tool verify")[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": "echo SECRET-output; false",
      "gen_ai.tool.call.result": "SECRET-output\n",
    });
  });
});

describe.concurrent("a tracer that throws", () => {
  it("causes one notice, and nothing else", async () => {
    const project = projectWith({ plan: oneTask });
    const tracer = {
      startSpan: () => {
        throw new Error("no room");
      },
    };
    const { events } = await traced(project, { telemetry: { tracer } });
    expect(events.at(-1)).toMatchObject({ outcome: "complete" });
    expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toEqual([
      "Telemetry is no longer sent: the tracer or the meter has thrown Error: no room",
    ]);
  });
});

describe.concurrent("run --telemetry", () => {
  const preload = join(root, "test/support/telemetry-to-file.mjs");

  function equipped(script?: string, plan = oneTask): Project {
    const project = projectWith({ plan, ...(script !== undefined && { script }) });
    const place = join(project.workspace, "node_modules/@opentelemetry");
    mkdirSync(place, { recursive: true });
    symlinkSync(join(root, "node_modules/@opentelemetry/api"), join(place, "api"));
    return project;
  }

  const env = ({ workspace }: Project, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    NODE_OPTIONS: `--import ${preload}`,
    SPANS: join(workspace, "spans"),
    METRICS: join(workspace, "metrics"),
    ...more,
  });

  const spansOf = ({ workspace }: Project) =>
    read(join(workspace, "spans"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { traceId: string; name: string; attributes: Record<string, unknown> });

  it("uses what is registered, and flushes it before it ends", async () => {
    const project = equipped();
    const end = await launch(project.workspace, runWords(project, "--yes", "--telemetry"), env(project)).end;
    expect(end).toMatchObject({ exitCode: 0, err: "" });
    expect(spansOf(project).map(({ name }) => name)).toEqual([
      ...["invoke_agent executor", "execute_tool verify", "turn", run],
    ]);
    expect(read(join(project.workspace, "metrics"))).toContain('"gen_ai.invoke_agent.duration"');
  });

  it("reports the starts of a killed run as one conversation, each in its own trace", async () => {
    const project = equipped("[ $id = 1.1 ] && touch one && made || { touch started; sleep 600; }", twoTasks);
    const words = runWords(project, "--yes", "--telemetry");
    const { child, end } = launch(project.workspace, words, env(project, { SPANS_AT_ONCE: "1" }));
    await until(() => readdirSync(project.workspace).includes("started"));
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, works);
    const more = await launch(project.workspace, runWords(project, "--telemetry"), env(project)).end;
    expect(more).toMatchObject({ exitCode: 0, err: "" });
    const spans = spansOf(project);
    const turn = ["invoke_agent executor", "execute_tool verify", "turn"];
    // The span of a killed start never ends and is not exported.
    expect(spans.map(({ name }) => name)).toEqual([...turn, ...turn, run]);
    const [before, after] = [spans.slice(0, 3), spans.slice(3)];
    for (const each of [before, after]) expect(new Set(each.map(({ traceId }) => traceId)).size).toBe(1);
    expect(before[0]?.traceId).not.toBe(after[0]?.traceId);
    expect(new Set(spans.map(({ attributes }) => attributes["gen_ai.conversation.id"])).size).toBe(1);
    expect(after.at(-1)?.attributes).toMatchObject({ "fixpoint.run.resumed": true });
    const turns = spans.flatMap(({ name, attributes }) =>
      name === "turn" ? [attributes["fixpoint.turn.number"]] : [],
    );
    expect(turns).toEqual([1, 2]);
  });

  it("reports each of many specs as a separate run", async () => {
    const project = equipped();
    const specs = ["one", "two"].map((name) => join(project.workspace, "specs", name));
    for (const spec of specs) {
      mkdirSync(spec, { recursive: true });
      writeFileSync(join(spec, "tasks.md"), oneTask);
    }
    const exec = ["--exec", join(project.workspace, "executor.sh")];
    const words = ["run", "--all", "specs", ...exec, "--cwd", ".", "--yes", "--telemetry"];
    expect(await launch(project.workspace, words, env(project)).end).toMatchObject({ exitCode: 0, err: "" });
    const spans = spansOf(project).filter(({ name }) => name === run);
    expect(spans).toHaveLength(2);
    expect(new Set(spans.map(({ attributes }) => attributes["gen_ai.conversation.id"])).size).toBe(2);
  });

  it("explains what to do if the package is missing, or nothing is registered", async () => {
    const bare = projectWith({ plan: oneTask });
    const missing = await launch(bare.workspace, runWords(bare, "--yes", "--telemetry")).end;
    expect(missing).toMatchObject({ exitCode: 2, out: "" });
    expect(missing.err).toMatch(/Cannot load `@opentelemetry\/api`[\s\S]*npm install @opentelemetry\/api/);
    const project = equipped();
    const unregistered = await launch(project.workspace, runWords(project, "--yes", "--telemetry")).end;
    expect(unregistered).toMatchObject({ exitCode: 2, out: "" });
    expect(unregistered.err).toMatch(/expected an SDK that is registered[\s\S]*--import/);
    const alone = await launch(project.workspace, runWords(project, "--yes", "--trace-content")).end;
    expect(alone).toMatchObject({ exitCode: 2, err: expect.stringContaining("with --telemetry") });
  });

  it("loads nothing without the option", async () => {
    const project = equipped();
    const seen = join(project.workspace, "seen");
    const spy = join(project.workspace, "spy.cjs");
    const keys = "Object.keys(require.cache)";
    writeFileSync(
      spy,
      `process.on("exit", () => require("node:fs").appendFileSync(${JSON.stringify(seen)}, ${keys}.join("\\n") + "\\n"));`,
    );
    const words = runWords(project, "--yes");
    expect((await launch(project.workspace, words, { NODE_OPTIONS: `--require ${spy}` }).end).exitCode).toBe(0);
    const loaded = readFileSync(seen, "utf8");
    expect(loaded).toContain(join(dirname(spy), "spy.cjs"));
    expect(loaded).not.toMatch(/opentelemetry|load-telemetry/);
  });
});
