import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith } from "../support/project.ts";
import { read } from "../support/traces.ts";

const streams = join(import.meta.dirname, "../fixtures/streams");
const plan = `# Tasks

- [ ] 1.1 First
  - **Do**: Make one
  - **Verify**: \`test -e one\`
  - **Commit**: \`feat: one\`
`;
const denied = `cat '${join(streams, "claude-2.1.330-commit+accept.ndjson")}'`;
const stuck = `${denied.replace("cat", "sed 's/The task is done as asked.*TASK_COMPLETE/I was not allowed to commit/'")}`;
const done = `printf '{"type":"result","subtype":"success","result":"TASK_COMPLETE","permission_denials":[]}\\n'`;

function runTool(project: Project, tool: string, script: string, ...words: readonly string[]) {
  const { workspace, spec } = project;
  const home = join(workspace, ".home");
  const bin = join(workspace, ".bin");
  mkdirSync(home, { recursive: true });
  mkdirSync(bin, { recursive: true });
  writeScript(bin, tool, `printf '%s\\n' "$@" > '${workspace}/.args'; cat > '${workspace}/.prompt'; ${script}`);
  const flags = ["--executor", tool, "--yes", "--reporter", "plain", "--recovery-mode"];
  return launch(workspace, ["run", spec, ...flags, ...words], {
    HOME: home,
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
  }).end;
}

const argsIn = ({ workspace }: Project): string[] => read(join(workspace, ".args")).trimEnd().split("\n");

const git = (project: Project, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], {
    cwd: project.workspace,
    encoding: "utf8",
  });

function committed(project: Project): Project {
  writeFileSync(join(project.workspace, ".gitignore"), ".home\n.bin\n.args\n.prompt\n");
  git(project, "init", "-q");
  git(project, "config", "user.name", "a");
  git(project, "config", "user.email", "a@b.c");
  git(project, "add", "-A");
  git(project, "commit", "-qm", "init");
  return project;
}

describe("an action that a tool denied", () => {
  it("is a gate that names the action and the permission that it needs, and leaves the plan unchanged", async () => {
    const project = projectWith({ plan });
    const { exitCode, out, err } = await runTool(project, "claude", stuck);
    expect(exitCode).toBe(3);
    expect(out).toContain("Outcome: gate\nTasks: 1 original, 0 fix\nDelegations: 1\n");
    expect(err).toContain("was not allowed to use Bash: touch a.txt && git add a.txt && git commit");
    const ways = [
      "Allow the tool to write files, run Verify and commit: fixpoint run spec --permissions edit",
      "Or allow the tool to do everything: fixpoint run spec --permissions full",
    ];
    expect(err).toContain(`\n${ways.join("\n")}\n`);
    expect(read(project.tasks)).toBe(plan);
    const why = await call(project, "why", "1.1", project.spec);
    expect(why.out).toContain(`\n${ways.map((way) => `- ${way}\n`).join("")}`);
    expect(why.out).toMatch(/^\d+\. \S+ used for 1\.1 \(attempt 1\): .*, \d+ tokens$/m);
  });

  it("raises a question once; a second denial is a failure", async () => {
    const project = projectWith({ plan });
    await runTool(project, "claude", stuck);
    const { exitCode, out } = await runTool(project, "claude", stuck, "--max-fix-tasks", "0");
    expect(exitCode).toBe(1);
    expect(out).toContain("failed 1.1");
    expect(out).not.toContain("Outcome: gate");
  });

  it("spends no attempt: once permitted, the task passes within a limit of one", async () => {
    const project = projectWith({ plan });
    await runTool(project, "claude", stuck);
    const words = ["--permissions", "edit", "--max-task-iterations", "1"];
    const { exitCode, out } = await runTool(project, "claude", `touch one; ${done}`, ...words);
    expect(exitCode).toBe(0);
    expect(out).toContain("passed 1.1 after 2 attempts, proven\n");
  });

  it("raises a question at the second denial in a task and its fixes, whatever the agent says", async () => {
    const project = projectWith({ plan });
    const { exitCode, out, err } = await runTool(project, "claude", denied);
    expect(exitCode).toBe(3);
    expect(out).toContain("Delegations: 2\n");
    expect(err).toContain("was not allowed to use Bash: touch a.txt");
  });

  it("is ignored if the attempt is accepted", async () => {
    const project = projectWith({ plan });
    expect((await runTool(project, "claude", `touch one; ${denied}`)).exitCode).toBe(0);
  });

  it("raises a question even if the claim would be rejected for a consequence of the denial", async () => {
    const project = committed(projectWith({ plan }));
    const { exitCode, err } = await runTool(
      project,
      "claude",
      `touch one; echo more >> "$FIXPOINT_SPEC/.progress.md"; ${denied}`,
      "--require-commit",
    );
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: expect.stringContaining("was not allowed to use Bash") });
    expect(read(project.tasks)).toBe(plan);
  });
});

