import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const demo = fileURLToPath(new URL("../../examples/demo", import.meta.url));
const spec = "specs/invoice-totals";
const plan = readFileSync(join(demo, "project", spec, "tasks.md"), "utf8");
const root = mkdtempSync(join(tmpdir(), "demo-executor-"));

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the demo's executor, driven through the demo by hand", () => {
  const folder = join(root, "driven");
  const unprinted = join(root, "unprinted");
  beforeAll(() => createProject(folder));

  it.each([
    { id: "1.1", says: "TASK_COMPLETE", verified: true, commits: 1 },

    { id: "1.2", says: "never goes below zero: parseAmount is not defined", verified: false, commits: 0 },
    { id: "1.2.1", says: "TASK_COMPLETE", verified: true, commits: 1 },
    { id: "1.2", says: "TASK_COMPLETE", verified: true, commits: 0 },

    { id: "1.3", says: "TASK_COMPLETE", verified: false, commits: 0 },
    { id: "1.3.1", says: "TASK_COMPLETE", verified: true, commits: 1 },
    { id: "1.3", says: "TASK_COMPLETE", verified: true, commits: 0 },

    { id: "1.4", says: "VERIFICATION_PASS", verified: true, commits: 0 },

    { id: "2.1", says: `reads doubled quotes: got '24"" wide', expected '24" wide'`, verified: false, commits: 0 },
    { id: "2.1.1", says: `reads doubled quotes: got '24 wide', expected '24" wide'`, verified: false, commits: 0 },
    { id: "2.1.1.1", says: "TASK_COMPLETE", verified: true, commits: 1 },
    { id: "2.1.1", says: "TASK_COMPLETE", verified: true, commits: 0 },
    { id: "2.1", says: "TASK_COMPLETE", verified: true, commits: 0 },

    { id: "2.2", says: "TASK_COMPLETE", verified: true, commits: 1 },
    { id: "2.3", says: "VERIFICATION_PASS", verified: true, commits: 0 },
  ])("answers $id with $says", async ({ id, says, verified, commits }) => {
    if (id === "2.2") cpSync(folder, unprinted, { recursive: true });
    const before = await countCommits(folder);
    expect(errorOrSignal(await delegate(folder, id))).toBe(says);
    expect(await verifies(folder, id)).toBe(verified);
    expect((await countCommits(folder)) - before).toBe(commits);
  });

  it("leaves a project that works, and the plan as it was", async () => {
    const printed = await output(folder, process.execPath, ["bin/invoice.js", "data/march.csv"]);
    expect(printed).toContain('Monitor 24" wide             1,299.94\n');
    expect(readFileSync(join(folder, spec, "tasks.md"), "utf8")).toBe(plan);
    expect(await git(folder, "status", "--porcelain")).toBe("");
    expect(await git(folder, "log", "--reverse", "--format=%s")).toBe(
      [
        "Project",
        "fix(amount): read and write amounts exactly",
        "fix(recovery): address error from task 1.2",
        "fix(recovery): address error from task 1.3",
        "fix(recovery): address error from task 2.1.1",
        "feat(report): print the invoice",
        "",
      ].join("\n"),
    );
  });

  it("claims every finished task again without another commit", async () => {
    const head = await git(folder, "rev-parse", "HEAD");
    const ids = ["1.1", "1.2", "1.2.1", "1.3", "1.3.1", "2.1", "2.1.1", "2.1.1.1", "2.2"];
    const replies = await Promise.all(ids.map((id) => delegate(folder, id)));
    expect(replies.map(errorOrSignal)).toEqual(ids.map(() => "TASK_COMPLETE"));
    expect(await git(folder, "rev-parse", "HEAD")).toBe(head);
    expect(await git(folder, "status", "--porcelain")).toBe("");
  });

  describe("when it is killed on the way", () => {
    const expectSameResult = async (copy: string): Promise<void> => {
      expect(errorOrSignal(await delegate(copy, "2.2"))).toBe("TASK_COMPLETE");
      expect(await git(copy, "rev-parse", "HEAD^{tree}")).toBe(await git(folder, "rev-parse", "HEAD^{tree}"));
      expect(await countCommits(copy)).toBe(await countCommits(folder));
      expect(await git(copy, "status", "--porcelain", "--ignored")).toBe("");
    };
    const copyUnprinted = (name: string): string => {
      cpSync(unprinted, join(root, name), { recursive: true });
      return join(root, name);
    };

    it("comes to the same result, whenever that was", async () => {
      const killAndRepeat = async (ms: number): Promise<void> => {
        const copy = copyUnprinted(`killed-${ms}`);
        const child = start(copy, "2.2");
        await sleep(ms);
        killGroup(child);
        await expectSameResult(copy);
      };
      await Promise.all([50, 100, 200, 300, 400, 600].map(killAndRepeat));
    });

    it("makes up for the file that is missing", async () => {
      const copy = copyUnprinted("half-made");
      await delegate(copy, "2.2");
      await git(copy, "reset", "--quiet", "HEAD~1");
      renameSync(join(copy, "src/report.js"), join(copy, "src/report.js.tmp"));
      await expectSameResult(copy);
    });

    it("commits what was only staged, past the lock that git left", async () => {
      const copy = copyUnprinted("staged");
      await delegate(copy, "2.2");
      await git(copy, "reset", "--quiet", "--soft", "HEAD~1");
      writeFileSync(join(copy, ".git/index.lock"), "");
      await expectSameResult(copy);
    });
  });
});

