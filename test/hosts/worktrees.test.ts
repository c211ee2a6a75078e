import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, run } from "../support/cli-here.ts";
import { beginRepository, git, text, withoutGitConfig, write } from "../support/git-project.ts";
import { type Project, projectWith } from "../support/project.ts";

withoutGitConfig();

const planOf = (...tasks: readonly (readonly [title: string, verify: string])[]): string =>
  tasks.map(([title, verify], at) => `- [ ] 1.${at + 1} [P] ${title}\n  - **Verify**: \`${verify}\`\n`).join("");

const lines = ["1", "2", "3", "4", "5", "6", "7", ""].join("\n");

function project(plan: string, script: string): Project {
  const made = projectWith({ plan, script });
  write(made, ".gitignore", "node_modules/\n*.log\nexecutor.sh\n");
  write(made, "shared.txt", lines);
  write(made, "kept.txt", "k\n");
  beginRepository(made);
  write(made, "kept.txt", "changed by the user\n");
  write(made, "draft.txt", "new\n");
  mkdirSync(join(made.workspace, "node_modules"));
  write(made, "node_modules/module", "m\n");
  return made;
}

const sideOf = (made: Project): readonly string[] => [
  git(made, "ls-files", "-s"),
  git(made, "rev-parse", "HEAD"),
  git(made, "for-each-ref"),
  git(made, "stash", "list"),
  git(made, "worktree", "list").replace(/\n$/, ""),
  `${existsSync(join(made.workspace, ".git/worktrees")) ? readdirSync(join(made.workspace, ".git/worktrees")) : ""}`,
];

const apart = ["--commit", "off", "--worktrees", "--max-parallel", "3"];
const fixpoint = ({ out }: { readonly out: string }) => out.split("\n");

