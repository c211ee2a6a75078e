import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { call, run } from "../support/cli-here.ts";
import { beginRepository, git, text, withoutGitConfig, write } from "../support/git-project.ts";
import { type Project, projectWith, writeExecutor } from "../support/project.ts";

withoutGitConfig();

const plan = "- [ ] 1.1 A\n  - **Verify**: `grep -q good a.txt`\n";
const script = `case $FIXPOINT_KEY in
1.1#1) echo one > junk1.txt; echo bad > a.txt; rm kept.txt;;
1.1#2) echo two > junk2.txt; echo worse > a.txt;;
*) ls > seen.log; cat a.txt >> seen.log; echo good > a.txt;;
esac; made`;

function project(given: Parameters<typeof projectWith>[0] = { plan, script }): Project {
  const made = projectWith(given);
  write(made, ".gitignore", "*.log\n");
  write(made, "a.txt", "first\n");
  write(made, "kept.txt", "k\n");
  beginRepository(made);
  write(made, "kept.txt", "changed by the user\n");
  write(made, "draft.txt", "new\n");
  return made;
}

const pivots = ["--commit", "off", "--stuck-after-same-errors", "2", "--escalation"];

describe.concurrent("a different approach", () => {
  it("starts from the original files, also the user's, and keeps index, HEAD and stash", async () => {
    const made = project();
    const before = [git(made, "ls-files", "-s"), git(made, "rev-parse", "HEAD"), git(made, "stash", "list")];
    expect((await run(made, ...pivots)).exitCode).toBe(0);
    const seen = (text(made, "seen.log") ?? "").split("\n");
    expect(seen).toContain("first");
    expect(seen.filter((name) => name.endsWith(".txt"))).toEqual(["a.txt", "draft.txt", "kept.txt"]);
    expect(["kept.txt", "draft.txt", "a.txt"].map((path) => text(made, path))).toEqual([
      "changed by the user\n",
      "new\n",
      "good\n",
    ]);
    expect([git(made, "ls-files", "-s"), git(made, "rev-parse", "HEAD"), git(made, "stash", "list")]).toEqual(before);
    expect((await call(made, "diff", "1.1#2", "spec")).out).toContain("+++ b/junk2.txt");
  });

  it("keeps changes of a person since the last attempt", async () => {
    const made = project();
    const always = [...pivots, "--fresh", "always"];
    expect((await run(made, ...always, "--max-global-iterations", "2")).exitCode).not.toBe(0);
    write(made, "junk2.txt", "mine now\n");
    write(made, "other.txt", "mine\n");
    expect((await run(made, ...always, "--max-global-iterations", "9")).exitCode).toBe(0);
    const seen = (text(made, "seen.log") ?? "").split("\n").filter((name) => name.endsWith(".txt"));
    expect(seen).toEqual(["a.txt", "draft.txt", "junk2.txt", "kept.txt", "other.txt"]);
    expect(text(made, "junk2.txt")).toBe("mine now\n");
  });

  it("keeps files that the user ignores if an attempt removed their rule and a person changed the rules since", async () => {
    const made = project({
      plan,
      script: "case $FIXPOINT_KEY in 1.1#1) echo > .gitignore; echo new > new.txt;; *) echo good > a.txt;; esac; made",
    });
    write(made, "secret.log", "mine\n");
    const always = [...pivots, "--fresh", "always"];
    expect((await run(made, ...always, "--max-global-iterations", "1")).exitCode).not.toBe(0);
    write(made, ".gitignore", "mine\n");
    const { exitCode, out } = await run(made, ...always, "--max-global-iterations", "9");
    expect({ exitCode, out }).toMatchObject({ exitCode: 0 });
    expect(["secret.log", "new.txt", ".gitignore"].map((path) => text(made, path))).toEqual(["mine\n", null, "mine\n"]);
  });

  const found = async (changes: string, list: string, given: (made: Project) => void = () => {}): Promise<string> => {
    const made = project({
      plan,
      script: `case $FIXPOINT_KEY in 1.1#1) ${changes};; 1.1#3) { ${list}; } > seen.log 2>&1; echo good > a.txt;; esac; made`,
    });
    given(made);
    expect((await run(made, ...pivots)).exitCode).toBe(0);
    return text(made, "seen.log") ?? "";
  };

  it("restores a folder and a file that a link and an empty folder replaced", async () => {
    const changes = "rm -r deep kept.txt; ln -s . deep; mkdir -p kept.txt/in";
    const seen = await found(changes, "cat deep/x.txt kept.txt", (made) => {
      mkdirSync(join(made.workspace, "deep"));
      write(made, "deep/x.txt", "deep\n");
      git(made, "add", "deep");
    });
    expect(seen).toBe("deep\nchanged by the user\n");
  });

  it("keeps files that the user ignores, and restores tracked ones, whatever an attempt did to the ignore rules", async () => {
    const changes = "printf '!*.log\\nkept.txt\\n' > .gitignore; echo spoilt > kept.txt; echo new > new.txt";
    const seen = await found(changes, "cat secret.log kept.txt; ls new.txt", (made) =>
      write(made, "secret.log", "mine\n"),
    );
    expect(seen).toMatch(/^mine\nchanged by the user\nls: .*new\.txt/);
  });

  it("restores a tracked file together with the rules that ignore it", async () => {
    const made = project();
    write(made, "tracked.log", "tracked\n");
    git(made, "add", "-f", "tracked.log");
    const always = [...pivots, "--fresh", "always"];
    writeExecutor(
      made.workspace,
      "[ $FIXPOINT_KEY = 1.1#1 ] && rm tracked.log && echo > .gitignore; [ $FIXPOINT_KEY = 1.1#2 ] && echo good > a.txt; made",
    );
    expect((await run(made, ...always, "--max-global-iterations", "1")).exitCode).not.toBe(0);
    expect((await run(made, ...always, "--max-global-iterations", "9")).exitCode).toBe(0);
    expect(text(made, "tracked.log")).toBe("tracked\n");
    expect((await call(made, "restore", "1.1#2", "spec", "--yes")).out).toContain("Nothing to restore");
  });

  it("does not remove the workspace's folder if the first attempt found it empty", async () => {
    const made = project({
      plan,
      script:
        "rm delegations.log; case $FIXPOINT_KEY in 1.1#1) echo bad > a.txt;; 1.1#3) echo good > a.txt;; esac; made",
    });
    const workspace = join(made.workspace, "empty");
    mkdirSync(workspace);
    const words = ["run", made.spec, "--exec", "../executor.sh", "--yes", ...pivots];
    const { exitCode, err } = await call({ ...made, workspace }, ...words);
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
  });

  it("continues with the current files without a repository, where --fresh always is refused", async () => {
    const made = projectWith({ plan, script });
    write(made, "a.txt", "first\n");
    const refused = await run(made, ...pivots, "--fresh", "always");
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toMatch(/Cannot restore files before attempts in .*, expected a git repository around it/);
    expect(refused.err).toContain("--fresh never");
    expect((await run(made, ...pivots)).exitCode).toBe(0);
    expect((text(made, "seen.log") ?? "").split("\n")).toContain("junk1.txt");
  });
});

describe("work of an accepted task that a later one undid", () => {
  const two = `${plan}- [ ] 1.2 B\n  - **Verify**: \`test -e b.txt\`\n`;
  const fixpoint = `fixpoint() { "${process.execPath}" "${cli}" "$@"; }`;
  const undoing = `${fixpoint}; case $FIXPOINT_KEY in
1.1#1) echo good > a.txt;;
1.2#1) git checkout -q .; git clean -fdq .; echo b > b.txt;;
*) eval "$(echo "$prompt" | grep -o 'fixpoint restore .*')" > told.log 2>&1 < /dev/null;;
esac; made`;

  it("comes back by the command that the prompt of the next attempt names", async () => {
    const made = project({ plan: two, script: undoing });
    const { out, exitCode } = await run(made, "--commit", "off", "--reporter", "plain");
    expect(out).toMatch(
      /rejected 1\.2 by guard: work of other tasks was undone: a\.txt: is back to its state before task 1\.1/,
    );
    expect([exitCode, text(made, "a.txt"), text(made, "b.txt")]).toEqual([0, "good\n", "b\n"]);
  });
});