describe("the demo's executor", () => {
  it("works without a git repository", async () => {
    const folder = join(root, "without-git");
    cpSync(join(demo, "project"), folder, { recursive: true });
    const reply = await delegate(folder, "1.1");
    expect(errorOrSignal(reply)).toBe("TASK_COMPLETE");
    expect(reply).toContain("There is no git repository to commit to.");
    expect(existsSync(join(folder, ".git"))).toBe(false);
  });

  it("reports a verification that fails", async () => {
    const folder = join(root, "unverified");
    cpSync(join(demo, "project"), folder, { recursive: true });
    const reply = await delegate(folder, "1.4");
    expect(reply).toContain("Task 1.4: Amounts, lines and taxes FAILED\n- Error: rounds once for each rate: got");
    expect(reply).toMatch(/\nVERIFICATION_FAIL\n$/);
  });

  it("fails at a task it knows nothing about", async () => {
    const folder = join(root, "unknown");
    cpSync(join(demo, "project"), folder, { recursive: true });
    const reply = await delegate(folder, "1.1.1");
    expect(reply).toContain("- Attempted fix: None, no patch is known\n");
    expect(reply).not.toContain("TASK_COMPLETE");
  });
});

async function createProject(folder: string): Promise<void> {
  cpSync(join(demo, "project"), folder, { recursive: true });
  await git(folder, "-c", "init.defaultBranch=main", "init", "--quiet");
  await git(folder, "add", "--all");
  await git(
    folder,
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@test.invalid",
    "commit",
    "--quiet",
    "--message=Project",
  );
}

/** The error of a failure block, or the last line. */
function errorOrSignal(reply: string): string | undefined {
  return /^- Error: (.*)$/m.exec(reply)?.[1] ?? reply.trimEnd().split("\n").at(-1);
}

/** The block of a task in the plan; that of a fix task is made from its original's, as recovery does. */
function block(id: string): string {
  const [major, minor, ...fixes] = id.split(".");
  const [, body = ""] = plan.split(`- [ ] ${major}.${minor} `);
  const original = body.slice(0, body.search(/\n\n|$(?!\n)/));
  if (fixes.length === 0) return `- [ ] ${id} ${original}\n`;
  const parent = id.slice(0, id.lastIndexOf("."));
  const copied = original.split("\n").filter((line) => /\*\*(Files|Verify)\*\*/.test(line));
  const commit = `  - **Commit**: \`fix(recovery): address error from task ${parent}\``;
  return [`- [ ] ${id} [FIX ${parent}] Fix: its error`, ...copied, commit, ""].join("\n");
}

function start(folder: string, id: string): ChildProcess {
  const role = block(id).includes("[VERIFY]") ? "verifier" : "executor";
  const child = spawn(process.execPath, [join(demo, "executor.mjs")], {
    cwd: folder,
    detached: true,
    env: { ...process.env, FIXPOINT_TASK_ID: id, FIXPOINT_ROLE: role, FIXPOINT_SPEC: join(folder, spec) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin?.end(`Execute task ${id}\n\n${block(id)}\nInstructions:\n1. Read the Do section\n`);
  return child;
}

async function delegate(folder: string, id: string): Promise<string> {
  const { stdout } = start(folder, id);
  return stdout === null ? "" : text(stdout);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It had ended by itself.
  }
}

async function verifies(folder: string, id: string): Promise<boolean> {
  const [, command = ""] = /\*\*Verify\*\*: `(.*)`/.exec(block(id)) ?? [];
  const child = spawn(command, { cwd: folder, shell: true, stdio: "ignore" });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

async function output(folder: string, command: string, args: readonly string[]): Promise<string> {
  const { stdout } = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  return text(stdout);
}

function git(folder: string, ...args: string[]): Promise<string> {
  return output(folder, "git", args);
}

async function countCommits(folder: string): Promise<number> {
  return Number(await git(folder, "rev-list", "--count", "HEAD"));
}