describe.concurrent("members of a batch in worktrees", () => {
  const seen =
    'git status --porcelain > "$here/$id.log"; cat kept.txt draft.txt >> "$here/$id.log"; ls >> "$here/$id.log"';
  const begin = `here=$(dirname "$FIXPOINT_SPEC")`;

  it("find the files of the workspace, do not interfere, and are merged", async () => {
    const made = project(
      planOf(["A", "test -e a.txt -a -e node_modules/module"], ["B", "test -e b.txt"], ["C", "test -e c.txt"]),
      `${begin}; ${seen}; case $id in
1.1) touch a.txt; sed -i 's/^1$/1 by a/' shared.txt;;
1.2) touch b.txt; sed -i 's/^7$/7 by b/' shared.txt; rm kept.txt;;
1.3) touch c.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm c;;
esac; made`,
    );
    const before = sideOf(made);
    const { exitCode, out } = await run(made, ...apart, "--worktree-link", "node_modules", "--reporter", "plain");
    expect([exitCode, fixpoint({ out }).filter((line) => line.startsWith("passed"))]).toEqual([
      0,
      expect.arrayContaining([expect.stringContaining("passed 1.1"), expect.stringContaining("passed 1.3")]),
    ]);
    expect(text(made, "1.2.log")).toContain("changed by the user\nnew\n");
    expect(text(made, "1.2.log")).not.toMatch(/^[ac]\.txt$/m);
    expect(text(made, "shared.txt")).toBe(lines.replace("1", "1 by a").replace("7", "7 by b"));
    expect(["a.txt", "b.txt", "c.txt", "draft.txt"].map((path) => text(made, path))).toEqual(["", "", "", "new\n"]);
    expect(text(made, "kept.txt")).toBe(null);
    expect(sideOf(made)).toEqual(before);
  });

  it("are redone on top of the others' work if they conflict, with the conflicting files in the prompt", async () => {
    const made = project(
      planOf(["A", "grep -q a shared.txt"], ["B", "grep -q b shared.txt"], ["C", "test -e c.txt"]),
      `${begin}; echo "$prompt" > "$here/$FIXPOINT_KEY.log"; case $FIXPOINT_KEY in
1.1#1) sed -i 's/^4$/4 by a/' shared.txt;;
1.2#1) sed -i 's/^4$/4 by b/' shared.txt; touch b.txt;;
1.2#2) sed -i 's/$/ and b/' shared.txt;;
1.3#1) touch c.txt;;
esac; made`,
    );
    const { exitCode, out } = await run(made, ...apart, "--reporter", "plain");
    expect([exitCode, out]).toEqual([0, expect.stringContaining("it conflicts with other tasks in shared.txt")]);
    expect(text(made, "1.2#2.log")).toMatch(/as the others left them:\n```text\nshared\.txt\n```/);
    expect(text(made, "1.2#2.log")).toContain('fixpoint diff "1.2#1" spec');
    expect(text(made, "shared.txt")).toContain("4 by a and b");
    expect(text(made, "b.txt")).toBe("");
    expect((await call(made, "attempts", "1.2", "spec", "--json")).out).toContain('"1.2#2"');
    const { out: why } = await call(made, "why", "1.2", "spec");
    expect(why).toMatch(
      /1\.2 is repeated on top of the changes of other tasks\n +also changed by other tasks, differently: shared\.txt/,
    );
  });

  it("are redone if they pass alone but fail when combined", async () => {
    const one = "test $(ls x* | wc -l) -eq 1 || { echo 'two of them'; exit 1; }";
    const made = project(
      planOf(["A", one], ["B", one]),
      `case $FIXPOINT_KEY in 1.1#1) touch x1;; 1.2#1) touch x2;; *) rm x2;; esac; made`,
    );
    const { exitCode, out } = await run(made, ...apart, "--reporter", "plain");
    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining(
        "is redone on top of the merged work: it failed when combined with the other tasks' changes",
      ),
    ]);
    expect(readdirSync(made.workspace).filter((name) => name.startsWith("x"))).toEqual(["x1"]);
  });

  it("keep failed work in its worktree, where fixes continue it", async () => {
    const made = project(
      planOf(["A", "test -e a.txt"], ["B", "test -e b.txt"]),
      `case $FIXPOINT_KEY in 1.1*) touch a.txt;; 1.2#1) touch junk;; 1.2.1#1) test -e junk && touch b.txt;; esac; made`,
    );
    expect((await run(made, ...apart, "--recovery-mode")).exitCode).toBe(0);
    expect([text(made, "b.txt"), text(made, "junk")]).toEqual(["", ""]);
    const stopped = project(
      planOf(["A", "test -e a.txt"], ["B", "test -e b.txt"]),
      `case $FIXPOINT_KEY in 1.1*) touch a.txt;; 1.2#1) touch junk;; *) touch b.txt;; esac; made`,
    );
    expect((await run(stopped, ...apart, "--max-task-iterations", "1")).exitCode).toBe(1);
    expect([text(stopped, "a.txt"), text(stopped, "junk")]).toEqual(["", null]);
    expect((await run(stopped, ...apart, "--max-task-iterations", "2")).exitCode).toBe(0);
    expect([text(stopped, "b.txt"), text(stopped, "junk")]).toEqual(["", ""]);
  });

  it("are committed one by one with their fixes, without changes from before the run", async () => {
    const made = project(
      planOf(["A", "test -e a.txt -a -e fixed.txt"], ["B", "test -e b.txt"]),
      `case $id in
1.1) touch a.txt; sed -i 's/^1$/1 by a/' shared.txt;;
1.1.1) touch fixed.txt;;
1.2) touch b.txt; sed -i 's/^7$/7 by b/' shared.txt;;
esac; made`,
    );
    for (const [name, value] of [
      ["user.name", "a"],
      ["user.email", "a@b"],
    ] as const)
      git(made, "config", name, value);
    const words = ["--commit", "all", "--worktrees", "--max-parallel", "2", "--recovery-mode"];
    expect((await run(made, ...words)).exitCode).toBe(0);
    const commits = git(made, "log", "--reverse", "--name-only", "--format=%x00%s", "HEAD~3..").split("\0").slice(1);
    expect(commits.map((commit) => commit.trim().split(/\n+/))).toEqual([
      ["1.1 A", "a.txt", "fixed.txt", "shared.txt"],
      ["1.2 B", "b.txt"],
      [expect.stringContaining("update progress for tasks 1.1"), "spec/.progress.md", "spec/tasks.md"],
    ]);
    expect(git(made, "status", "--porcelain", "kept.txt", "draft.txt")).toBe(" M kept.txt\n?? draft.txt\n");
  });

  it("are set up by a command, and the run ends if that fails", async () => {
    const plan = planOf(["A", "test -e ready.log"], ["B", "test -e ready.log"]);
    const made = project(plan, "made");
    const setUp = (command: string) => run(made, ...apart, "--worktree-setup", command, "--reporter", "plain");
    const failed = await setUp("echo 'no registry' >&2; exit 1");
    expect([failed.exitCode, failed.err]).toEqual([5, expect.stringMatching(/it could not be set up: no registry/)]);
    const sides = sideOf(made);
    expect(sides.at(-1)).toBe("");
    expect((await setUp("touch ready.log")).exitCode).toBe(0);
  });

  it("are refused without a repository, and without a commit", async () => {
    const made = projectWith({ plan: planOf(["A", "true"], ["B", "true"]), script: "made" });
    const told = /Cannot work in worktrees of .*, expected a repository with a commit around it[\s\S]*--no-worktrees/;
    expect((await run(made, "--worktrees")).err).toMatch(told);
    git(made, "init", "-q");
    expect((await run(made, "--worktrees")).err).toMatch(told);
    const whole = project(planOf(["A", "true"], ["B", "true"]), "made");
    for (const link of ["..", "/etc", "kept.txt", "draft.txt", "gone"]) {
      const { err } = await run(whole, "--worktrees", "--worktree-link", link);
      expect([link, err]).toEqual([link, expect.stringContaining("expected only existing paths that git ignores")]);
    }
  });

  it("lose no staged file that git ignores, and no nested repository", async () => {
    const made = project(
      planOf(["A", "test -e a.txt"], ["B", "test -e b.txt"]),
      "case $id in 1.1) touch a.txt;; *) touch b.txt;; esac; made",
    );
    write(made, "staged.log", "mine\n");
    git(made, "add", "-f", "staged.log");
    mkdirSync(join(made.workspace, "nested"));
    write(made, "nested/file", "n\n");
    for (const words of ["init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"]) {
      execFileSync("git", words.split(" "), { cwd: join(made.workspace, "nested") });
    }
    const { exitCode, out } = await run(made, ...apart, "--reporter", "plain");
    expect([exitCode, out]).toEqual([0, expect.not.stringContaining("redone on top")]);
    expect([text(made, "staged.log"), text(made, "nested/file")]).toEqual(["mine\n", "n\n"]);
  });

  it("keep the edit of a file that another member moved, even if there is a conflict as well", async () => {
    const made = project(
      planOf(["A", "test -e moved.txt"], ["B", "grep -rq 'by b' *.txt"]),
      `case $FIXPOINT_KEY in
1.1#1) git mv long.txt moved.txt; sed -i 's/^4$/4 by a/' shared.txt;;
1.2#1) sed -i 's/^7$/7 by b/' long.txt; sed -i 's/^4$/4 by b/' shared.txt;;
esac; made`,
    );
    write(made, "long.txt", lines.repeat(5).replace("7", "7"));
    git(made, "add", "long.txt");
    git(made, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y");
    await run(made, ...apart);
    expect([text(made, "long.txt"), text(made, "moved.txt")]).toEqual([null, expect.stringContaining("7 by b")]);
  });

  it("are merged once a person accepts a changed check", async () => {
    const made = project(
      planOf(["A", "sh test.sh"], ["B", "test -e b.txt"]),
      "case $id in 1.1) echo 'test -e a.txt || true' > test.sh; touch a.txt;; *) touch b.txt;; esac; made",
    );
    write(made, "test.sh", "test -e gone.txt\n");
    expect((await run(made, ...apart)).exitCode).toBe(3);
    const accepted = await call(made, "resume", made.spec, "--decision", "accept", "--exec", "./executor.sh", ...apart);
    expect([accepted.exitCode, text(made, "a.txt"), text(made, "b.txt")]).toEqual([0, "", ""]);
    expect(text(made, "test.sh")).toContain("|| true");
  });

  it("do not write through links that an executor put into its worktree", async () => {
    const outside = projectWith().workspace;
    write({ workspace: outside } as Project, "precious.txt", "p\n");
    const before = readdirSync(outside).sort();
    const script = `rm -rf spec .git; ln -s "${outside}" spec; echo "gitdir: ${outside}/.git" > .git; touch $id.txt; made`;
    const made = project(planOf(["A", "test -e 1.1.txt"], ["B", "test -e 1.2.txt"], ["C", "test -e 1.3.txt"]), script);
    const side = sideOf(made);
    expect((await run(made, "--commit", "off", "--worktrees", "--max-parallel", "2")).exitCode).toBe(0);
    expect([readdirSync(outside).sort(), sideOf(made)]).toEqual([before, side]);
  });
});
