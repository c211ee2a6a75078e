import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { outputPaths, readTail } from "../../src/adapters/processes/open-output.ts";
import { redactSecrets } from "../../src/adapters/processes/redact-secrets.ts";
import { shell } from "../../src/adapters/shell.ts";
import { redactResults } from "../../src/hosts/node/executors/redact-replies.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { livingWith } from "../support/processes.ts";
import { stopClock } from "../support/stop-clock.ts";
import { until } from "../support/until.ts";

const never = new AbortController().signal;
const limit = { timeoutMs: 600_000 };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("shell", () => {
  it("runs a command line in the workspace", async () => {
    const workspace = temporaryFolder();
    const result = await shell({ workspace }).run('pwd; echo "a  b" | tr a-z A-Z >&2; exit 3', limit, never);
    expect(result).toEqual({
      exitCode: 3,
      stdout: `${workspace}\n`,
      stderr: "A  B\n",
      durationMs: expect.any(Number),
      timedOut: false,
    });
  });

  it("runs nothing once the lease is lost", async () => {
    const workspace = temporaryFolder();
    const lost = new Error("lost");
    const checkFence = (): never => {
      throw lost;
    };
    await expect(shell({ workspace, checkFence }).run("touch made", limit, never)).rejects.toBe(lost);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it("passes no input", async () => {
    expect(await shell({ workspace: temporaryFolder() }).run("cat", limit, never)).toMatchObject({
      exitCode: 0,
      stdout: "",
    });
  });

  it("keeps the last 64 KiB of each stream", async () => {
    const { stdout } = await shell({ workspace: temporaryFolder() }).run(
      "yes 1234567 | head -n 20000; echo end",
      limit,
      never,
    );
    expect(stdout).toHaveLength(1 + 64 * 1024);
    expect(stdout).toMatch(/^…567\n(?:1234567\n)+end\n$/);
  });

  it("ends a command at its time limit, with its child processes", async () => {
    const seconds = `60.${process.pid}`;
    const { run } = shell({ workspace: temporaryFolder(), graceMs: 200 });
    const result = await run(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 200 }, never);
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(livingWith(seconds)).toEqual([]);
  });

  it("keeps the output of a command until its time limit", async () => {
    const leap = stopClock();
    const workspace = temporaryFolder();
    const running = shell({ workspace, graceMs: 200 }).run(
      "echo begun; echo why >&2; : > ready; sleep 600",
      { timeoutMs: 200 },
      never,
    );
    await until(() => existsSync(join(workspace, "ready")));
    leap(200);
    expect(await running).toMatchObject({
      exitCode: null,
      stdout: "begun\n",
      stderr: "why\n",
      timedOut: true,
    });
  });

  it("ends a command with too much output, and keeps the end of the output", async () => {
    const { run } = shell({ workspace: temporaryFolder(), outputCapBytes: 1_000_000 });
    const { exitCode, stdout, timedOut, limitBytes } = await run("trap '' TERM; yes flood", limit, never);
    expect({ exitCode, timedOut, limitBytes }).toEqual({ exitCode: null, timedOut: false, limitBytes: 1_000_000 });
    expect(stdout).toMatch(/^…?[a-z]*\n(?:flood\n)+[a-z]*$/);
  });

  it("returns no exit code if a signal ended it", async () => {
    const { run } = shell({ workspace: temporaryFolder(), graceMs: 200 });
    expect(await run("kill -KILL $$", limit, never)).toMatchObject({ exitCode: null, timedOut: false });
    expect(await run("exit 0", limit, AbortSignal.abort())).toMatchObject({ exitCode: null, timedOut: false });
  });

  it("passes on named variables, and lists the others that are set", async () => {
    for (const [name, value] of [
      ["A_TOKEN", "a"],
      ["B_TOKEN", "b"],
      ["C_TOKEN", ""],
    ] as const)
      vi.stubEnv(name, value);
    const { run, secrets } = shell({ workspace: temporaryFolder(), passEnv: ["A_TOKEN"] });
    expect((await run('echo "$A_TOKEN$B_TOKEN"', limit, never)).stdout).toBe("a\n");
    expect(secrets?.passed).toEqual(["A_TOKEN"]);
    expect(secrets?.withheld).toContain("B_TOKEN");
    expect(secrets?.withheld).not.toContain("C_TOKEN");
  });

  it("does not pass secrets of this process to the command", async () => {
    const secrets =
      "GH_TOKEN ANTHROPIC_API_KEY OPENAI_APIKEY PGPASSWORD MYSQL_PWD aws_secret_access_key AWS_ACCESS_KEY_ID GOOGLE_APPLICATION_CREDENTIALS npm_config__authToken STRIPE_KEY";
    const others = "TOKENIZERS_PARALLELISM MAX_OUTPUT_TOKENS SSH_AUTH_SOCK KEYBOARD DATABASE_URL";
    for (const name of `${secrets} ${others}`.split(" ")) vi.stubEnv(name, "x");
    const names = `${secrets} ${others} PATH HOME PWD OWN_TOKEN`.split(" ");
    const { run } = shell({ workspace: temporaryFolder(), env: { OWN_TOKEN: "given on purpose" } });
    const { stdout } = await run(
      `for n in ${names.join(" ")}; do printenv $n > /dev/null && echo $n; done`,
      limit,
      never,
    );
    expect(stdout.trim().split("\n")).toEqual(`${others} PATH HOME PWD OWN_TOKEN`.split(" "));
  });

  it("leaves nothing in the temporary folder", async () => {
    const workspace = temporaryFolder();
    vi.stubEnv("TMPDIR", temporaryFolder());
    await shell({ workspace }).run("echo x; echo y >&2", limit, never);
    expect(readdirSync(tmpdir())).toEqual([]);
  });

  it("knows which words are commands in the workspace", async () => {
    const workspace = temporaryFolder();
    writeScript(workspace, "gradlew", "exit 0");
    writeFileSync(join(workspace, "notes.md"), "");
    const { exists } = shell({ workspace });
    const words = ["sh", "cd", "if", "[", "./gradlew", join(workspace, "gradlew")];
    const others = [
      "no-such-command",
      "gradlew",
      "./notes.md",
      "./missing",
      ".",
      "/",
      "",
      "-x",
      "$(touch ran)",
      "sh -c",
      "a;b",
    ];
    expect(await Promise.all(words.map(exists))).toEqual(words.map(() => true));
    expect(await Promise.all(others.map(exists))).toEqual(others.map((word) => word === "."));
    expect(readdirSync(workspace).toSorted()).toEqual(["gradlew", "notes.md"]);
  });

  it("caches what it found, and looks again for what it did not find", async () => {
    const workspace = temporaryFolder();
    const { exists } = shell({ workspace });
    expect(await exists("./tool")).toBe(false);
    const path = writeScript(workspace, "tool", "exit 0");
    expect(await exists("./tool")).toBe(true);
    chmodSync(path, 0o644);
    expect(await exists("./tool")).toBe(true);
  });
});

async function piecesOf({ readKept }: Shell, name: string): Promise<string[] | null> {
  const pieces: string[] = [];
  const isKept = await readKept?.(name, (piece) => pieces.push(piece));
  return isKept === true ? pieces : null;
}
const keptOf = async (from: Shell, name: string): Promise<string | null> =>
  (await piecesOf(from, name))?.join("") ?? null;

function printing(text: string | Buffer, to = "") {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, "text"), text);
  const outputFolder = join(workspace, "run-1", "out");
  return { kept: shell({ workspace, outputFolder }), command: `cat text${to}`, outputFolder };
}

