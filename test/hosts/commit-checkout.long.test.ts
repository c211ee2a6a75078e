import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acceptWords, launch } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { withoutGitConfig } from "../support/git-project.ts";
import { lastingFolder, projectAt } from "../support/project.ts";
import { until } from "../support/until.ts";

withoutGitConfig();

function repository(script = ":", workspaceIn = ".", tasks = "- [ ] 1.1 A\n- [ ] 1.2 B\n") {
  const top = lastingFolder();
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: top, encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "-q", "-b", "main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  const workspace = join(top, workspaceIn);
  mkdirSync(join(workspace, "s"), { recursive: true });
  writeFileSync(join(workspace, "s/tasks.md"), tasks);
  writeFileSync(join(workspace, "g"), "0\n");
  git("add", "-A");
  git("commit", "-qm", "begin");
  git("switch", "-qc", "work");
  const beside = lastingFolder();
  const body = [
    "cat > /dev/null; echo $FIXPOINT_TASK_ID >> ../delegated 2> /dev/null",
    `echo $FIXPOINT_TASK_ID >> '${beside}/delegated'; echo $FIXPOINT_TASK_ID >> g`,
    `if [ $FIXPOINT_TASK_ID = 1.1 ]; then ${script}; fi > /dev/null 2>&1`,
    "echo TASK_COMPLETE",
  ];
  const executor = writeScript(beside, "executor.sh", [...body.slice(1)].join("\n"));
  const project = projectAt(workspace, join(workspace, "s"));
  const words = ["run", "s", "--exec", executor];
  const start = (...more: readonly string[]) => call(project, ...words, ...more);
  const delegated = (): string[] => readFileSync(join(beside, "delegated"), "utf8").trim().split("\n");
  const subjects = (of = "HEAD"): string[] => git("log", "--format=%s", of).split("\n");
  return { ...{ top, workspace, beside, git, words, start, delegated, subjects } };
}

const allOf = [
  "chore(spec): update progress for task 1.2",
  "1.2 B",
  "chore(spec): update progress for task 1.1",
  "1.1 A",
];

