import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { shell } from "../../src/adapters/shell.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { livingWith } from "../support/processes.ts";

const never = new AbortController().signal;
const limit = { timeoutMs: 10_000 };

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

  it("gives no input", async () => {
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

  it("ends a command at its time limit, with all it has started", async () => {
    const seconds = `60.${process.pid}`;
    const { run } = shell({ workspace: temporaryFolder(), graceMs: 200 });
    const result = await run(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 200 }, never);
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(livingWith(seconds)).toEqual([]);
  });

  it("keeps what a command printed until its time limit", async () => {
    const { run } = shell({ workspace: temporaryFolder(), graceMs: 200 });
    expect(await run("echo begun; echo why >&2; sleep 60", { timeoutMs: 200 }, never)).toMatchObject({
      exitCode: null,
      stdout: "begun\n",
      stderr: "why\n",
      timedOut: true,
    });
  });

  it("ends a flood, and keeps its end", async () => {
    const { run } = shell({ workspace: temporaryFolder() });
    const { exitCode, stdout, timedOut } = await run("trap '' TERM; yes flood", { timeoutMs: 60_000 }, never);
    expect({ exitCode, timedOut }).toEqual({ exitCode: null, timedOut: false });
    expect(stdout).toMatch(/^…?[a-z]*\n(?:flood\n)+[a-z]*$/);
  });

  it("gives no exit code when a signal ended it", async () => {
    const { run } = shell({ workspace: temporaryFolder(), graceMs: 200 });
    expect(await run("kill -KILL $$", limit, never)).toMatchObject({ exitCode: null, timedOut: false });
    expect(await run("exit 0", limit, AbortSignal.abort())).toMatchObject({ exitCode: null, timedOut: false });
  });

  it("keeps secrets of this process from the command", async () => {
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

  it("knows which words are commands there", async () => {
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

  it("remembers what it found", async () => {
    const workspace = temporaryFolder();
    const { exists } = shell({ workspace });
    const path = writeScript(workspace, "tool", "exit 0");
    expect(await exists("./tool")).toBe(true);
    chmodSync(path, 0o644);
    expect(await exists("./tool")).toBe(true);
  });
});