describe("outputs stored by a shell", () => {
  it("are complete, whatever their size, while a result has the last 64 KiB", async () => {
    const long = Array.from(
      { length: 100_000 },
      (_, line) => `${line} größer als zuvor, 任务 👍 done, and what was to be done\n`,
    ).join("");
    const { kept, command, outputFolder } = printing(long);
    expect(Buffer.byteLength(long)).toBeGreaterThan(6_000_000);
    const result = await kept.run(`${command}; echo told >&2; exit 1`, { ...limit, keepAs: "1.1#1/verify" }, never);
    expect(result).toMatchObject({ exitCode: 1, stderr: "told\n" });
    expect(result.stdout.length).toBeLessThanOrEqual(1 + 64 * 1024);
    const pieces = (await piecesOf(kept, "1.1#1/verify")) ?? [];
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(`${long}told\n`);
    const { stdout, stderr } = outputPaths(outputFolder, "1.1#1/verify");
    expect(readFileSync(stdout, "utf8")).toBe(long);
    expect(readFileSync(stderr, "utf8")).toBe("told\n");
    expect(readdirSync(outputFolder).toSorted()).toEqual(["1.1#1%2Fverify.err", "1.1#1%2Fverify.out"]);
    expect(lstatSync(stdout).mode & 0o777).toBe(0o600);
  });

  it.each([0, 1, 2, 3, 4])("split no character at the end of a chunk, %i bytes before it", async (before) => {
    const text = `${"a".repeat(256 * 1024 - before)}👍ü任\n`;
    const { kept, command } = printing(text);
    await kept.run(command, { ...limit, keepAs: "x" }, never);
    expect(await keptOf(kept, "x")).toBe(text);
  });

  it("have invalid bytes replaced, and continue after them", async () => {
    const { kept, command } = printing(Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0x62, 0x0a]));
    await kept.run(command, { ...limit, keepAs: "x" }, never);
    expect(await keptOf(kept, "x")).toBe("a\uFFFD\uFFFD\nb\n");
  });

  it.each([1, 2, 3])("begin stderr on its own line after %i bytes of an incomplete character", async (bytes) => {
    const whole = "a".repeat(256 * 1024);
    const { kept, command } = printing(Buffer.concat([Buffer.from(whole), Buffer.from("👍").subarray(0, bytes)]));
    await kept.run(`${command}; echo told >&2`, { ...limit, keepAs: "x" }, never);
    expect(await keptOf(kept, "x")).toBe(`${whole}\uFFFD\ntold\n`);
  });

  it.each([
    ["printf a; printf b >&2", "a\nb\n"],
    ["echo a; printf b >&2", "a\nb\n"],
    ["printf a", "a\n"],
    ["printf b >&2", "b\n"],
    ["true", ""],
  ])("begin each stream on its own line: %s", async (command, expected) => {
    const { kept } = printing("");
    await kept.run(command, { ...limit, keepAs: "x" }, never);
    expect(await keptOf(kept, "x")).toBe(expected);
  });

  it("contain stdout first, whatever was printed first", async () => {
    const { kept } = printing("");
    await kept.run("echo one >&2; echo two; echo three >&2", { ...limit, keepAs: "x" }, never);
    expect(await keptOf(kept, "x")).toBe("two\none\nthree\n");
  });

  it("are those of the last run under their name", async () => {
    const { kept } = printing("");
    await kept.run("echo first; echo long line >&2", { ...limit, keepAs: "x" }, never);
    await kept.run("echo 2", { ...limit, keepAs: "x" }, never);
    await kept.run("echo 3", { ...limit, keepAs: "y" }, never);
    await kept.run("echo 4", limit, never);
    expect(await keptOf(kept, "x")).toBe("2\n");
    expect(await keptOf(kept, "y")).toBe("3\n");
  });

  it("contain what a command printed until its time limit", async () => {
    const { kept } = printing("");
    const leap = stopClock();
    const ready = join(temporaryFolder(), "ready");
    const running = kept.run(`echo begun; : > ${ready}; sleep 600`, { timeoutMs: 200, keepAs: "x" }, never);
    await until(() => existsSync(ready));
    leap(200);
    await running;
    expect(await keptOf(kept, "x")).toBe("begun\n");
  });

  it("are missing for an unused name, and without a folder", async () => {
    const { kept, outputFolder } = printing("");
    expect(await piecesOf(kept, "1.1#1/verify")).toBeNull();
    await kept.run("echo a", { ...limit, keepAs: "x" }, never);
    expect(await piecesOf(kept, "1.1#1/verify")).toBeNull();
    expect(readdirSync(outputFolder)).toHaveLength(2);
    const forgetful = shell({ workspace: temporaryFolder() });
    expect(await forgetful.run("echo a", { ...limit, keepAs: "x" }, never)).toMatchObject({ stdout: "a\n" });
    expect(await piecesOf(forgetful, "x")).toBeNull();
  });

  it("let others run while they are read", async () => {
    const { kept, command } = printing("a line\n".repeat(400_000));
    await kept.run(command, { ...limit, keepAs: "x" }, never);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await keptOf(kept, "x");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it.each([
    ["a pipe", (path: string, _: string) => execFileSync("mkfifo", [path])],
    ["a hard link", (path: string, victim: string) => linkSync(victim, path)],
    ["a folder", (path: string, _: string) => mkdirSync(path)],
  ])("are not written into %s, nor read from it, and no descriptor is left", async (kind, put) => {
    const { kept, outputFolder } = printing("");
    mkdirSync(outputFolder, { recursive: true });
    const victim = join(outputFolder, "victim");
    writeFileSync(victim, "kept\n");
    const { stdout, stderr } = outputPaths(outputFolder, "x");
    put(stderr, victim);
    const before = readdirSync("/dev/fd").length;
    await expect(kept.run("echo a", { ...limit, keepAs: "x" }, never)).rejects.toMatchObject({
      code: "output-not-opened",
      message: expect.stringContaining(stderr),
    });
    expect(readdirSync("/dev/fd")).toHaveLength(before);
    expect(readFileSync(victim, "utf8")).toBe("kept\n");
    rmSync(stdout);
    if (kind === "a hard link") return;
    put(stdout, victim);
    expect(await piecesOf(kept, "x")).toBeNull();
    expect(() => readTail(stdout, 1)).toThrow(expect.objectContaining({ code: "output-unreadable" }));
  });

  it("are not written through a link, nor into anything but a folder", async () => {
    const { kept, outputFolder } = printing("");
    mkdirSync(outputFolder, { recursive: true });
    const victim = join(temporaryFolder(), "victim");
    writeFileSync(victim, "kept\n");
    symlinkSync(victim, outputPaths(outputFolder, "x").stdout);
    await expect(kept.run("echo a", { ...limit, keepAs: "x" }, never)).rejects.toMatchObject({
      code: "output-not-opened",
    });
    expect(readFileSync(victim, "utf8")).toBe("kept\n");
    const blocked = shell({ workspace: temporaryFolder(), outputFolder: join(victim, "out") });
    await expect(blocked.run("echo a", { ...limit, keepAs: "x" }, never)).rejects.toMatchObject({
      code: "output-not-opened",
    });
  });
});

