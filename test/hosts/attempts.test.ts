import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cli, run as runApart } from "../support/cli.ts";
import { call, run } from "../support/cli-here.ts";
import { git, text, withoutGitConfig, write } from "../support/git-project.ts";
import { type Project, projectWith } from "../support/project.ts";

withoutGitConfig();

const plan = "- [ ] 1.1 A\n  - **Verify**: `grep -q good a.txt`\n- [ ] 1.2 B\n  - **Verify**: `test -e b.txt`\n";
const script = `case $FIXPOINT_KEY in
1.1#1) echo bad > a.txt; rm kept.txt; mkdir deep; echo 1 > deep/new.txt; chmod +x tool;;
1.1#2) echo good > a.txt; echo k > kept.txt;;
1.2#1) echo b > b.txt;;
esac; made`;

function project(script_ = script): Project {
  const made = projectWith({ plan, script: script_ });
  write(made, ".gitignore", "delegations.log\ntold\n");
  write(made, "a.txt", "first\n");
  write(made, "kept.txt", "k\n");
  write(made, "tool", "#!/bin/sh\n");
  return made;
}

async function ran(): Promise<Project> {
  const made = project();
  expect((await run(made, "--commit", "off")).exitCode).toBe(0);
  return made;
}

describe.concurrent("attempts", () => {
  it("can be restored without a repository, and the replaced files as well", async () => {
    const made = await ran();
    write(made, "mine.txt", "mine\n");
    write(made, "größe.txt", "mine\n");
    const asked = await call(made, "restore", "1.1#1", "spec");
    expect({ exitCode: asked.exitCode, text: text(made, "a.txt") }).toEqual({ exitCode: 2, text: "good\n" });
    expect(asked.err).toContain("5 items:");
    const { out } = await call(made, "restore", "1.1#1", "spec", "--yes");
    expect(out).toMatch(/Restore the previous files: fixpoint restore "?saved#1/);
    expect(["a.txt", "kept.txt", "b.txt", "mine.txt"].map((path) => text(made, path))).toEqual([
      "bad\n",
      null,
      null,
      null,
    ]);
    expect((await call(made, "restore", "saved#1", "spec", "--yes")).exitCode).toBe(0);
    expect(["a.txt", "kept.txt", "b.txt", "mine.txt"].map((path) => text(made, path))).toEqual([
      "good\n",
      "k\n",
      "b\n",
      "mine\n",
    ]);
    expect((await call(made, "restore", "saved#1", "spec", "--yes")).out).toContain("Nothing to restore");
    await call(made, "restore", "1.1#1", "spec", "--before", "--yes", "--", "a.txt", "deep");
    expect([text(made, "a.txt"), existsSync(join(made.workspace, "deep"))]).toEqual(["first\n", false]);
    expect(lstatSync(join(made.workspace, "tool")).mode & 0o111).not.toBe(0);
    rmSync(join(made.workspace, "größe.txt"));
    await call(made, "restore", "saved#1", "spec", "--yes", "--", "größe.txt");
    expect(text(made, "größe.txt")).toBe("mine\n");
    const outside = await call(made, "restore", "1.1#1", "spec", "--yes", "--", "../x");
    expect(outside.err).toMatch(/^ERROR: Cannot restore `\.\.\/x`/);
  });

  it("are restored completely, however large their files are", async () => {
    const made = project();
    const large = Buffer.alloc(70 * 1024 * 1024, "large");
    writeFileSync(join(made.workspace, "large.bin"), large);
    expect((await run(made, "--commit", "off")).exitCode).toBe(0);
    writeFileSync(join(made.workspace, "large.bin"), "spoilt\n");
    expect((await call(made, "restore", "1.1#1", "spec", "--yes", "--", "large.bin")).exitCode).toBe(0);
    expect(readFileSync(join(made.workspace, "large.bin")).equals(large)).toBe(true);
  });

  it("are refused if the workspace has since become part of another repository", async () => {
    const made = project();
    const inner = { ...made, workspace: join(made.workspace, "inner") };
    write(inner, "a.txt", "first\n");
    const words = ["run", made.spec, "--exec", "../executor.sh", "--yes", "--commit", "off"];
    expect((await call(inner, ...words)).exitCode).toBe(0);
    git(made, "init", "-q");
    const { exitCode, err } = await call(inner, "restore", "1.1#1", made.spec, "--yes");
    expect({ exitCode, text: text(inner, "a.txt") }).toEqual({ exitCode: 5, text: "good\n" });
    expect(err).toContain("the workspace is in another repository than at the first attempt");
  });

  it("do not touch ignored files, link targets or the user's own files", async () => {
    const made = project();
    for (const words of ["init -q -b main", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    expect((await run(made, "--commit", "off")).exitCode).toBe(0);
    git(made, "add", "a.txt");
    write(made, ".gitignore", "deep\nkept.txt\n");
    rmSync(join(made.workspace, "deep"), { recursive: true });
    symlinkSync("elsewhere", join(made.workspace, "deep"));
    mkdirSync(join(made.workspace, "elsewhere"));
    chmodSync(join(made.workspace, "a.txt"), 0o600);
    const before = [git(made, "ls-files", "-s"), git(made, "rev-parse", "HEAD"), git(made, "stash", "list")];
    const { out } = await call(made, "restore", "1.1#1", "spec", "--yes");
    expect(out).toContain("stays: deep/new.txt: a link is in the way");
    expect(existsSync(join(made.workspace, "elsewhere/new.txt"))).toBe(false);
    expect([text(made, "a.txt"), lstatSync(join(made.workspace, "a.txt")).mode & 0o777]).toEqual(["bad\n", 0o600]);
    expect([git(made, "ls-files", "-s"), git(made, "rev-parse", "HEAD"), git(made, "stash", "list")]).toEqual(before);
  });

  it("can be restored during a run only by its executor, and only with file names", async () => {
    const restore = `"${process.execPath}" "${cli}" restore 1.1#1 spec --before --yes`;
    const words = `(${restore} -- a.txt; ${restore}) > told 2>&1 < /dev/null`;
    const made = project(script.replace("echo good", `${words}; cp a.txt c.txt; echo good`));
    expect((await run(made, "--commit", "off")).exitCode).toBe(0);
    expect(text(made, "c.txt")).toBe("first\n");
    expect(text(made, "told")).toMatch(/^written: a\.txt\n.*\nERROR: Cannot say `restore` to `spec` from inside/);
  });

  it("are committed if accepted, without changes from before the run and leftovers of failed attempts", async () => {
    const made = project(script.replace("deep/new.txt", "deep/new.txt; echo j > junk1.txt"));
    for (const words of ["init -q -b main", "config user.name a", "config user.email a@b", "add -A", "commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    write(made, "tool", "mine\n");
    write(made, "mine.txt", "mine\n");
    write(made, "staged.txt", "staged\n");
    git(made, "add", "staged.txt");
    const { exitCode, out } = await run(made, "--commit", "all");
    expect(exitCode).toBe(0);
    const all = git(made, "log", "--format=", "--name-only", "HEAD~4..HEAD").split("\n").filter(Boolean);
    expect([...new Set(all)].sort()).toEqual(["a.txt", "b.txt", "spec/.progress.md", "spec/tasks.md"]);
    expect(out).toContain(
      "Not committed, since failed attempts left these files and no task names them: deep/new.txt, junk1.txt",
    );
    expect(out).toContain("2 changed paths from before the run are not committed");
    expect(git(made, "diff", "--cached", "--name-only")).toBe("staged.txt\n");
  });

  it("that write the same text again have changed no file, as all commands agree", async () => {
    const made = project("case $FIXPOINT_KEY in 1.2*) echo b > b.txt;; *) echo bad > a.txt;; esac; made");
    for (const words of ["init -q -b main", "config user.name a", "config user.email a@b", "add -A", "commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    await run(made, "--commit", "off", "--max-task-iterations", "2");
    expect((await call(made, "attempts", "1.1", "spec")).out).toMatch(/1 file,.*\n.* 0 files,/);
    const told = (await call(made, "why", "1.1", "spec")).out;
    expect(told.match(/changed files: \d+/g)).toEqual(["changed files: 1", "changed files: 0"]);
  });

  it("that drop commits of the run raise a question", async () => {
    const made = project(script.replace("1.2#1) ", "1.2#1) git reset -q HEAD~2; "));
    for (const words of ["init -q -b main", "config user.name a", "config user.email a@b", "add -A", "commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    const { exitCode, out, err } = await run(made, "--commit", "all");
    expect([exitCode, git(made, "log", "--format=%s")]).toEqual([3, "x\n"]);
    expect(out + err).toMatch(
      /HEAD was moved .*, which lacks committed work of this run\. Nothing was committed\.\n.*\n {2}a\.txt/,
    );
    git(made, "reset", "-q", /git reset (\w+)/.exec(out + err)?.[1] ?? "");
    expect((await run(made, "--commit", "all")).exitCode).toBe(0);
    expect(git(made, "log", "--format=%s")).toMatch(/1\.2 B\n.*\n?1\.1 A\nx\n$/);
    expect(git(made, "status", "--porcelain", "a.txt", "b.txt")).toBe("");
  });

  it.each([
    ["before it works on", ""],
    ["and works on", "echo b > b.txt;"],
  ])("that drop commits of the run and kill the coordinator, %s, raise a question once", async (_, rest) => {
    const drops = `1.2#1) [ -e told ] || { touch told; git reset -q HEAD~2; kill -9 $PPID; ${rest} exit; };`;
    const made = project(script.replace("1.2#1)", drops));
    for (const words of ["init -q -b main", "config user.name a", "config user.email a@b", "add -A", "commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    expect(await runApart(made, "--commit", "all")).toMatchObject({ signal: "SIGKILL" });
    const { exitCode, out, err } = await run(made, "--commit", "all");
    expect(out + err).toMatch(/HEAD was moved .*, which lacks committed work of this run/);
    expect(exitCode).toBe(3);
    expect((await run(made, "--commit", "all")).exitCode).toBe(0);
  });

  it("that end on another branch raise a question before any other command runs", async () => {
    const made = project("git switch -q main; broke 'no idea'");
    for (const words of ["init -q -b main", "config user.name a", "config user.email a@b", "add -A", "commit -qm x"]) {
      git(made, ...words.split(" "));
    }
    git(made, "switch", "-qc", "work");
    const { exitCode, out, err } = await run(made, "--commit", "all");
    expect({ exitCode, delegations: text(made, "delegations.log") }).toEqual({ exitCode: 3, delegations: "1.1#1\n" });
    expect(out + err).toContain("Now: branch `main`");
    expect(git(made, "log", "--format=%s", "main")).toBe("x\n");
  });
});

it("are listed with their outcomes, shown as diffs, and refused if git cannot start", async () => {
  const made = await ran();
  const { out } = await call(made, "attempts", "spec");
  expect(out.split("\n").map((line) => line.replace(/ {2,}/g, " | "))).toEqual([
    "1.1#1 | failed | 4 files, +2 -2",
    "1.1#2 | accepted | 0 failing | 2 files, +2 -1",
    "1.2#1 | accepted | 0 failing | 1 file, +1 -0",
    "",
  ]);
  const listed = JSON.parse((await call(made, "attempts", "1.2", "spec", "--json")).out);
  expect(listed).toMatchObject({ run: 1, attempts: [{ key: "1.2#1", changes: { files: 1, added: 1, removed: 0 } }] });
  expect((await call(made, "diff", "1.2#1", "spec")).out).toContain("+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n");
  expect((await call(made, "diff", "1.1#1", "1.1#2", "spec")).out).toContain("-bad\n+good\n");
  expect(await call(made, "diff", "1.1#1", "1.1#1", "spec")).toMatchObject({
    ...{ exitCode: 0, out: "" },
    err: "Nothing was changed: 1.1#1 and 1.1#1 are equal\n",
  });
  expect((await call(made, "diff", "1.3#1", "spec")).err).toMatch(/^ERROR: Cannot find `1\.3#1` in run 1/);
  vi.stubEnv("PATH", "/nowhere");
  const { err } = await call(made, "diff", "1.1#1", "spec");
  expect(err).toMatch(/^ERROR: Cannot look at the attempts of `spec`: git cannot start/);
});
