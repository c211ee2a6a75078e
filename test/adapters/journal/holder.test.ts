import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkHolder, checkProcess } from "../../../src/adapters/journal/holder.ts";
import { journalVersion, type Segment, type SegmentHeader } from "../../../src/adapters/journal/journal-segment.ts";
import { endProcess, identifyProcess, isAlive } from "../../../src/adapters/processes/process-identity.ts";
import { sampleHeader } from "../../support/sample-header.ts";

const at = Date.parse("2026-01-02T03:04:05.006Z");
const since = "2026-01-02T03:04:05.006Z";
const own = { ...sampleHeader, v: journalVersion, host: hostname(), at, ...identifyProcess(process.pid) } as const;
const elsewhere = { ...own, host: "elsewhere" };
const dead = { ...own, pid: 2 ** 22 - 1, pidStart: "1" };
const holds = { takeOver: false };

/** A child that sleeps, as it is known. */
function sleeper() {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = child.pid as number;
  return { pid, identity: identifyProcess(pid), end: once(child, "exit") };
}

describe("who holds a spec", () => {
  it("is named while it is alive", () => {
    const locked = expect.objectContaining({
      code: "spec-locked",
      message: `Cannot take the spec, process ${process.pid} on \`${hostname()}\` holds it since ${since}`,
      hint: "Wait for it to end, or end it",
    });
    for (const takeOver of [true, false]) expect(() => checkProcess(own, { takeOver })).toThrow(locked);
    expect(() => checkProcess(dead, holds)).not.toThrow();
  });

  it("cannot be told on another machine, and is taken for gone when a person says so", () => {
    const { pid } = own;
    const told = expect.objectContaining({
      code: "spec-on-other-host",
      message: `Cannot take the spec, expected process ${pid} on \`elsewhere\` (since ${since}) to have ended`,
      hint: "If you are sure that it no longer runs there, take the spec over (takeOver: true)",
    });
    expect(() => checkProcess(elsewhere, holds)).toThrow(told);
    expect(() => checkProcess(elsewhere, { takeOver: true })).not.toThrow();
  });

  it("is the one with the last segment, unless it has let go", () => {
    const segment = (header: SegmentHeader, ...types: string[]) =>
      ({ header, records: types.map((type) => ({ type })) }) as unknown as Segment;
    const check = (...segments: Segment[]) => checkHolder({ segments }, holds);
    expect(() => check()).not.toThrow();
    for (const last of ["ended", "released"]) expect(() => check(segment(own, "said", last))).not.toThrow();
    for (const types of [[], ["said"], ["released", "said"]]) {
      expect(() => check(segment(own, ...types))).toThrow(expect.objectContaining({ code: "spec-locked" }));
    }
    expect(() => check(segment(own), segment(dead))).not.toThrow();
    expect(() => check(segment(dead), segment(own))).toThrow(expect.objectContaining({ code: "spec-locked" }));
  });
});

describe("a process", () => {
  it("is known by its id and its start, whatever its name is", async () => {
    // Its name holds what stands behind it in `/proc`.
    const child = spawn("sh", ["-c", "printf 'a) R 1 (b' > /proc/self/comm; read -r _"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const pid = child.pid as number;
    const before = identifyProcess(pid);
    await expect.poll(() => spawnSync("cat", [`/proc/${pid}/comm`]).stdout.toString()).toContain("a) R 1 (b");
    expect(before).toEqual({ pid, pidStart: expect.stringMatching(/^[1-9]\d*$/) });
    expect(identifyProcess(pid)).toEqual(before);
    expect(isAlive({ pid, pidStart: before?.pidStart ?? "" })).toBe(true);
    expect(isAlive({ pid, pidStart: "1" })).toBe(false);
    expect(isAlive({ pid, pidStart: null })).toBe(true);
    child.stdin?.end();
    await once(child, "exit");
    expect(identifyProcess(pid)).toBeNull();
    expect(isAlive({ pid, pidStart: null })).toBe(false);
  });

  it("is none once it is a zombie", async () => {
    // It ends once its parent has become a program that waits for none.
    const short = "sh -c 'until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done'";
    const child = spawn("sh", ["-c", `${short} & echo $!; exec sleep 60`], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    const zombie = Number(printed.toString());
    await expect.poll(() => identifyProcess(zombie)).toBeNull();
    expect(() => process.kill(zombie, 0)).not.toThrow();
  });

  it("is told to end when it is the very one", async () => {
    const { pid, identity, end } = sleeper();
    endProcess({ pid, pidStart: "1" });
    const kill = vi.spyOn(process, "kill");
    endProcess({ pid: 2 ** 22 - 1, pidStart: null });
    expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
    kill.mockRestore();
    expect(isAlive({ pid, pidStart: identity?.pidStart ?? "" })).toBe(true);
    endProcess({ pid, pidStart: identity?.pidStart ?? "" });
    expect(await end).toEqual([null, "SIGTERM"]);
  });

  it.each([
    ["ESRCH", undefined],
    ["EPERM", "signal-refused"],
  ])("that cannot be told to end is told of, unless it has just ended: %s", (code, told) => {
    const { pid, identity } = sleeper();
    const refusal = Object.assign(new Error(`kill ${code}`), { code });
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw refusal;
    });
    onTestFinished(() => kill.mockRestore());
    const end = () => endProcess({ pid, pidStart: identity?.pidStart ?? "" });
    if (told === undefined) expect(end).not.toThrow();
    else {
      const message = `Cannot end process ${pid}: kill EPERM`;
      const hint = expect.stringContaining("user");
      expect(end).toThrow(expect.objectContaining({ code: told, message, hint, cause: refusal }));
    }
    kill.mockRestore();
  });
});
