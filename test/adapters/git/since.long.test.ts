import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { git } from "../../../src/adapters/git.ts";
import type { GitEvidence, GitMark } from "../../../src/model/git-evidence.ts";
import type { Git } from "../../../src/ports/git.ts";
import { temporaryFolder } from "../../support/folder.ts";
import {
  commitAll,
  countCalls,
  inFolder,
  passTick,
  repository,
  sample,
  specIn,
  stubIdentity,
  write,
} from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

async function marked(port: Git): Promise<GitMark> {
  await passTick();
  const mark = await port.mark();
  if (mark === null) throw new Error("no mark");
  return mark;
}

async function attempted(port: Git, work: () => unknown): Promise<GitEvidence | null> {
  const mark = await marked(port);
  await work();
  return port.since(mark);
}

const unchanged = { detached: false, rewritten: false, commits: [], changed: [], uncommitted: [] };

describe("since of git", () => {
  it("finds nothing without changes, with few processes", async () => {
    const { first, git } = sample();
    const mark = await marked(git);
    const calls = countCalls();
    expect(await git.since(mark)).toEqual({ headBefore: first, headAfter: first, ...unchanged });
    // One call each for the configuration, the status, and the submodules of a new commit.
    expect(calls()).toBe(3);
  });

  it("finds files that were changed, created, removed, moved or given another mode", async () => {
    const { top, git } = sample();
    for (const name of ["gone", "mode", "moved"]) write(top, `${name}/file`);
    commitAll(top);
    const found = await attempted(git, () => {
      write(top, "src/a.ts", "b\n");
      write(top, "new/b.ts");
      rmSync(join(top, "gone"), { recursive: true });
      chmodSync(join(top, "mode/file"), 0o755);
      renameSync(join(top, "moved/file"), join(top, "src/moved"));
    });
    expect(found?.changed.toSorted()).toEqual([
      "gone/file",
      "mode/file",
      "moved/file",
      "new/b.ts",
      "src/a.ts",
      "src/moved",
    ]);
  });

  it("excludes earlier dirty files, and includes those changed again", async () => {
    const { top, git } = sample();
    write(top, "src/a.ts", "dirty\n");
    write(top, "untracked/old.ts");
    write(top, "untracked/again.ts");
    const found = await attempted(git, () => write(top, "untracked/again.ts", "again\n"));
    expect(found?.changed).toEqual(["untracked/again.ts"]);
  });

  it("is not deceived by file times", async () => {
    const { top, git } = sample();
    write(top, "old");
    const found = await attempted(git, () => {
      write(top, "src/a.ts", "b\n");
      utimesSync(join(top, "src/a.ts"), 1, 1);
    });
    expect(found?.changed).toEqual(["src/a.ts"]);
  });

  it("excludes ignored files", async () => {
    const { top, git } = sample();
    write(top, ".gitignore", "dist\nspec/.progress.md\n");
    inFolder(top, "rm", "-q", "--cached", "spec/.progress.md");
    commitAll(top);
    const found = await attempted(git, () => {
      write(top, "dist/out.js");
      write(top, "spec/.progress.md", "more\n");
    });
    expect(found).toMatchObject(unchanged);
  });

  it("reports spec files that were changed and not committed, staged or not", async () => {
    const { top, git } = sample();
    const found = await attempted(git, () => {
      write(top, "spec/tasks.md", "- [x] 1.1 A\n");
      write(top, "spec/.progress.md", "more\n");
      inFolder(top, "add", "spec/.progress.md");
    });
    expect(found).toMatchObject({
      uncommitted: ["tasks.md", ".progress.md"],
      changed: ["spec/.progress.md", "spec/tasks.md"],
    });
  });

  it("does not attribute the coordinator's writes to the executor", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    expect(await git.since((await git.mark()) as GitMark)).toMatchObject({ uncommitted: [], changed: [] });
    const found = await attempted(git, () => write(top, "spec/.progress.md", "more\n"));
    expect(found).toMatchObject({ uncommitted: [".progress.md"], changed: ["spec/.progress.md"] });
  });

  it("reports spec files that are untracked or gone", async () => {
    const { top, git } = sample();
    inFolder(top, "rm", "-q", "--cached", "spec/tasks.md");
    inFolder(top, "commit", "-q", "-m", "untracked");
    const found = await attempted(git, () => {
      write(top, "spec/tasks.md", "- [x] 1.1 A\n");
      rmSync(join(top, "spec/.progress.md"));
    });
    expect(found?.uncommitted.toSorted()).toEqual([".progress.md", "tasks.md"]);
  });

  it("accepts spec files that were changed and committed, or reverted", async () => {
    const { top, git } = sample();
    const committed = await attempted(git, () => {
      write(top, "spec/tasks.md", "- [x] 1.1 A\n");
      commitAll(top);
    });
    expect(committed).toMatchObject({ uncommitted: [], changed: ["spec/tasks.md"] });
    const back = await attempted(git, () => {
      write(top, "spec/tasks.md", "x\n");
      write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    });
    expect(back).toMatchObject(unchanged);
  });

  it("lists commits, newest first, with their changed files", async () => {
    const { top, first, git } = sample();
    const found = await attempted(git, () => {
      write(top, "b.ts");
      commitAll(top, `second\tone \u001B[31mred\u001B[0m ${"x".repeat(300)}\n\nBody.`);
      write(top, "c.ts");
      commitAll(top, "third");
      write(top, "d.ts");
    });
    const hash = (revision: string) => inFolder(top, "rev-parse", "--short", revision);
    expect(found).toEqual({
      headBefore: first,
      headAfter: inFolder(top, "rev-parse", "HEAD"),
      detached: false,
      rewritten: false,
      commits: [
        { hash: hash("HEAD"), subject: "third" },
        { hash: hash("HEAD~"), subject: `second one red ${"x".repeat(185)}` },
      ],
      changed: ["b.ts", "c.ts", "d.ts"],
      uncommitted: [],
    });
  });

  it.each([150, 201])("lists at most 50 commits and 200 paths, %i of them committed", async (committed) => {
    const { top, git } = sample();
    const found = await attempted(git, () => {
      for (let n = 0; n < committed; n++) write(top, `src/${n}`);
      commitAll(top, "c0");
      for (let n = 1; n < 55; n++) inFolder(top, "commit", "-q", "--allow-empty", "-m", `c${n}`);
      for (let n = 0; n < 150; n++) write(top, `more/${n}`);
    });
    expect(found?.commits).toHaveLength(50);
    expect(found?.commits[0]?.subject).toBe("c54");
    expect(found?.changed).toHaveLength(200);
    expect(new Set(found?.changed).size).toBe(200);
    expect(found?.changed.filter((path) => path.startsWith("src/"))).toHaveLength(Math.min(committed, 200));
  });

  it.each([
    ["amended", ["commit", "-q", "--amend", "--allow-empty", "-m", "amended"], ["amended"]],
    ["reset", ["reset", "-q", "--hard", "HEAD~"], []],
    ["rebased", ["rebase", "-q", "--onto", "side", "HEAD~"], ["c1", "side"]],
    ["begun anew", ["checkout", "-q", "--orphan", "anew"], []],
  ])("detects a history that was %s", async (how, command, subjects) => {
    const top = repository(2);
    inFolder(top, "checkout", "-q", "-b", "side", "HEAD~");
    inFolder(top, "commit", "-q", "--allow-empty", "-m", "side");
    inFolder(top, "checkout", "-q", "main");
    write(top, "c1");
    inFolder(top, "add", ".");
    inFolder(top, "commit", "-q", "--amend", "-m", "c1");
    const found = await attempted(git({ workspace: top }), () => inFolder(top, ...command));
    expect(found).toMatchObject({ rewritten: true, detached: false });
    expect(found?.commits.map(({ subject }) => subject)).toEqual(subjects);
    if (how === "reset") expect(found?.changed).toEqual(["c1"]);
    if (how === "begun anew") expect(found?.headAfter).toBeNull();
  });

  it("detects a history whose earlier commit is gone", async () => {
    const { top, git } = sample();
    expect(await git.since({ head: "0".repeat(39).concat("1"), at: Date.now() + 60_000, files: {} })).toMatchObject({
      headAfter: inFolder(top, "rev-parse", "HEAD"),
      rewritten: true,
      commits: [],
      changed: [],
    });
  });

  it("detects a detached HEAD", async () => {
    const { top, first, git } = sample();
    commitAll(top, "second");
    const found = await attempted(git, () => inFolder(top, "checkout", "-q", "--detach", first));
    expect(found).toMatchObject({ detached: true, rewritten: true, headAfter: first });
  });

  it("detects the first commit of an empty repository", async () => {
    const top = repository(0);
    write(top, "spec/tasks.md");
    const port = git({ workspace: top, specFiles: specIn(join(top, "spec")) });
    expect(await attempted(port, () => write(top, "spec/tasks.md", "x\n"))).toEqual({
      headBefore: null,
      headAfter: null,
      ...unchanged,
      changed: ["spec/tasks.md"],
      uncommitted: ["tasks.md"],
    });
    const found = await attempted(port, () => commitAll(top, "first"));
    expect(found).toMatchObject({
      headBefore: null,
      rewritten: false,
      commits: [{ subject: "first" }],
      changed: ["spec/tasks.md"],
      uncommitted: [],
    });
  });

  it("returns names of any kind unchanged", async () => {
    const names = [
      "a b.ts",
      "-dash",
      "new\nline",
      'quote".ts',
      "tab\t.ts",
      "umläut ✓.ts",
      "1 M N... x",
      ":(top)x",
      "*",
    ];
    const { top, git: port } = sample();
    const dirty = await attempted(port, () => {
      for (const name of names) write(top, name);
    });
    expect(dirty?.changed.toSorted()).toEqual(names.toSorted());
    const committed = await attempted(port, () => commitAll(top, "naïve ✓"));
    expect(committed?.changed.toSorted()).toEqual(names.toSorted());
    expect(committed?.commits[0]?.subject).toBe("naïve ✓");
  });

  it.each(["a spec", "-spec", "spécs\nnew", "*"])("knows the files of a spec in %j", async (name) => {
    const top = repository();
    write(top, `${name}/tasks.md`);
    commitAll(top);
    const port = git({ workspace: top, specFiles: specIn(join(top, name)) });
    const found = await attempted(port, () => write(top, `${name}/tasks.md`, "x\n"));
    expect(found?.uncommitted).toEqual(["tasks.md"]);
  });

  it("returns paths from a workspace below the top, also those outside it", async () => {
    const { top } = sample();
    const port = git({ workspace: join(top, "src"), specFiles: specIn(join(top, "spec")) });
    const found = await attempted(port, () => {
      write(top, "src/b.ts");
      write(top, "other/c.ts");
      write(top, "spec/tasks.md", "x\n");
    });
    expect(found).toMatchObject({ changed: ["../spec/tasks.md", "../other/c.ts", "b.ts"], uncommitted: ["tasks.md"] });
  });

  it("works through symbolic links", async () => {
    const { top } = sample();
    const link = join(temporaryFolder(), "link");
    symlinkSync(top, link);
    const port = git({ workspace: link, specFiles: specIn(join(link, "spec")) });
    const found = await attempted(port, () => write(top, "spec/tasks.md", "x\n"));
    expect(found).toMatchObject({ changed: ["spec/tasks.md"], uncommitted: ["tasks.md"] });
  });

  it("works in a linked worktree", async () => {
    const { top } = sample();
    const tree = join(temporaryFolder(), "tree");
    inFolder(top, "worktree", "add", "-q", "-b", "other", tree);
    const port = git({ workspace: tree, specFiles: specIn(join(tree, "spec")) });
    const found = await attempted(port, () => {
      commitAll(tree, "there");
      write(tree, "spec/tasks.md", "x\n");
      write(top, "spec/tasks.md", "y\n");
    });
    expect(found).toMatchObject({
      commits: [{ subject: "there" }],
      changed: ["spec/tasks.md"],
      uncommitted: ["tasks.md"],
    });
  });

  it("reports nothing for a spec outside of the repository", async () => {
    const top = repository();
    const outside = temporaryFolder();
    const nested = join(top, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    for (const folder of [outside, nested]) {
      const port = git({ workspace: top, specFiles: specIn(folder) });
      expect(await attempted(port, () => write(folder, "tasks.md"))).toMatchObject({ uncommitted: [] });
    }
  });

  it("ignores another repository named by the environment", async () => {
    const { top, first, git } = sample();
    const mark = await marked(git);
    const other = repository(3);
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other);
    vi.stubEnv("GIT_INDEX_FILE", join(other, ".git/none"));
    vi.stubEnv("GIT_ICASE_PATHSPECS", "1");
    vi.stubEnv("GIT_TRACE", "1");
    write(top, "src/a.ts", "b\n");
    expect(await git.since(mark)).toMatchObject({ headAfter: first, changed: ["src/a.ts"], rewritten: false });
    expect(await git.head()).toBe(first.slice(0, 7));
  });

  it("lists the same whatever the settings of the repository", async () => {
    const { top, git } = sample();
    for (const [name, value] of [
      ["status.showUntrackedFiles", "no"],
      ["status.renames", "copies"],
      ["status.relativePaths", "true"],
      ["core.quotePath", "true"],
      ["log.showSignature", "true"],
      ["log.date", "human"],
      ["i18n.logOutputEncoding", "latin1"],
      ["diff.renames", "copies"],
      ["color.ui", "always"],
    ] as const) {
      inFolder(top, "config", name, value);
    }
    const found = await attempted(git, () => {
      inFolder(top, "mv", "src/a.ts", "src/ä.ts");
      inFolder(top, "commit", "-q", "-m", "müde");
      write(top, "new.ts");
      inFolder(top, "mv", "src/ä.ts", "b.ts");
    });
    expect(found?.commits).toEqual([{ hash: inFolder(top, "rev-parse", "--short", "HEAD"), subject: "müde" }]);
    expect(found?.changed.toSorted()).toEqual(["b.ts", "new.ts", "src/a.ts", "src/ä.ts"]);
  });

  it("takes no lock and does not change the index", async () => {
    const { top, git } = sample();
    utimesSync(join(top, "src/a.ts"), 1, 1);
    const index = readFileSync(join(top, ".git/index"));
    write(top, ".git/index.lock", "");
    const found = await attempted(git, () => write(top, "new.ts"));
    expect(found?.changed).toEqual(["new.ts"]);
    rmSync(join(top, ".git/index.lock"));
    await attempted(git, () => {});
    expect(readFileSync(join(top, ".git/index"))).toEqual(index);
    inFolder(top, "status");
    expect(readFileSync(join(top, ".git/index"))).not.toEqual(index);
  });

  it("reports files of a merge with conflicts", async () => {
    const { top, git } = sample();
    inFolder(top, "checkout", "-q", "-b", "side");
    write(top, "src/a.ts", "side\n");
    write(top, "spec/tasks.md", "side\n");
    commitAll(top);
    inFolder(top, "checkout", "-q", "main");
    write(top, "src/a.ts", "main\n");
    write(top, "spec/tasks.md", "main\n");
    commitAll(top);
    const found = await attempted(git, () => expect(() => inFolder(top, "merge", "side")).toThrow());
    expect(found).toMatchObject({ changed: ["spec/tasks.md", "src/a.ts"], uncommitted: ["tasks.md"] });
  });

  it("is null if the repository or git has disappeared, or git does not accept the repository", async () => {
    const { top, git } = sample();
    const mark = await marked(git);
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await git.since(mark)).toBeNull();
    vi.unstubAllEnvs();
    writeFileSync(join(top, ".git/HEAD"), "nonsense\n");
    expect(await git.since(mark)).toBeNull();
    rmSync(join(top, ".git"), { recursive: true });
    expect(await git.since(mark)).toBeNull();
  });

  it("reports why git cannot read a repository", async () => {
    const { top, git } = sample();
    const mark = await marked(git);
    writeFileSync(join(top, ".git/index"), "nonsense");
    await expect(git.since(mark)).rejects.toMatchObject({
      code: "git-refused",
      message: expect.stringMatching(/^Cannot read the state of files in `.+`: fatal: .+/),
    });
  });
});