describe("outputs without secrets", () => {
  /** Joined from parts, because a secret scanner would report a whole token in this file. */
  const token = ["ghp", "_", "a1B2".repeat(9)].join("");
  const key = (kind: string, lines: number): string =>
    [`-----BEGIN ${kind}PRIVATE KEY-----`, ...Array.from({ length: lines }, () => "b3BlbnNzaC1rZXk".repeat(4))]
      .concat(`-----END ${kind}PRIVATE KEY-----`)
      .join("\n");
  const pieceBytes = 256 * 1024;
  const told = (kept: Shell, env = {}): Shell => redactResults(kept, redactSecrets(env));

  it.each([1, 10, 20, 39, 40])(
    "hide a token that is split between chunks, %i characters before the end",
    async (before) => {
      const text = `${"a line\n".repeat(1000)}${"-".repeat(pieceBytes - 7000 - before - 5)}\nthe ${token} was\nend\n`;
      const { kept, command, outputFolder } = printing(text);
      expect(text.indexOf(token)).toBe(pieceBytes - before);
      await kept.run(command, { ...limit, keepAs: "x" }, never);
      const read = (await keptOf(told(kept), "x")) ?? "";
      expect(read.slice(-200)).toBe(text.replace(token, "[redacted]").slice(-200));
      expect(read).toHaveLength(text.length - token.length + "[redacted]".length);
      expect(readFileSync(outputPaths(outputFolder, "x").stdout, "utf8")).toBe(text);
    },
  );

  it.each([0, 100, 500, 1000, 1600, 1750])(
    "hide a key of many lines, %i characters before the end of a chunk",
    async (before) => {
      const secret = key("RSA ", 28);
      const text = `${"-".repeat(pieceBytes - before - 1)}\n${secret}\nbehind\n`;
      const { kept, command } = printing(text);
      await kept.run(command, { ...limit, keepAs: "x" }, never);
      const read = (await keptOf(told(kept), "x")) ?? "";
      expect(read.slice(0, pieceBytes - before)).toBe(text.slice(0, pieceBytes - before));
      expect(read.slice(pieceBytes - before)).toMatch(/^\[redacted\](?:-----END RSA PRIVATE KEY-----)?\nbehind\n$/);
    },
  );

  it("hide keys of either stream, and one that never ends", async () => {
    const open = key("", 3).replace(/-----END.*/, "");
    const { kept, command } = printing(`${key("EC ", 5)}\nbetween\n${key("OPENSSH ", 20)}\n${open}`, " >&2");
    await kept.run(`${command}; echo first`, { ...limit, keepAs: "x" }, never);
    const read = (await keptOf(told(kept), "x")) ?? "";
    expect(read).toMatch(/^first\n\[redacted\]\nbetween\n\[redacted\]\n\[redacted\]/);
    expect(read).not.toContain("b3BlbnNza");
  });

  it("continue after text that only begins like a key", async () => {
    const text = `-----BEGIN CERTIFICATE-----\n${"certified\n".repeat(60_000)}the ${token}\nend\n`;
    const { kept, command } = printing(text);
    await kept.run(command, { ...limit, keepAs: "x" }, never);
    const pieces = (await piecesOf(told(kept), "x")) ?? [];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe(text.replace(token, "[redacted]"));
  });

  it("hide the value of a variable with a secret, in results too", async () => {
    const { kept, command } = printing("open-sesame-42 opened\n");
    const safe = told(kept, { DEPLOY_TOKEN: "open-sesame-42" });
    const result = await safe.run(`${command}; ${command} >&2`, { ...limit, keepAs: "x" }, never);
    expect(result).toMatchObject({ stdout: "[redacted] opened\n", stderr: "[redacted] opened\n" });
    expect(await keptOf(safe, "x")).toBe("[redacted] opened\n[redacted] opened\n");
  });

  it("are unchanged for a shell without stored outputs", async () => {
    const { kept } = printing("");
    expect(await piecesOf(told(kept), "y")).toBeNull();
    const { readKept: _, ...plain } = kept;
    expect(redactResults(plain, redactSecrets({}))).not.toHaveProperty("readKept");
  });
});
