import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../src/adapters/journal/journal-segment.ts";
import { type End, type Launched, launch } from "../support/cli.ts";
import { writeScript } from "../support/folder.ts";
import { forcedLease, forgeHolder } from "../support/forced-lease.ts";
import { forgetHead } from "../support/owner-folder.ts";
import { adviceIn, bin, paste, pasteAll, projectNamed, start, tries, useTools, withTools } from "../support/paste.ts";
import type { Project } from "../support/project.ts";
import { delegations, journalPath, read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const config = "fixpoint.config.json";
const works = "case $id in 1.1) touch one;; *) touch two;; esac";
const streams = join(import.meta.dirname, "../fixtures/streams");
const denied = `cat '${join(streams, "claude-2.1.330-commit+accept.ndjson")}'`;
const used = `printf '{"type":"result","subtype":"success","is_error":false,"result":"TASK_COMPLETE","total_cost_usd":0.4,"usage":{"input_tokens":900,"output_tokens":100}}\\n'`;

const asClaude = (project: Project, ...words: string[]): Promise<End> =>
  start(project, "--executor", "claude", "--yes", ...words);

useTools();

describe("a printed command", () => {
  it.each<[string, string, (project: Project) => Promise<End>, readonly string[]]>([
    [
      "a limit on cost",
      `${works}; ${used}`,
      (project) => asClaude(project, "--max-cost", "0.4"),
      ["Allow as much again", "See the state of the run"],
    ],
    [
      "a limit on tokens",
      `${works}; ${used}`,
      (project) => asClaude(project, "--max-tokens", "1000"),
      ["Allow as much again", "See the state of the run"],
    ],
    [
      "an action that a tool denied",
      denied,
      (project) => asClaude(project),
      ["Allow the tool to write files, run Verify and commit", "Or allow the tool to do everything"],
    ],
    [
      "a question about the environment",
      "made",
      (project) => start(project, "--yes", "--recovery-mode"),
      ["Fix the cause first. Retry the task", "Skip 1.2.2", "Skip all of 1.2", "End the run"],
    ],
  ])("works when pasted, at %s", async (_, script, stop, said) => {
    const full = "- [ ] 1.2 Second\n  - **Verify**: `echo 'tee: out.txt: No space left on device' >&2; exit 1`\n";
    const project = projectNamed("it's a plan", script, script === "made" ? full : undefined);
    expect(await pasteAll(project, await stop(project))).toEqual(said);
  });
});

async function atWork(project: Project): Promise<Launched> {
  const launched = launch(project.workspace, ["run", project.spec, "--exec", "./executor.sh", "--yes"]);
  await until(() => existsSync(join(project.workspace, "started")));
  return launched;
}

describe("a run halted by a person", () => {
  const lines = ({ out, err }: Pick<End, "out" | "err">): string[] => adviceIn({ out, err }).map(({ line }) => line);

  it.each<[string, (project: Project, running: Launched) => Promise<Pick<End, "out" | "err">>, string]>([
    [
      "by a signal",
      (_, { child, end }) => {
        child.kill("SIGINT");
        return end;
      },
      'fixpoint run "specs/my plan"',
    ],
    ["by stop", (project) => paste(project, "fixpoint stop 'specs/my plan'"), 'fixpoint run "specs/my plan"'],
    ["by pause", (project) => paste(project, "fixpoint pause 'specs/my plan'"), 'fixpoint resume "specs/my plan"'],
  ])("resumes by the printed command: %s", async (how, halt, line) => {
    const project = projectNamed("my plan", `touch started; while [ ! -e go ]; do sleep 0.05; done; ${works}; made`);
    const running = await atWork(project);
    expect(lines(await halt(project, running))).toEqual([line]);
    writeFileSync(join(project.workspace, "go"), "");
    if (how !== "by pause") await running.end;
    const pasted = await paste(project, line);
    expect([pasted.exitCode, pasted.err]).toEqual([
      0,
      how === "by pause" ? "" : expect.stringContaining("as before\n"),
    ]);
    await running.end;
    expect(read(project.tasks)).not.toContain("- [ ]");
  });
});

describe("the advice of a refusal", () => {
  async function stoppedWith(project: Project, spoil: (lines: readonly string[]) => string): Promise<void> {
    await start(project, "--yes", "--max-task-iterations", "1");
    writeFileSync(journalPath(project), spoil(read(journalPath(project)).split("\n")));
    forgetHead(project.spec);
  }
  const unsealed = (line = ""): object => {
    const { crc: _, ...facts } = JSON.parse(line) as { crc: number };
    return facts;
  };

  it.each<[string, (project: Project) => Promise<End>, readonly string[]]>([
    [
      "a journal that cannot be read",
      async (project) => {
        await stoppedWith(project, ([, ...records]) => records.join("\n"));
        return start(project);
      },
      ["--exec ./executor.sh --new-run"],
    ],
    [
      "a journal of another version",
      async (project) => {
        await stoppedWith(
          project,
          ([head, ...records]) => `${sealLine({ ...unsealed(head), v: 99 })}${records.join("\n")}`,
        );
        return start(project);
      },
      ["--exec ./executor.sh --new-run"],
    ],
    [
      "a coordinator on another machine",
      async (project) => {
        await stoppedWith(project, ([head, ...records]) => {
          const kept = records.filter((line) => !/"type":"(?:ended|released)"/.test(line));
          return `${head}\n${kept.join("\n")}`;
        });
        forcedLease(project.data);
        forgeHolder(project.data, { host: "elsewhere" });
        return start(project);
      },
      ["--exec ./executor.sh --take-over"],
    ],
    [
      "an executor without a level",
      (project) => start(project, "--yes", "--permissions", "full"),
      ["--exec ./executor.sh --yes --permissions tool"],
    ],
    [
      "a folder without a repository",
      (project) => start(project, "--yes", "--require-commit", "--commit", "spec"),
      ["--exec ./executor.sh --yes --commit off"],
    ],
    [
      "a tool that would refuse",
      (project) => {
        writeScript(bin, "codex", "exec ./executor.sh");
        return launch(project.workspace, ["run", project.spec, "--executor", "codex", "--yes"], withTools).end;
      },
      [
        '--executor codex --yes --executor-args "codex: --skip-git-repo-check" --executor-args "codex: --sandbox workspace-write --add-dir .git"',
      ],
    ],
  ])("is a command that resolves %s", async (_, refused, options) => {
    const project = projectNamed("my plan", "made");
    const printed = await refused(project);
    expect([2, 4]).toContain(printed.exitCode);
    const lines = adviceIn(printed).map(({ line }) => line);
    expect(lines).toEqual(options.map((words) => `fixpoint run "specs/my plan" ${words}`));
    for (const line of lines) {
      const before = delegations(project).length;
      const end = await paste(project, line);
      if (/Read them, then agree/.test(end.err)) continue;
      tries({ project, end, more: delegations(project).length - before });
      expect(end.err).not.toContain(printed.err.split("\n")[0]);
    }
  });

  it.each<[string, (project: Project) => Promise<unknown>]>([
    ["a file", async ({ workspace }) => writeFileSync(join(workspace, config), '{ "requireCommit": true }')],
    [
      "an earlier start",
      async (project) => {
        execFileSync("git", ["init", "-q"], { cwd: project.workspace });
        await start(project, "--yes", "--require-commit", "--max-task-iterations", "1");
        rmSync(join(project.workspace, ".git"), { recursive: true });
        writeFileSync(project.tasks, `${read(project.tasks)}\n`);
      },
    ],
  ])("works without the commits that %s requires, once the config file allows that", async (_, ask) => {
    const project = projectNamed("wc", "made");
    await ask(project);
    const refused = await start(project, "--yes");
    expect(refused.err).toContain("Cannot find the repository around");
    const [advice] = adviceIn(refused);
    expect(advice).toEqual({
      said: "Create a repository with git init, or set requireCommit to false in fixpoint.config.json, then run without commits",
      line: "fixpoint run wc --exec ./executor.sh --yes --commit off",
    });
    writeFileSync(join(project.workspace, config), '{ "requireCommit": false }');
    const { err } = await paste(project, advice?.line ?? "");
    expect(err).not.toContain("repository");
  });

  it("keeps the answer of the refused start, and options that only it needs", async () => {
    const project = projectNamed("wc", "made");
    await stoppedWith(project, ([, ...records]) => records.join("\n"));
    const reset = await paste(project, "fixpoint reset wc --yes");
    expect(adviceIn(reset).map(({ line }) => line)).toEqual(["fixpoint run wc --new-run"]);
    const elsewhere = projectNamed("wc", "[ $id = 1.1 ] && { touch one; made; } || echo 'BLOCKED: which one?'");
    await stoppedWith(elsewhere, ([head, ...records]) => {
      const kept = records.filter((line) => !/"type":"(?:ended|released)"/.test(line));
      return `${head}\n${kept.join("\n")}`;
    });
    forcedLease(elsewhere.data);
    forgeHolder(elsewhere.data, { host: "elsewhere" });
    const skip = await paste(elsewhere, "fixpoint resume wc --decision skip");
    expect(adviceIn(skip).map(({ line }) => line)).toEqual(["fixpoint resume wc --decision skip --take-over"]);
  });
});
