import { spawn, spawnSync } from "node:child_process";
import { fstatSync, ftruncateSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keepOutput, keptEndBytes } from "../../../src/adapters/processes/keep-output.ts";
import { outputPaths, readTail } from "../../../src/adapters/processes/open-output.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { mountSmall } from "../../support/mount-small.ts";

const mib = 1024 * 1024;
const block = Buffer.from("y\n".repeat(5 * mib));
const canPunch = (): boolean => spawnSync("fallocate", ["--version"]).status === 0;

function open(folder = temporaryFolder()) {
  const paths = outputPaths(folder, "1.1#1");
  const output = keepOutput("sh", { folder, paths });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await output.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...output, paths, close };
}

const megabyte = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `${n * 10}\n`.padStart(10, "0")).join(""));

function writeLines(file: number, bytes: number): void {
  for (let at = 0; at < bytes; at += megabyte.length) {
    const begin = Buffer.from(`${at / megabyte.length}`.padStart(3, "0"));
    for (let line = 0; line < megabyte.length; line += 10) megabyte.set(begin, line);
    writeSync(file, megabyte.subarray(0, bytes - at));
  }
}

const onDisk = (file: number): number => fstatSync(file).blocks * 512;

describe("the output of a program", () => {
  it("is kept completely up to twice the length of a kept end", async () => {
    const { stdout, stderr, paths, tend, close } = open();
    writeLines(stdout, 2 * keptEndBytes);
    writeSync(stderr, "why");
    tend();
    await close();
    expect(statSync(paths.stdout).size).toBe(2 * keptEndBytes);
    expect(readFileSync(paths.stdout).includes("fixpoint")).toBe(false);
    expect(readFileSync(paths.stderr, "utf8")).toBe("why");
  });

  it.for([
    ["freed while it was written", true],
    ["whole until then", false],
  ] as const)(
    "is kept, if it is longer, as both ends in whole lines and a line about what is missing: %s",
    async ([, isTended]) => {
      const { stdout, paths, tend, close } = open();
      const size = 60 * mib + 5;
      for (let step = 0; step < 3; step++) {
        writeLines(stdout, Math.floor(size / 3) + (step === 0 ? size % 3 : 0));
        if (isTended) tend();
      }
      const before = readTail(stdout, mib);
      await close();
      const kept = readFileSync(paths.stdout, "utf8");
      const [, head = "", missing = "", torn = "", tail = ""] =
        /^([^[]*\n)\[fixpoint: (\d+) bytes are left out here\]\n(\u2026?)([^[]*)$/.exec(kept) ?? [];
      expect(head.length).toBeLessThanOrEqual(keptEndBytes);
      expect(head.length).toBeGreaterThan(keptEndBytes - 20);
      expect(tail.length).toBeGreaterThan(keptEndBytes - 20);
      expect(head.length + Number(missing) + tail.length).toBe(size);
      expect(torn === "" ? tail.slice(0, 10) : "").toMatch(/^(?:\d{9}\n)?$/);
      expect(kept).not.toContain("\0");
      expect(readTail(paths.stdout, mib)).toBe(before);
    },
  );

  it("uses little disk space while it is written, if the system can free its middle", async ({ skip }) => {
    if (!canPunch()) return skip("no fallocate here");
    const { stdout, tend } = open();
    for (let step = 0; step < 30; step++) {
      writeSync(stdout, block);
      tend();
      await sleep(20);
    }
    expect(fstatSync(stdout).size).toBe(300 * mib);
    // Wait, because space is freed concurrently with the writes.
    await vi.waitFor(
      () => {
        tend();
        expect(onDisk(stdout)).toBeLessThan(4 * keptEndBytes);
      },
      { timeout: 300_000 },
    );
  });

  it("is not freed before it was read", async ({ skip }) => {
    if (!canPunch()) return skip("no fallocate here");
    const { stdout, tend, close, paths } = open();
    for (let step = 0; step < 10; step++) writeSync(stdout, block);
    tend(40 * mib);
    await vi.waitFor(() => expect(onDisk(stdout)).toBeLessThan(90 * mib), { timeout: 300_000 });
    const content = readFileSync(paths.stdout);
    expect(content.subarray(keptEndBytes, 40 * mib).every((byte) => byte === 0)).toBe(true);
    expect(content.subarray(40 * mib).includes(0)).toBe(false);
    await close();
  });

  it("is kept unchanged if the system cannot free it", async () => {
    vi.stubEnv("PATH", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout, tend, close, paths } = open();
    for (let step = 0; step < 6; step++) {
      writeSync(stdout, block);
      tend();
      await sleep(20);
    }
    expect(onDisk(stdout)).toBeGreaterThanOrEqual(60 * mib);
    await close();
    expect(statSync(paths.stdout).size).toBeLessThan(2 * keptEndBytes + 100);
  });

  it("is cut even if it is a single line, and if it is not text", async () => {
    const { stdout, stderr, paths, close } = open();
    for (let at = 0; at < 40 * mib; at += mib) {
      writeSync(stdout, Buffer.from("\u20ac".repeat(mib / 2)).subarray(0, mib));
      writeSync(stderr, Buffer.alloc(mib, 0xff));
    }
    await close();
    const head = keptEndBytes;
    const line = (file: string): string =>
      readFileSync(file)
        .subarray(head, head + 60)
        .toString("latin1");
    const middle = /^\n\[fixpoint: \d{7} bytes are left out here\]\n\xe2\x80\xa6/;
    expect(line(paths.stdout)).toMatch(middle);
    expect(line(paths.stderr)).toMatch(middle);
  });

  it("continues after both ends if a leftover process writes meanwhile", async () => {
    const { stdout, paths, close } = open();
    for (let step = 0; step < 5; step++) writeSync(stdout, block);
    const left = spawn("sh", ["-c", "while :; do echo left; done"], { stdio: ["ignore", stdout, "ignore"] });
    try {
      await vi.waitFor(() => expect(readTail(stdout, 5)).toBe("left\n"), { timeout: 300_000 });
      await close();
      const { size } = statSync(paths.stdout);
      await vi.waitFor(() => expect(statSync(paths.stdout).size).toBeGreaterThan(size), { timeout: 300_000 });
    } finally {
      left.kill("SIGKILL");
    }
    const kept = readFileSync(paths.stdout);
    expect(kept.length).toBeLessThan(40 * mib);
    expect(kept.includes("\ny\n[fixpoint: ") || kept.includes("\nleft\n[fixpoint: ")).toBe(true);
    expect(kept.includes(0)).toBe(false);
    expect(readTail(paths.stdout, 10)).toBe("left\nleft\n");
  });

  it("is empty again for the next attempt after a hole, or a cut", async () => {
    const folder = temporaryFolder();
    const { paths, close } = open(folder);
    await close();
    for (const bytes of [10 ** 12, keptEndBytes]) {
      const left = open(folder);
      ftruncateSync(left.stdout, bytes);
      expect(readTail(paths.stdout, 10)).toBe(`\u2026${"\0".repeat(10)}`);
      const again = open(folder);
      writeSync(again.stdout, "again");
      await again.close();
      expect(readFileSync(paths.stdout, "utf8")).toBe("again");
    }
  });
});

describe("the disk space for output", () => {
  async function filled({ left, output: bytes }: { readonly left: number; readonly output: number }) {
    const folder = temporaryFolder();
    if (!mountSmall(folder, "64m")) return null;
    const output = open(folder);
    writeSync(output.stdout, Buffer.alloc(bytes));
    const used = 64 * mib - left - bytes;
    spawnSync("fallocate", ["-l", String(used), join(folder, "other")]);
    return output;
  }

  it("is insufficient if the output takes more than is left of the reserve", async ({ skip }) => {
    const output = await filled({ left: 300_000, output: 20_000_000 });
    if (output === null) return skip("no disk can be mounted here");
    expect(() => output.tend()).toThrow(
      expect.objectContaining({
        code: "output-not-written",
        blame: "environment",
        message: expect.stringMatching(
          /^Cannot store the output of `sh` in `.*1\.1#1\.out` \(only \d{2,3} KiB are left on its disk\), expected free space for it$/,
        ),
      }),
    );
  });

  it.for([
    ["most of the reserve is taken by others", { left: 300_000, output: 1000 }],
    ["more than the reserve is left", { left: 2_000_000, output: 20_000_000 }],
  ] as const)("is sufficient if %s", async ([, given], { skip }) => {
    const output = await filled(given);
    if (output === null) return skip("no disk can be mounted here");
    expect(() => output.tend()).not.toThrow();
  });

  it("is not checked for a removed folder", async () => {
    const folder = temporaryFolder();
    const { stdout, tend } = open(folder);
    spawnSync("rm", ["-r", folder]);
    writeSync(stdout, "more");
    expect(() => tend()).not.toThrow();
  });
});
