import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { TimedRunEvent } from "../../src/model/event.ts";
import { cli, type End, launch, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith, twoDone, twoTasks, works } from "../support/project.ts";
import { delegations, eventsIn, journalPath, read, recordsIn } from "../support/traces.ts";
import { until } from "../support/until.ts";

const once = ["--max-task-iterations", "1"];
/** Reaches a limit at first, and notes when it was started. */
const limitedFor = (seconds: number): string =>
  `date +%s%3N >> times; [ -e tried ] || { touch tried; echo "Error: rate limit exceeded, retry after ${seconds} s" >&2; exit 1; }; ${works}`;

const waitsIn = ({ out }: Pick<End, "out">) =>
  eventsIn(out).flatMap((event) => (event.type === "waiting" ? [event] : []));

/** When the executor was started, in milliseconds since 1970. */
const timesIn = ({ workspace }: Project): number[] => read(join(workspace, "times")).trim().split("\n").map(Number);

/** Start a run and wait until it waits; answers until when. */
async function untilItWaits(project: Project) {
  const launched = launch(project.workspace, runWords(project, "--yes", ...once));
  const path = journalPath(project);
  await until(() => existsSync(path) && read(path).includes('"1.1#1/readFailure"'));
  const record = recordsIn(path).find((found) => found.type === "answered" && found.key === "1.1#1/readFailure");
  const { until: time } = (record as unknown as { answer: { until: number } }).answer;
  return { ...launched, time };
}

