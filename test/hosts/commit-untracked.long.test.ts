import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { withoutGitConfig } from "../support/git-project.ts";
import { lastingFolder, projectAt } from "../support/project.ts";
import { until } from "../support/until.ts";

withoutGitConfig();

const oneTask = "- [ ] 1.1 A\n";

function repository(untracked: readonly string[], { plan = oneTask, script = "echo x > new" } = {}) {
  const top = lastingFolder();
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: top, encoding: "utf8", stdio: "pipe" }).trim();
  const write = (path: string, text = "KEY\n"): void => {
    mkdirSync(join(top, dirname(path)), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  write("s/tasks.md", plan);
  write("src/a.ts", "a\n");
  write(".gitignore", "ignored\n");
  git("add", "-A");
  git("commit", "-qm", "begin");
  for (const path of untracked) write(path);
  const beside = lastingFolder();
  const execute = (words: string): string =>
    writeScript(beside, "executor.sh", `cat > /dev/null; ${words}; echo TASK_COMPLETE`);
  const words = ["run", "s", "--exec", execute(script), "--commit", "all"];
  const project = projectAt(top, join(top, "s"));
  const start = (...more: readonly string[]) => call(project, ...words, ...more);
  git("switch", "-qc", "work");
  const all = (): string[] =>
    [...new Set(git("log", "--format=", "--name-only", "main..work").split("\n"))].filter(Boolean).sort();
  return { ...{ top, beside, git, write, words, start, all, project, execute } };
}

const own = ["s/.progress.md", "s/tasks.md"];

describe.concurrent("a file untracked before the run", () => {
  it("is not committed, which is reported once", async () => {
    const { start, all, git } = repository([".env", "scratch/deep/a", "src/notes.txt"]);
    const { exitCode, out } = await start("--yes");
    expect({ exitCode, all: all() }).toEqual({ exitCode: 0, all: ["new", ...own] });
    const said = "3 untracked paths from before the run are not committed";
    expect(out.split(said)).toHaveLength(2);
    expect(out).toContain(": .env, scratch/, src/notes.txt\n");
    expect(git("status", "--porcelain", "--untracked-files=all")).toContain("?? .env");
  });

  it.each([
    ["is changed", "echo more >> .env; echo x > new"],
    ["is staged", "git add .env; echo x > new"],
    ["is made again", "rm .env; echo x > .env; echo x > new"],
    ["has become a folder", "rm .env; mkdir .env; echo x > .env/a; echo x > new"],
  ])("is not committed if it %s by an attempt", async (_, script) => {
    const { start, all } = repository([".env"], { script });
    expect((await start("--yes")).exitCode).toBe(0);
    expect(all()).toEqual(["new", ...own]);
  });

  it("is not committed if an attempt removes its ignore rule", async () => {
    const { start, all } = repository(["ignored"], { script: "rm .gitignore; echo x > new" });
    expect((await start("--yes")).exitCode).toBe(0);
    expect(all()).toEqual([".gitignore", "new", ...own]);
  });

  it("excludes its whole folder only if that has no tracked files", async () => {
    const script = "echo x > scratch/b; echo x > src/b.ts; mkdir made; echo x > made/c";
    const { start, all } = repository(["scratch/a", "src/old.ts"], { script });
    expect((await start("--yes")).exitCode).toBe(0);
    expect(all()).toEqual(["made/c", ...own, "src/b.ts"]);
  });

  it("is committed if Files names it, or a folder above it", async () => {
    const plan = "- [ ] 1.1 A\n  - **Files**: `.env`, `docs/`, `src/x/**`\n";
    const { start, all } = repository([".env", ".env2", "docs/a.md", "src/x/y.ts", "other/a"], { plan });
    expect((await start("--yes")).exitCode).toBe(0);
    expect(all()).toEqual([".env", "docs/a.md", "new", ...own, "src/x/y.ts"]);
  });

  it.each(["`.`", "`./`", "`*`", "`**`", "`.env*`", "`../.env`"])(
    "is not committed if Files has only the pattern %s",
    async (files) => {
      const { start, all } = repository([".env"], { plan: `- [ ] 1.1 A\n  - **Files**: ${files}\n` });
      expect((await start("--yes")).exitCode).toBe(0);
      expect(all()).toEqual(["new", ...own]);
    },
  );

  it("stays excluded after a kill, unlike files that an attempt made before the kill", async () => {
    const script = 'echo x > made; touch "$(dirname "$0")/begun"; sleep 60';
    const { top, beside, start, words, all, execute, project } = repository([".env"], { script });
    const { child, end } = launch(top, [...words, "--yes"]);
    await until(() => existsSync(join(beside, "begun")));
    child.kill("SIGKILL");
    await end;
    execute("echo x > new");
    expect((await start()).exitCode).toBe(0);
    expect(all()).toEqual(["made", "new", ...own]);
    expect(readdirSync(join(project.data, "run-1"))).toContain("untracked.json");
  });

  it.each([
    ["is missing", (path: string) => rmSync(path)],
    ["was changed", (path: string) => writeFileSync(path, '{"untracked":[],"ignored":[]}')],
  ])("is determined again if the stored list %s", async (_, spoil) => {
    const { top, beside, start, words, all, execute, project } = repository([".env"], {
      script: 'touch "$(dirname "$0")/begun"; sleep 60',
    });
    const { child, end } = launch(top, [...words, "--yes"]);
    await until(() => existsSync(join(beside, "begun")));
    child.kill("SIGKILL");
    await end;
    spoil(join(project.data, "run-1/untracked.json"));
    execute("echo x > new");
    expect(await start()).toMatchObject({ exitCode: 0, out: expect.stringContaining("is missing or changed") });
    expect(all()).toEqual(["new", ...own]);
  });

  it("is determined again in a new run", async () => {
    const { top, start, write, all } = repository([".env"]);
    expect((await start("--yes")).exitCode).toBe(0);
    write(".env2");
    writeFileSync(join(top, "s/tasks.md"), `${readFileSync(join(top, "s/tasks.md"), "utf8")}- [ ] 1.2 B\n`);
    write("new", "y\n");
    const { exitCode, out } = await start("--yes", "--new-run");
    expect({ exitCode, all: all() }).toEqual({ exitCode: 0, all: ["new", ...own] });
    expect(out).toContain(": .env, .env2\n");
  });

  it("stays excluded among very many", async () => {
    const { start, all, write, project } = repository([".env"]);
    for (let n = 0; n < 3000; n++) write(`heap/${n % 50}/${n}`, "");
    for (let n = 0; n < 300; n++) write(`flat-${n}`, "");
    expect(await start("--yes")).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("302 untracked paths from before the run"),
    });
    expect(all()).toEqual(["new", ...own]);
    expect(readFileSync(join(project.data, "run-1/untracked.json")).length).toBeLessThan(6000);
  });
});