describe("--permissions", () => {
  it("adds nothing by default, and shows the line", async () => {
    const project = projectWith({ plan });
    const { out } = await runTool(project, "claude", `touch one; ${done}`);
    expect(argsIn(project)).toEqual(["-p", "--output-format", "stream-json", "--verbose"]);
    expect(out).toContain("executor: claude -p --output-format stream-json --verbose\ndelegated 1.1");
    expect(read(join(project.workspace, ".prompt"))).toContain("Commit with task's Commit message");
  });

  it("passes the plan's commands to claude at edit, in the syntax of its rules", async () => {
    const verify = String.raw`node -e "process.exit(Number(!/\d/.test('1')))"`;
    const wide = plan.replace("- [ ]", `- [x] 1.0 Wide\n  - **Verify**: \`ls *.txt\`\n- [ ]`);
    const project = projectWith({ plan: wide.replace("test -e one", verify) });
    const { exitCode, out } = await runTool(project, "claude", done, "--permissions", "edit");
    expect(exitCode).toBe(0);
    expect(argsIn(project).slice(4)).toEqual([
      ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash(git add:*)", "Bash(git commit:*)"],
      String.raw`Bash(node -e "process.exit\(Number\(!/\\d/.test\('1'\)\)\)")`,
    ]);
    expect(out).toContain("executor: claude -p --output-format stream-json --verbose --permission-mode acceptEdits");
    expect(read(join(project.workspace, ".prompt"))).toContain("Run only these commands: Verify, exactly as written");
  });

  it.each([
    ["codex", "--sandbox workspace-write --add-dir .git"],
    ["droid", "--auto low"],
    ["gemini", "--approval-mode auto_edit"],
    ["qwen", "--approval-mode auto-edit"],
  ])("refuses %s at edit, and names what it supports", async (tool, instead) => {
    const project = projectWith({ plan });
    const { exitCode, out, err } = await runTool(project, tool, "exit 1", "--permissions", "edit");
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain(`Cannot restrict ${tool} to --permissions edit`);
    expect(err).toContain(`--executor-args "${tool}: ${instead}"`);
    expect(existsSync(project.data)).toBe(false);
  });

  it("refuses an executor that is not a known tool", async () => {
    const project = projectWith({ plan });
    const words = ["run", project.spec, "--exec", "./executor.sh", "--yes", "--permissions", "full"];
    const { exitCode, err } = await launch(project.workspace, words).end;
    expect(exitCode).toBe(2);
    expect(err).toContain("Cannot restrict `./executor.sh` to --permissions full");
  });

  it("is never set to full by a file", async () => {
    const project = projectWith({ plan });
    writeFileSync(join(project.spec, "fixpoint.config.json"), '{"permissions":"full"}');
    const { exitCode, err } = await runTool(project, "claude", done);
    expect(exitCode).toBe(2);
    expect(err).toContain("--permissions full");
  });
});

describe("a tool that would refuse to work", () => {
  it.each([
    ["gemini", "which it does not trust", "export GEMINI_CLI_TRUST_WORKSPACE=true"],
    ["codex", "which is in no git repository", "--skip-git-repo-check"],
  ])("is reported before the run: %s", async (tool, what, remedy) => {
    const project = projectWith({ plan });
    const { exitCode, out, err } = await runTool(project, tool, "exit 1", "--permissions", "tool");
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain(what);
    expect(err).toContain(remedy);
    expect(read(project.tasks)).toBe(plan);
  });
});

describe("--executor-args", () => {
  it("passes flags to one tool of a chain", async () => {
    const project = projectWith({ plan });
    const words = ["--executor-args", "claude: --model 'opus 5'", "--executor-args", "claude: --x"];
    await runTool(project, "claude", `touch one; ${done}`, ...words);
    expect(argsIn(project).slice(4)).toEqual(["--model", "opus 5", "--x"]);
  });

  it.each([
    ["claud: --x", "Did you mean claude?"],
    ["amp: --x", "expected a tool of --executor: these are claude"],
    ["--x", "expected the name of a tool, a colon and its flags"],
  ])("refuses %s", async (words, message) => {
    const project = projectWith({ plan });
    const { exitCode, err } = await runTool(project, "claude", done, "--executor-args", words);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});

describe("--commit all", () => {
  it("commits the work of the attempt with the task's message, and then the spec", async () => {
    const project = committed(projectWith({ plan }));
    const script = `mkdir -p deep .fixpoint; touch one deep/two .fixpoint/not; ${done}`;
    const { exitCode } = await runTool(project, "claude", script, "--commit", "all");
    expect(exitCode).toBe(0);
    expect(git(project, "log", "--format=%s").trimEnd().split("\n")).toEqual([
      "chore(spec): update progress for task 1.1",
      "feat: one",
      "init",
    ]);
    expect(git(project, "show", "--format=", "--name-only", "HEAD~1").trimEnd().split("\n")).toEqual([
      "deep/two",
      "one",
    ]);
    expect(read(join(project.workspace, ".prompt"))).toContain("Commit nothing: that is done for you");
    expect(read(project.progress)).toContain(git(project, "rev-parse", "--short", "HEAD~1").trim());
  });
});