describe.concurrent("a run whose executor has reached its limit", () => {
  it("waits where it can be seen, and spends no attempt", async () => {
    const project = projectWith({ script: limitedFor(2) });
    const end = await run(project, ...once, "--reporter", "json");
    expect(end).toMatchObject({ exitCode: 0, err: "" });
    expect(waitsIn(end)).toMatchObject([{ task: "1.1", reason: "rate-limit" }]);
    const [first = 0, second = 0] = timesIn(project);
    expect(second).toBeGreaterThanOrEqual(Date.parse(waitsIn(end)[0]?.until ?? ""));
    expect(second - first).toBeGreaterThan(1900);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it.each(["SIGINT", "SIGKILL"] as const)("waits only for the rest after %s", async (signal) => {
    // Where a machine takes longer for the stop and the next start than the limit lasts, there is no rest: once more.
    for (const seconds of [6, 30, 120]) {
      const project = projectWith({ script: limitedFor(seconds) });
      const { child, end, time } = await untilItWaits(project);
      child.kill(signal);
      const stopped = await end;
      if (signal === "SIGINT") expect(stopped.exitCode).toBe(130);
      const isLate = Date.now() >= time;
      const next = await runAgain(project, "--reporter", "json");
      expect(next).toMatchObject({ exitCode: 0, err: "" });
      const second = timesIn(project)[1] ?? 0;
      expect(second).toBeGreaterThanOrEqual(time);
      expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
      if (isLate || (waitsIn(next).length === 0 && seconds < 120)) continue;
      expect(waitsIn(next)).toEqual([expect.objectContaining({ until: new Date(time).toISOString() })]);
      return;
    }
    throw new Error("the machine is too slow to see a run wait");
  });

  it("waits no more when the limit has ended meanwhile", async () => {
    const project = projectWith({ script: limitedFor(2) });
    const { child, end, time } = await untilItWaits(project);
    child.kill("SIGKILL");
    await end;
    await until(() => Date.now() > time);
    const next = await runAgain(project, "--reporter", "json");
    expect(next.exitCode).toBe(0);
    expect(waitsIn(next)).toEqual([]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
  });

  it("takes no mention of a limit for one", async () => {
    const said = `echo "It has hit a rate limit: 429 Too Many Requests, retry after 60 s"`;
    const passing = projectWith({ script: `${said}; ${works}` });
    const passed = await run(passing, ...once, "--reporter", "json");
    expect(passed.exitCode).toBe(0);
    expect(delegations(passing)).toEqual(["1.1#1", "1.2#1"]);
    const failing = projectWith({ script: `${said}; exit 1` });
    const failed = await run(failing, ...once, "--reporter", "json");
    expect(failed.exitCode).toBe(1);
    expect(delegations(failing)).toEqual(["1.1#1"]);
    expect([...waitsIn(passed), ...waitsIn(failed)]).toEqual([]);
  });
});

describe.concurrent("a run whose executor does not say when it can work again", () => {
  const down = "echo 'Error: getaddrinfo ENOTFOUND api.example.com' >&2; exit 1";

  it("waits no longer than it may, and then asks a person with what the executor has said", async () => {
    const project = projectWith({ script: `[ -e net ] || { ${down}; }; ${works}` });
    const first = await run(project, ...once, "--max-wait", "1s");
    expect(first).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("(offline): Error: getaddrinfo ENOTFOUND"),
    });
    expect(first.err).toContain("--max-wait");
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    expect(read(project.tasks)).toBe(twoTasks);
    writeFileSync(join(project.workspace, "net"), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.2#1"]);
  });

  it("waits for as long as is told, whatever it may", async () => {
    const project = projectWith({ script: limitedFor(2) });
    expect(await run(project, ...once, "--max-wait", "1ms")).toMatchObject({ exitCode: 0 });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
  });
});

describe.concurrent("a run whose executor has to be logged in", () => {
  it("asks a person, and goes on without a spent attempt", async () => {
    const project = projectWith({ script: `[ -e login ] || { echo "Error: Not logged in" >&2; exit 1; }; ${works}` });
    const first = await run(project, ...once);
    expect(first).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("Log the executor in, then go on: fixpoint run spec\n"),
    });
    const again = await runAgain(project);
    expect(again).toMatchObject({ exitCode: 3, err: expect.stringContaining("Not logged in") });
    expect(again.out).not.toContain("waiting for a person");
    writeFileSync(join(project.workspace, "login"), "");
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});

describe.concurrent("a run with an executor that stands in for another", () => {
  it("goes on with it at once", async () => {
    const project = projectWith({ script: works });
    const limited = writeScript(
      project.workspace,
      "limited.sh",
      'echo "$FIXPOINT_KEY" >> limited.log; echo "Error: rate limit exceeded, retry after 300 s" >&2; exit 1',
    );
    const host = join(project.workspace, "host.mjs");
    const entry = resolve(cli, "../../node/index.js");
    const options = { spec: project.spec, executors: { executor: [limited, "./executor.sh"] }, yes: true };
    writeFileSync(
      host,
      `import { runSpec } from ${JSON.stringify(entry)};
const events = [];
const policy = { maxTaskIterations: 1 };
await runSpec({ ...${JSON.stringify(options)}, policy, onEvent: (event) => events.push(event) });
process.stdout.write(JSON.stringify(events));
`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [host], { cwd: project.workspace });
    const events = JSON.parse(stdout) as TimedRunEvent[];
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "complete" });
    expect(events.filter(({ type }) => type === "waiting")).toEqual([]);
    expect(read(join(project.workspace, "limited.log"))).toBe("1.1#1\n");
    expect(delegations(project)).toEqual(["1.1#2", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("knows after a kill who cannot work", async () => {
    const project = projectWith();
    const tools = join(project.workspace, "tools");
    mkdirSync(tools);
    const soon = Math.round(Date.now() / 1000) + 3600;
    writeScript(
      tools,
      "claude",
      `cat > /dev/null; echo "claude $FIXPOINT_KEY" >> calls.log
echo '{"type":"system","subtype":"init","session_id":"s1"}'
echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":${soon}},"session_id":"s1"}'
echo '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your session limit","api_error_status":429}'
exit 1`,
    );
    writeScript(
      tools,
      "codex",
      `cat > /dev/null; echo "codex $FIXPOINT_KEY" >> calls.log
[ -e killed ] || { touch killed; kill -9 $PPID; sleep 60; }
touch one two
printf '%s\\n' '{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"Done.\\nTASK_COMPLETE"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'`,
    );
    const settled = ["--executor-args", "codex: --sandbox workspace-write --skip-git-repo-check"];
    const words = ["run", project.spec, "--executor", "claude,codex", ...settled, "--reporter", "json", ...once];
    const env = { PATH: `${tools}:${process.env["PATH"]}` };
    expect((await launch(project.workspace, [...words, "--yes"], env).end).signal).toBe("SIGKILL");
    const end = await launch(project.workspace, words, env).end;
    expect(end).toMatchObject({ exitCode: 0, err: "" });
    expect(waitsIn(end)).toEqual([]);
    expect(read(join(project.workspace, "calls.log")).trim().split("\n")).toEqual([
      "claude 1.1#1",
      "codex 1.1#2",
      "codex 1.1#2",
      "codex 1.2#1",
    ]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