describe.concurrent("a commit of a run", () => {
  const moves: Record<string, readonly [script: string, present: string, back: readonly string[]]> = {
    "another branch": ["git switch -q main", "branch `main` of", ["switch", "-q", "work"]],
    "a new branch": ["git switch -qc new", "branch `new` of", ["switch", "-q", "work"]],
    "no branch": ["git switch -q --detach", "a detached HEAD at", ["switch", "-q", "work"]],
    "an orphan": ["git checkout -q --orphan other", "branch `other` of", ["symbolic-ref", "HEAD", "refs/heads/work"]],
    "the middle of a rebase": [
      "git commit -q --allow-empty -m 1; git -c sequence.editor=\"sed -i '1i break'\" rebase -q -i --autostash HEAD~",
      "a detached HEAD at",
      ["-c", "core.editor=:", "rebase", "--abort"],
    ],
    "the middle of a bisect": [
      "git stash -q; git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2; git bisect start HEAD HEAD~2; git stash pop",
      "a detached HEAD at",
      ["bisect", "reset"],
    ],
  };

  it.each(Object.entries(moves))("raises a question if HEAD has moved to %s", async (_, [script, present, back]) => {
    const { git, start, subjects, delegated, top } = repository(script);
    const before = git("rev-parse", "work");
    const ended = await start("--commit", "all", "--yes");
    expect(ended).toMatchObject({ exitCode: 3, err: expect.stringContaining(`Now: ${present}`) });
    expect(ended.err).toContain(`Began on: branch \`work\` of \`${top}\``);
    for (const branch of ["work", "main"]) expect(subjects(branch)).not.toContain("1.1 A");
    const asked = await start("--commit", "all");
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("--accept") });
    git(...back);
    const done = await start("--commit", "all");
    expect(done.exitCode).toBe(0);
    expect(subjects("work").slice(0, 4)).toEqual(allOf);
    expect(git("merge-base", before, "work")).toBe(before);
    expect(delegated()).toEqual(["1.1", "1.2"]);
  });

  it("raises no question if an executor moves HEAD while commits are off, only one notice", async () => {
    const { start, delegated } = repository("git switch -q main");
    const { exitCode, out, err } = await start("--yes");
    expect([exitCode, delegated()]).toEqual([0, ["1.1", "1.2"]]);
    const told = `${out}${err}`.match(/An attempt has moved HEAD.*/g);
    expect(told).toEqual([expect.stringMatching(/before branch `work` of .*, now branch `main` of /)]);
    expect((await repository().start("--yes")).err).not.toContain("moved HEAD");
  });

  it("raises no question once commits are switched off", async () => {
    const { start } = repository("git switch -q main");
    expect((await start("--commit", "all", "--yes")).exitCode).toBe(3);
    const { exitCode, out, err } = await start("--commit", "off");
    expect(exitCode).toBe(0);
    expect(`${out}${err}`).not.toContain("moved HEAD");
  });

  it("goes to another branch once the owner agrees", async () => {
    const { start, subjects, delegated } = repository("git switch -q main");
    await start("--commit", "all", "--yes");
    const asked = await start("--commit", "all");
    expect((await start("--commit", "all", ...acceptWords(asked))).exitCode).toBe(0);
    expect({ main: subjects("main").slice(0, 4), work: subjects("work") }).toEqual({ main: allOf, work: ["begin"] });
    expect(delegated()).toEqual(["1.1", "1.2"]);
  });

  it("goes to another branch with the hash that the stopped run printed", async () => {
    const { start, subjects } = repository("git switch -q main");
    const stopped = await start("--commit", "all", "--yes");
    expect((await start("--commit", "all", ...acceptWords(stopped))).exitCode).toBe(0);
    expect(subjects("main").slice(0, 4)).toEqual(allOf);
  });

  it("of the spec alone raises the question too", async () => {
    const { git, start, subjects } = repository("git switch -q main");
    expect((await start("--commit", "spec", "--yes")).exitCode).toBe(3);
    expect(subjects("main")).toEqual(["begin"]);
    git("switch", "-q", "work");
    expect((await start("--commit", "spec")).exitCode).toBe(0);
    expect(subjects("work")).toContain("chore(spec): update progress for task 1.1");
  });

  it("of a batch raises the question too", async () => {
    const { git, start, subjects, delegated } = repository(
      "git switch -q main",
      ".",
      "- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n",
    );
    expect((await start("--commit", "all", "--yes")).exitCode).toBe(3);
    expect(subjects("main")).toEqual(["begin"]);
    git("switch", "-q", "work");
    expect((await start("--commit", "all")).exitCode).toBe(0);
    expect(subjects("work")).toHaveLength(3);
    expect(delegated().sort()).toEqual(["1.1", "1.2"]);
  });

  it("raises a question if a repository was created below or in place of the old one, or the old one was moved", async () => {
    const roots = {
      "below, around the workspace": ["git init -q; git add -A", "sub"],
      "below, around the spec": ["git init -q s", "."],
      "in its place": [
        "rm -rf .git; git init -q -b work; git config user.name a; git config user.email a@example.com",
        ".",
      ],
      "by core.worktree": ['mkdir -p ../elsewhere; git config core.worktree "$(cd ../elsewhere; pwd)"', "."],
      gone: ["mv .git moved", "."],
    } as const;
    for (const [how, [script, workspaceIn]] of Object.entries(roots)) {
      const { workspace, start } = repository(script, workspaceIn);
      const ended = await start("--commit", "all", "--yes");
      expect({ how, ...ended }).toMatchObject({
        how,
        exitCode: 3,
        err: expect.stringContaining("Nothing was committed"),
      });
      const count = execFileSync("sh", ["-c", "git rev-list --count --all 2> /dev/null || echo 0"], {
        cwd: workspace,
        encoding: "utf8",
      });
      expect({ how, isFew: Number(count) <= 1 }).toEqual({ how, isFew: true });
    }
  });

  it("goes to a HEAD that was detached when the run began, but not to another one", async () => {
    const { git, start, subjects } = repository("git commit -q --allow-empty -m own");
    git("switch", "-q", "--detach");
    expect((await start("--commit", "all", "--yes")).exitCode).toBe(0);
    expect(subjects().slice(0, 5)).toEqual([...allOf, "own"]);
    expect(subjects("work")).toEqual(["begin"]);
    const other = repository("git switch -q work");
    other.git("switch", "-q", "--detach");
    expect(await other.start("--commit", "all", "--yes")).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("Began on: a detached HEAD at"),
    });
  });

  it("goes to the branch on which the run began, even if that had no commit", async () => {
    const { git, start, top } = repository();
    rmSync(join(top, ".git"), { recursive: true });
    git("init", "-q", "-b", "fresh");
    git("config", "user.name", "a");
    git("config", "user.email", "a@example.com");
    expect((await start("--commit", "spec", "--yes")).exitCode).toBe(0);
    expect(git("rev-list", "--count", "fresh")).toBe("2");
  });

  it("raises a question if a person switched the branch between two starts, but not in a new run", async () => {
    const { git, start, subjects } = repository();
    expect((await start("--commit", "spec", "--yes", "--max-global-iterations", "1")).exitCode).toBe(1);
    git("switch", "-q", "--merge", "-c", "other");
    const raised = ["--commit", "spec", "--max-global-iterations", "9"];
    const asked = await start(...raised);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("Now: branch `other`") });
    expect(subjects("other")[0]).toBe("chore(spec): update progress for task 1.1");
    expect((await start(...raised, "--new-run", "--yes")).exitCode).toBe(0);
    expect(subjects("other")[0]).toBe("chore(spec): update progress for task 1.2");
  });

  it("is compared with the branch on which a killed run began", async () => {
    const { git, workspace, words, start, beside, subjects } = repository('touch "$(dirname "$0")/begun"; sleep 60');
    const { child, end } = launch(workspace, [...words, "--commit", "all", "--yes"]);
    await until(() => existsSync(join(beside, "begun")));
    child.kill("SIGKILL");
    await end;
    git("switch", "-q", "main");
    writeScript(beside, "executor.sh", "cat > /dev/null; echo x >> g; echo TASK_COMPLETE");
    const asked = await start("--commit", "all");
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("Began on: branch `work`") });
    expect(subjects("main")).toEqual(["begin"]);
    git("switch", "-q", "work");
    expect((await start("--commit", "all")).exitCode).toBe(0);
    expect(subjects("work").slice(0, 4)).toEqual(allOf);
  });

  it("at the end of a run raises the question too", async () => {
    const { git, start, subjects, delegated, workspace } = repository();
    writeFileSync(join(workspace, "s/.ralph-state.json"), "{}");
    git("add", "-A");
    git("commit", "-qm", "state");
    const check = "git switch -q -c other 2> /dev/null || true";
    const ended = await start("--commit", "spec", "--yes", "--final-verify", check);
    expect(ended).toMatchObject({ exitCode: 3, err: expect.stringContaining("Now: branch `other`") });
    expect(subjects("other")[0]).toBe("chore(spec): update progress for task 1.2");
    git("switch", "-q", "work");
    expect(await start("--commit", "spec")).toMatchObject({ err: "", exitCode: 0 });
    expect(subjects("work")[0]).toBe("chore(spec): remove the state of the finished run");
    expect(delegated()).toEqual(["1.1", "1.2"]);
  });

  it("raises no question if commits are off", async () => {
    const { start } = repository("git switch -q main");
    expect((await start("--yes")).exitCode).toBe(0);
  });
});
