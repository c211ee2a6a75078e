import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atWork, cli, launch, runWords } from "../support/cli.ts";
import { runAgain } from "../support/cli-here.ts";
import { alive, livingWith } from "../support/processes.ts";
import { type Project, projectWith, twoDone, works, writeExecutor } from "../support/project.ts";
import { delegations, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

/** Each loop takes at least 0.1 s, and executors that ignore signals are killed after 5 s. */
const mostLoops = 45;

const begun = (project: Project) => until(() => existsSync(join(project.workspace, "started")));

const ending = (project: Project) => recordsOf(project).at(-1);

async function expectToGoOn(project: Project): Promise<void> {
  writeExecutor(project.workspace, works);
  expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
  expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
  expect(read(project.tasks)).toBe(twoDone);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = new Promise<boolean>((settle) => {
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });
  return isConnected.finally(() => socket.destroy());
}

const executors = [
  ["silent", "touch started; sleep 60"],
  ["with daemons", "setsid sleep 61 & (setsid setsid sleep 62 &); touch started; sleep 63"],
  ["deaf to SIGTERM", "trap '' TERM; touch started; while :; do sleep 0.1; done"],
  ["stopped", "touch started; kill -STOP $$"],
  [
    "with a child that has left it",
    'env -i setsid sh -c \'trap "" TERM; touch started; while :; do sleep 0.1; done\' "$PWD"',
  ],
] as const;

describe.concurrent("a run under a signal", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    for (const [kind, script] of executors) {
      it(`ends after ${signal}, its executor ${kind}`, async () => {
        const project = projectWith({ script });
        const { child, end } = await atWork(project);
        child.kill(signal);
        expect((await end).exitCode).toBe(130);
        // A killed process may have a child without the mark. That child ends on its own.
        await until(() => alive(project).length + livingWith(project.workspace).length === 0);
        expect(ending(project)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
        await expectToGoOn(project);
      });
    }
  }

  it.each(["SIGUSR2", "SIGQUIT"] as const)("ends after %s of its executor", async (signal) => {
    const project = projectWith({ script: `kill -${signal.slice(3)} $PPID; touch started; sleep 60` });
    const { end } = await atWork(project);
    expect(await end).toMatchObject({ exitCode: 130, signal: null });
    await until(() => alive(project).length === 0);
    expect(ending(project)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
    await expectToGoOn(project);
  });

  it("continues after SIGUSR1 of its executor, and opens no inspector", async () => {
    const port = await freePort();
    const script = `kill -USR1 $PPID; touch started; until [ -e go ]; do sleep 0.05; done; ${works}`;
    const project = projectWith({ script });
    const env = { NODE_OPTIONS: `--inspect-port=${port}` };
    const { end } = launch(project.workspace, runWords(project, "--yes"), env);
    await begun(project);
    // Polls long enough: a listening inspector accepts connections within a few hundredths of a second.
    for (let looks = 0; looks < 20; looks++) {
      expect(await isOpen(port)).toBe(false);
      await sleep(50);
    }
    writeFileSync(join(project.workspace, "go"), "");
    expect(await end).toMatchObject({ exitCode: 0, err: "" });
  });

  it.each([
    ["SIGINT", "SIGINT"],
    ["SIGTERM", "SIGTERM"],
    ["SIGINT", "SIGTERM"],
    ["SIGHUP", "SIGINT"],
  ] as const)("ends at once after %s and %s", async (first, second) => {
    const script =
      "trap ': >told' TERM; setsid sleep 61 & touch started; while :; do sleep 0.1; [ -e told ] && echo >>loops; done";
    const project = projectWith({ script });
    const { child, end } = await atWork(project);
    child.kill(first);
    await until(() => existsSync(join(project.workspace, "told")));
    child.kill(second);
    expect((await end).exitCode).toBe(130);
    const loops = join(project.workspace, "loops");
    expect(existsSync(loops) ? read(loops).length : 0).toBeLessThan(mostLoops);
    await until(() => alive(project).length === 0);
    await expectToGoOn(project);
  });

  it("survives the same signal many times", async () => {
    const project = projectWith({ script: "trap '' TERM; touch started; while :; do sleep 0.1; done" });
    const { child, end } = await atWork(project);
    for (let n = 0; n < 20; n++) child.kill("SIGINT");
    expect(await end).toMatchObject({ exitCode: 130, signal: null });
    await until(() => alive(project).length === 0);
    await expectToGoOn(project);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.concurrent("a run whose output no one reads", () => {
  it.skipIf(!hasScript)("ends when its terminal is closed, and can be resumed", async () => {
    const project = projectWith({ script: "echo chat; touch started; sleep 60" });
    const words = [process.execPath, cli, ...runWords(project, "--yes")].map((word) => `'${word}'`).join(" ");
    const terminal = spawn("script", ["--quiet", "--command", `exec ${words}`, "/dev/null"], {
      cwd: project.workspace,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await begun(project);
    terminal.kill("SIGKILL");
    await until(() => livingWith(project.workspace).length === 0);
    expect(ending(project)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
    await expectToGoOn(project);
  });

  it("ends silently when the reader has closed its input", async () => {
    const project = projectWith({ script: `${works}; sleep 0.2` });
    const words = ["-c", '"$0" "$@" | head -1', process.execPath, cli, ...runWords(project, "--yes")];
    const shell = spawn("sh", words, { cwd: project.workspace, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect({ lines: out.split("\n").length - 1, err }).toEqual({ lines: 1, err: "" });
    expect(livingWith(project.workspace)).toEqual([]);
    expect(ending(project)).toMatchObject({ type: "ended", ending: { outcome: "interrupted" } });
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
