import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { cli as main } from "../../support/cli.ts";
import { writeScript } from "../../support/folder.ts";
import { livingWith } from "../../support/processes.ts";
import { workspaceWith } from "./sample-spec.ts";

const root = resolve(import.meta.dirname, "../../..");

interface End {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

const launch = (folder: string, words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [main, ...words], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });

async function end(program: ChildProcess): Promise<End> {
  const exitCode = new Promise<number | null>((settle) => program.once("close", settle));
  const [out = "", err = ""] = await Promise.all(
    [program.stdout, program.stderr].map((stream) => (stream === null ? Promise.resolve("") : text(stream))),
  );
  return { exitCode: await exitCode, out, err };
}

const fixpoint = (folder: string, ...words: string[]): Promise<End> => end(launch(folder, words));

describe("the fixpoint program", () => {
  it("prints the version of the package, and loads no other file for it", async () => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(await fixpoint("/", "--version")).toEqual({ exitCode: 0, out: `${version}\n`, err: "" });
    const atOnce = [...readFileSync(main, "utf8").matchAll(/^(?:let .*)?require\("(.*)"\)/gm)].map(([, id]) => id);
    expect(atOnce).toEqual(["node:fs", "node:module", "node:os", "node:path"]);
  });

  it("has only ASCII files, which the engine stores at half the size", () => {
    const folder = dirname(main);
    const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) expect(readFileSync(join(folder, name), "latin1"), name).not.toMatch(/[^\0-\x7f]/);
  });

  it("reports a defect with the source positions of its stack", async () => {
    const workspace = workspaceWith();
    const preload = join(workspace, "defect.cjs");
    writeFileSync(
      preload,
      `const fs = require("node:fs");
       const { realpathSync } = fs;
       fs.realpathSync = Object.assign((...given) => {
         const { stack } = new Error();
         if (stack.includes("perform-run") && !stack.includes("internal/modules")) throw new TypeError("broken");
         return realpathSync(...given);
       }, realpathSync);`,
    );
    const words = ["--require", preload, main, "run", "--exec", "true", "--yes"];
    const program = spawn(process.execPath, words, { cwd: workspace, stdio: ["ignore", "pipe", "pipe"] });
    expect(await end(program)).toMatchObject({
      exitCode: 70,
      err: expect.stringMatching(
        /TypeError: broken\n[\s\S]*at \S+ \(src\/hosts\/cli\/perform-run\.ts in \/\S+\.js:\d+:\d+\)/,
      ),
    });
  });

  it("refuses unknown arguments with exit code 2, and prints no control characters", async () => {
    expect(await fixpoint("/", "diagram", "\u001b[2J")).toEqual({
      ...{ exitCode: 2, out: "" },
      err: "ERROR: Cannot draw machine `\\x1b[2J`, expected one of task, escalation, batch, pullRequest, spec\n",
    });
  });

  it("ends when its lease is lost during a run", async () => {
    const workspace = workspaceWith();
    const copy = join(root, "reports", `cli-taken-away-${process.pid}`);
    cpSync(dirname(main), copy, { recursive: true });
    // The new journal segment imitates another coordinator.
    writeScript(workspace, "agent.sh", `rm -rf ${copy}; touch "$FIXPOINT_SPEC/.fixpoint/run-1/journal-2.ndjson"`);
    const taken = join(copy, "main.js");
    const program = spawn(process.execPath, [taken, "run", "--exec", "./agent.sh", "--yes"], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { exitCode, err } = await end(program);
    expect({ exitCode, err }).toEqual({
      exitCode: 70,
      err: expect.stringMatching(/^ERROR: .*another coordinator.*\nInstall fixpoint again/),
    });
  });

  it("lists the commands without consent", async () => {
    const { exitCode, out, err } = await fixpoint(workspaceWith(), "run", "--exec", "true");
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toMatch(
      /^ERROR: .*\n2 items:\n {2}Verify: test -f a\.txt\n {2}Verify: test -f b\.txt\nEnd of the list: 2 items\.\n.*--yes\n$/,
    );
  });

  it("names the holder of the spec, with exit code 4", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--yes", "--exec", writeScript(workspace, "slow", "touch started; exec sleep 30")];
    const first = launch(workspace, words);
    const ended = end(first);
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    const second = await fixpoint(workspace, ...words);
    expect(second).toMatchObject({ exitCode: 4, out: "", err: expect.stringContaining(String(first.pid)) });
    first.kill("SIGTERM");
    expect((await ended).exitCode).toBe(130);
  });

  it("reports that no more files can be opened, with exit code 5", async () => {
    const preload = resolve(import.meta.dirname, "../../support/all-descriptors.mjs");
    const words = [process.execPath, "--import", preload, main, "run"];
    const program = spawn("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...words], {
      cwd: workspaceWith(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await end(program)).toEqual({
      exitCode: 5,
      out: "",
      err: expect.stringMatching(/^ERROR: Too many files are open \(EMFILE\), .*\n.*ulimit -n.*\n$/),
    });
  });

  it("reports that standard output is full, with exit code 5", async () => {
    const full = openSync("/dev/full", "w");
    const program = spawn(process.execPath, [main, "--help"], { stdio: ["ignore", full, "pipe"] });
    expect(await end(program)).toEqual({
      exitCode: 5,
      out: "",
      err: "ERROR: Cannot write to standard output (ENOSPC)\n",
    });
  });

  it("ends without an error when its reader closes, and ends the executor", async () => {
    const workspace = workspaceWith();
    const words = ["run", "--yes", "--exec", writeScript(workspace, "slow", "sleep 0.3; echo TASK_FAILED")];
    const program = launch(workspace, words);
    program.stdout?.once("data", () => program.stdout?.destroy());
    const exitCode = new Promise((settle) => program.once("exit", settle));
    expect(program.stderr === null ? "" : await text(program.stderr)).toBe("");
    expect(await exitCode).toBe(130);
    expect(livingWith(workspace)).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("stops at %s and can be resumed", async (signal) => {
    const workspace = workspaceWith();
    const program = launch(workspace, [
      "run",
      "--yes",
      "--exec",
      writeScript(workspace, "slow", "touch started; sleep 30"),
    ]);
    const ended = end(program);
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    program.kill(signal);
    const { exitCode, out, err } = await ended;
    expect({ exitCode, err }).toEqual({
      exitCode: 130,
      err: "Interrupted. Continue: fixpoint run demo\n",
    });
    expect(out).not.toContain("ALL_TASKS_COMPLETE");
    expect(livingWith(workspace)).toEqual([]);
  });

  it("ends at once at the second signal", async () => {
    const workspace = workspaceWith();
    const stubborn = writeScript(
      workspace,
      "stubborn",
      "trap '' TERM INT; touch started; for i in $(seq 100); do sleep 0.1; done",
    );
    const program = launch(workspace, ["run", "--yes", "--exec", stubborn]);
    const ended = end(program);
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    program.kill("SIGINT");
    await new Promise((settle) => setTimeout(settle, 200));
    expect(program.exitCode).toBeNull();
    program.kill("SIGINT");
    expect((await ended).exitCode).toBe(130);
    await expect.poll(() => livingWith(workspace)).toEqual([]);
  });
});
