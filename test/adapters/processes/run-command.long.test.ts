import { existsSync, fstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readTail } from "../../../src/adapters/processes/open-output.ts";
import { runCommand } from "../../../src/adapters/processes/run-command.ts";
import { endedOncePrinted, never, commandOptions as options, sh } from "../../support/command-options.ts";
import { writeScript } from "../../support/folder.ts";
import { livingWith } from "../../support/processes.ts";
import { stopClock } from "../../support/stop-clock.ts";

describe("runCommand", () => {
  it("returns the exit code and keeps both streams separate", async () => {
    const given = options();
    expect(await sh("echo out; echo err >&2; exit 7", given)).toMatchObject({
      exitCode: 7,
      signal: null,
      ended: "exit",
    });
    expect([readTail(given.stdout, 100), readTail(given.stderr, 100)]).toEqual(["out\n", "err\n"]);
  });

  it("distinguishes a death by a signal from an exit", async () => {
    expect(await sh("kill -SEGV $$", options())).toMatchObject({ exitCode: null, signal: "SIGSEGV", ended: "signal" });
  });

  it("passes arguments, folder and variables unchanged", async () => {
    const given = options();
    const script = "process.stdout.write(JSON.stringify([process.argv[1], process.cwd(), process.env.FANCY]))";
    await runCommand(
      "node",
      ["-e", script, "$(id) `id` ; '\""],
      { ...given, env: { ...given.env, FANCY: "a b" } },
      never,
    );
    expect(JSON.parse(readTail(given.stdout, 1000))).toEqual(["$(id) `id` ; '\"", given.cwd, "a b"]);
  });

  it("passes the text as input, also to a child that opens it as a file", async () => {
    const given = options({ stdin: "ünï\0code\n" });
    await sh("cat; cat /dev/stdin", given);
    expect(readTail(given.stdout, 100)).toBe("ünï\0code\n".repeat(2));
  });

  it("passes an empty input without a text", async () => {
    const given = options();
    expect(await sh("cat; echo end", given)).toMatchObject({ exitCode: 0 });
    expect(readTail(given.stdout, 100)).toBe("end\n");
  });

  it("does not block on a child that does not read 2 MB of input", async () => {
    expect(await sh("exit 0", options({ stdin: "x".repeat(2_000_000) }))).toMatchObject({ exitCode: 0, ended: "exit" });
  });

  it("keeps what follows if a child opens its stream again", async () => {
    const given = options();
    await sh("echo the first >&2; echo two > /dev/stderr; echo three >&2", given);
    expect(readTail(given.stderr, 100)).toBe("two\nthree\n");
  });

  it("ends a silent hang at the idle limit", async () => {
    const given = options({ idleTimeoutMs: 200 });
    expect(await sh("echo begun; sleep 60", given)).toMatchObject({ exitCode: null, signal: "SIGTERM", ended: "idle" });
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("kills a process that ignores SIGTERM", async () => {
    const given = endedOncePrinted({ graceMs: 100 });
    const script = "trap '' TERM; echo begun; while :; do sleep 0.05; done";
    expect(await sh(script, given)).toMatchObject({ exitCode: null, signal: "SIGKILL", ended: "idle" });
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("ends a stopped child like any other", async () => {
    const given = endedOncePrinted({ graceMs: 300_000 });
    const script = "trap 'echo told; exit 3' TERM; echo begun; kill -STOP $$; sleep 600";
    expect(await sh(script, given)).toMatchObject({ exitCode: 3, ended: "idle" });
    expect(readTail(given.stdout, 100)).toBe("begun\ntold\n");
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("kills a child that stops itself and ignores SIGTERM", async () => {
    const given = endedOncePrinted({ graceMs: 100 });
    const script = "trap '' TERM; echo begun; while :; do kill -STOP $$; done";
    expect(await sh(script, given)).toMatchObject({ signal: "SIGKILL" });
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("reports the limit for a child that exits by itself after the signal", async () => {
    const leap = stopClock();
    const look = (hasPrinted: boolean): boolean => {
      if (hasPrinted) leap(200);
      return false;
    };
    const script = "trap 'exit 0' TERM; echo begun; while :; do sleep 0.05; done";
    expect(await sh(script, options({ timeoutMs: 200, look }))).toMatchObject({ exitCode: 0, ended: "timeout" });
  });

  it("ends a flood at the cap", async () => {
    const given = options({ outputCapBytes: 100_000 });
    expect(await sh("yes", given)).toMatchObject({ ended: "flood" });
    expect(fstatSync(given.stdout).size).toBeGreaterThan(100_000);
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("kills a flood at once, before it fills the disk", async () => {
    // The grace period must not end during the test.
    const given = options({ outputCapBytes: 100_000, graceMs: 600_000 });
    const { durationMs: _, ...end } = await sh("trap '' TERM; yes", given);
    expect(end).toEqual({ exitCode: null, signal: "SIGKILL", ended: "flood", limit: 100_000 });
  });

  it("counts both streams towards the cap", async () => {
    const script = "head -c 60000 /dev/zero; head -c 60000 /dev/zero >&2; sleep 60";
    expect(await sh(script, options({ outputCapBytes: 100_000 }))).toMatchObject({ ended: "flood" });
  });

  it("reads a line of 50 MB without keeping it in memory", async () => {
    const given = options();
    const before = process.memoryUsage().rss;
    expect(await sh("head -c 50000000 /dev/zero | tr '\\0' x; echo end", given)).toMatchObject({ exitCode: 0 });
    expect(readTail(given.stdout, 1000)).toMatch(/^…x{996}end\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(35_000_000);
  });

  it("ends at an abort, and does not start after one", async () => {
    const stop = new AbortController();
    const given = options();
    const running = sh("sleep 60 & sleep 60", given, stop.signal);
    await sleep(100);
    stop.abort();
    expect(await running).toMatchObject({ exitCode: null, signal: "SIGTERM", ended: "signal" });
    expect(livingWith(given.mark)).toEqual([]);
    expect(await sh("touch started", given, stop.signal)).toMatchObject({ exitCode: null, ended: "signal" });
    expect(existsSync(`${given.cwd}/started`)).toBe(false);
  });

  it.for([
    ["in its group", "sleep 60 & echo begun"],
    ["in a session of its own", "setsid sleep 60 & echo begun"],
    ["as a daemon", "setsid sh -c 'setsid sleep 60 & exit 0' & echo begun; sleep 0.05"],
    ["without its environment", "env -i sleep 60 & sleep 0.1; echo begun"],
    ["deaf to SIGTERM", "sh -c \"trap '' TERM; while :; do sleep 0.05; done\" & sleep 0.1; echo begun"],
  ] as const)("ends a grandchild that keeps the output open %s", async ([, script]) => {
    const given = options({ graceMs: 200 });
    expect(await sh(script.replaceAll("sleep 60", `sleep 60.${given.mark.slice(-6)}`), given)).toMatchObject({
      exitCode: 0,
      ended: "exit",
    });
    expect(readTail(given.stdout, 100)).toBe("begun\n");
    expect([...livingWith(given.mark), ...livingWith(`60.${given.mark.slice(-6)}`)]).toEqual([]);
  });

  it("waits for leftovers after the exit without a grace period", async () => {
    const given = options({ graceMs: 600_000 });
    await sh("sh -c \"trap '' TERM; while :; do sleep 0.05; done\" & sleep 0.1", given);
    expect(livingWith(given.mark)).toEqual([]);
  });

  it("ends a child that left its group and lost its environment, even after its parent is gone", async () => {
    const given = options({ timeoutMs: 400, graceMs: 300 });
    const seconds = `60.${given.mark.slice(-6)}`;
    const script = `env -i setsid sh -c 'trap "" TERM; while :; do sleep 0.05; done; '${seconds}`;
    expect(await sh(script, given)).toMatchObject({ ended: "timeout" });
    expect(livingWith(seconds)).toEqual([]);
  });

  it("runs many in parallel for one signal without a warning", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on("warning", note);
    const stop = new AbortController();
    const given = Array.from({ length: 15 }, () => options());
    await Promise.all(given.map((one) => sh("sleep 0.1", one, stop.signal)));
    await sleep(0);
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("lets a grandchild end by itself first", async () => {
    // Stop the clock, to give the grandchild as much time as it needs.
    stopClock();
    const given = options({ graceMs: 2000 });
    const left = 'trap "echo ended > note; exit" TERM; : > ready; while :; do sleep 0.02; done';
    await sh(`setsid sh -c '${left}' & until [ -e ready ]; do sleep 0.02; done`, given);
    expect(readFileSync(`${given.cwd}/note`, "utf8")).toBe("ended\n");
  });

  it("ends nothing of a parallel call", async () => {
    const [long, short] = [options(), options()];
    const waits = "until [ -e go ]; do sleep 0.02; done";
    const running = sh(`setsid sh -c '${waits}' & ${waits}; wait; echo done`, long);
    await sh("setsid sleep 60 & exit 0", short);
    expect(livingWith(long.mark)).not.toEqual([]);
    writeFileSync(`${long.cwd}/go`, "");
    expect(await running).toMatchObject({ exitCode: 0, ended: "exit" });
    expect(readTail(long.stdout, 100)).toBe("done\n");
  });

  it("ends what a nested call has started", async () => {
    const given = options();
    await sh("FIXPOINT_CALL_0000000000000000=1 setsid sleep 60 & exit 0", given);
    expect(livingWith(given.mark)).toEqual([]);
  });

  it.for([
    ["a missing program", "no-such-program-here", /`no-such-program-here` .*ENOENT.*program/],
    ["a file that may not be run", "/etc/passwd", /`\/etc\/passwd` .*EACCES.*program/],
    ["a folder", "/tmp", /`\/tmp` .*EACCES.*program/],
  ] as const)("refuses %s", async ([, file, message]) => {
    await expect(runCommand(file, [], options(), never)).rejects.toThrow(
      expect.objectContaining({
        code: "command-not-started",
        blame: "environment",
        message: expect.stringMatching(message),
      }),
    );
  });

  it("refuses arguments that are too long for the system", async () => {
    await expect(runCommand("true", ["x".repeat(200_000)], options(), never)).rejects.toThrow(/E2BIG/);
  });

  it("reports a missing folder", async () => {
    await expect(runCommand("true", [], options({ cwd: "/no/such/folder" }), never)).rejects.toThrow(
      /in `\/no\/such\/folder` \(ENOENT\), expected the folder to exist/,
    );
    await expect(runCommand("true", [], options({ cwd: "/etc/passwd/x" }), never)).rejects.toThrow(
      /expected the folder/,
    );
  });

  it("leaves no descriptor open", async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    const given = options({ stdin: "x" });
    await sh("cat", given);
    const before = count();
    for (let n = 0; n < 5; n++) await sh("cat", given);
    await expect(runCommand("no-such-program-here", [], given, never)).rejects.toThrow();
    expect(count()).toBe(before);
  });

  it("runs scripts of the folder by a relative path", async () => {
    const given = options();
    writeScript(given.cwd, "agent.sh", "echo here");
    await runCommand("./agent.sh", [], given, never);
    expect(readTail(given.stdout, 100)).toBe("here\n");
  });
});
