import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { End } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { ownerFolder } from "../support/owner-folder.ts";
import { lastingFolder, type Project, projectAt } from "../support/project.ts";

const done = "echo TASK_COMPLETE";

function fill(workspace: string, script = "true", id = "1.1"): Project {
  const project = projectAt(workspace, join(workspace, "specs", "g"));
  mkdirSync(project.spec, { recursive: true });
  writeFileSync(join(workspace, "check.sh"), `${script}\n`);
  writeFileSync(project.tasks, `- [ ] ${id} A\n  - **Verify**: \`sh check.sh\`\n`);
  return project;
}

const git = (cwd: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], { cwd, encoding: "utf8" });

function commitAll(workspace: string, message = "all"): void {
  if (!existsSync(join(workspace, ".git"))) git(workspace, "init", "-q", "-b", "main");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-qm", message, "--allow-empty");
}

const first = (project: Project): Promise<End> => call(project, "run", "g", "--exec", done, "--yes");
const again = (project: Project): Promise<End> => call(project, "run", "g");
const named = (project: Project): Promise<End> => call(project, "run", "g", "--exec", done);
const another = (project: Project): void =>
  writeFileSync(project.tasks, "- [ ] 9.1 Next\n  - **Verify**: `sh check.sh`\n");
const wasRun = ({ workspace }: Project): boolean => existsSync(join(workspace, "PWNED"));

async function agreed(prepare: (workspace: string) => void = () => {}): Promise<Project> {
  const project = fill(join(lastingFolder(), "app"));
  prepare(project.workspace);
  expect((await first(project)).exitCode).toBe(0);
  return project;
}

describe.concurrent("another workspace at the path of a trusted one", () => {
  it.each<[string, (workspace: string) => void, (workspace: string) => void]>([
    [
      "a folder",
      () => {},
      (workspace) => {
        rmSync(workspace, { recursive: true });
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
    [
      "the content of a folder",
      () => {},
      (workspace) => {
        for (const name of ["specs", "check.sh"]) rmSync(join(workspace, name), { recursive: true });
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
    [
      "a folder that replaces it",
      () => {},
      (workspace) => {
        renameSync(workspace, `${workspace}-old`);
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
    [
      "a repository",
      commitAll,
      (workspace) => {
        rmSync(workspace, { recursive: true });
        fill(workspace, "touch PWNED", "9.1");
        commitAll(workspace, "other");
      },
    ],
    [
      "a repository that has become a folder",
      commitAll,
      (workspace) => {
        rmSync(join(workspace, ".git"), { recursive: true });
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
    [
      "a folder that the repository above does not hold",
      (workspace) => {
        writeFileSync(join(workspace, "../.gitignore"), "app\n");
        commitAll(join(workspace, ".."));
      },
      (workspace) => {
        rmSync(workspace, { recursive: true });
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
    [
      "a fork",
      (workspace) => {
        commitAll(workspace);
        git(workspace, "remote", "add", "origin", "https://example.org/mine/app");
      },
      (workspace) => {
        fill(workspace, "touch PWNED", "9.1");
        commitAll(workspace);
        git(workspace, "remote", "set-url", "origin", "https://example.org/theirs/app");
      },
    ],
    [
      "a fork with the same root commit and no remote",
      commitAll,
      (workspace) => {
        cpSync(workspace, `${workspace}-fork`, { recursive: true });
        rmSync(workspace, { recursive: true });
        renameSync(`${workspace}-fork`, workspace);
        fill(workspace, "touch PWNED", "9.1");
        commitAll(workspace);
      },
    ],
    [
      "a clone of a repository that had no remote",
      commitAll,
      (workspace) => {
        git(workspace, "clone", "-q", "--no-hardlinks", workspace, `${workspace}-fork`);
        rmSync(workspace, { recursive: true });
        renameSync(`${workspace}-fork`, workspace);
        fill(workspace, "touch PWNED", "9.1");
      },
    ],
  ])("needs consent, and does not inherit the executor: %s", async (_, before, replace) => {
    const project = await agreed(before);
    replace(project.workspace);
    const reason = /Agreed for another (?:repository|folder) at this path: /;
    const alone = await again(project);
    expect(alone).toMatchObject({ exitCode: 2, err: expect.stringMatching(/expected --executor or --exec/) });
    expect(alone.err).toMatch(reason);
    const refused = await named(project);
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining("1 item:\n  Verify: sh check.sh\n") });
    expect(refused.err).toMatch(reason);
    const all = await call(project, "run", "--all", ".", "--exec", done);
    expect(all).toMatchObject({ exitCode: 2, err: expect.stringMatching(reason) });
    expect((await call(project, "doctor", "g")).out).toContain("no executor is named for g");
    expect(wasRun(project)).toBe(false);
    expect((await first(project)).exitCode).toBe(0);
    another(project);
    expect((await again(project)).exitCode).toBe(0);
  });

  it("needs consent, and inherits no spent counts, if the previous run was incomplete", async () => {
    const project = fill(join(lastingFolder(), "app"), "false");
    expect((await call(project, "run", "g", "--exec", done, "--yes", "--max-task-iterations", "2")).exitCode).toBe(1);
    rmSync(project.workspace, { recursive: true });
    fill(project.workspace);
    expect((await named(project)).exitCode).toBe(2);
    const { exitCode, out } = await first(project);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining("Delegations: 1\n") });
  });
});

describe.concurrent("a trusted workspace", () => {
  it.each<[string, (workspace: string) => void, (workspace: string) => void]>([
    ["as it is", () => {}, () => {}],
    ["after git init", () => {}, (workspace) => git(workspace, "init", "-q")],
    ["after its first commit", (workspace) => git(workspace, "init", "-q"), commitAll],
    ["after git init and a first commit", () => {}, commitAll],
    ["after its first remote", commitAll, (workspace) => git(workspace, "remote", "add", "origin", "ssh://a@b/c")],
    [
      "after another remote",
      (workspace) => {
        commitAll(workspace);
        git(workspace, "remote", "add", "origin", "https://me:secret@example.org/up");
      },
      (workspace) => {
        git(workspace, "remote", "rename", "origin", "upstream");
        git(workspace, "remote", "add", "origin", "https://example.org/fork");
      },
    ],
    [
      "after commits, on a new branch, packed",
      commitAll,
      (workspace) => {
        git(workspace, "checkout", "-qb", "topic");
        commitAll(workspace, "second");
        git(workspace, "gc", "-q", "--prune=now");
      },
    ],
    [
      "cloned again from the same origin",
      (workspace) => {
        commitAll(workspace);
        git(workspace, "clone", "-q", "--bare", ".", `${workspace}.git`);
        git(workspace, "remote", "add", "origin", `${workspace}.git`);
      },
      (workspace) => {
        rmSync(workspace, { recursive: true });
        git(join(workspace, ".."), "clone", "-q", `${workspace}.git`, workspace);
      },
    ],
    [
      "no longer shallow",
      (workspace) => {
        commitAll(workspace);
        commitAll(workspace, "second");
        renameSync(workspace, `${workspace}-up`);
        git(join(workspace, ".."), "clone", "-q", "--depth", "1", `file://${workspace}-up`, workspace);
      },
      (workspace) => git(workspace, "fetch", "-q", "--unshallow"),
    ],
  ])("is not asked about again after: %s", async (_, before, change) => {
    const project = await agreed(before);
    change(project.workspace);
    another(project);
    const { exitCode, err } = await again(project);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: `executor: ${done}, as before\n` });
  });

  it("is not asked about again if the run itself makes its first commit", async () => {
    const project = fill(join(lastingFolder(), "app"));
    git(project.workspace, "init", "-q");
    git(project.workspace, "config", "user.name", "A");
    git(project.workspace, "config", "user.email", "a@example.org");
    expect((await call(project, "run", "g", "--exec", done, "--yes", "--commit", "all")).exitCode).toBe(0);
    expect(git(project.workspace, "rev-list", "--count", "HEAD")).toMatch(/^[1-9]/);
    another(project);
    expect((await call(project, "run", "g", "--commit", "all")).exitCode).toBe(0);
  });

  it.each<[string, (project: Project) => string]>([
    [
      "cloned to another place",
      ({ workspace }) => {
        commitAll(workspace);
        git(workspace, "clone", "-q", ".", `${workspace}-clone`);
        return `${workspace}-clone`;
      },
    ],
    [
      "moved",
      ({ workspace }) => {
        renameSync(workspace, `${workspace}-moved`);
        return `${workspace}-moved`;
      },
    ],
    [
      "copied",
      ({ workspace }) => {
        cpSync(workspace, `${workspace}-copy`, { recursive: true });
        return `${workspace}-copy`;
      },
    ],
  ])("is asked about once if it is %s", async (_, take) => {
    const project = await agreed();
    const taken = fill(take(project));
    expect((await named(taken)).exitCode).toBe(2);
    expect((await first(taken)).exitCode).toBe(0);
    another(taken);
    expect((await again(taken)).exitCode).toBe(0);
  });
});

describe.concurrent("recorded consent", () => {
  const spoil = (project: Project, name: string, change: (content: Record<string, unknown>) => unknown): void => {
    const path = join(ownerFolder(project.spec), `${name}.json`);
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>)));
  };

  it.each<[string, (content: Record<string, unknown>) => unknown, RegExp]>([
    ["cannot be read", () => "torn", /Your earlier consent cannot be read/],
    [
      "is of a later version",
      (content) => ({ ...content, v: 99 }),
      /Your earlier consent was written by a later version of fixpoint/,
    ],
    [
      "has an unknown origin",
      ({ origin, ...content }) => ({ ...content, origin: { ...(origin as object), unknown: "no git" } }),
      /It is unknown whether this is the place you agreed to: no git/,
    ],
    ["is of another workspace", (content) => ({ ...content, workspace: "/x" }), /Agreed for another workspace: \/x/],
  ])("is requested again, with the reason, if it %s", async (_, change, reason) => {
    const project = await agreed();
    another(project);
    spoil(project, "consent", change);
    const asked = await named(project);
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining("  Verify: sh check.sh\n") });
    expect(asked.err).toMatch(reason);
    expect((await first(project)).exitCode).toBe(0);
  });

  it("is requested again if git does not report the origin", async () => {
    const project = await agreed(commitAll);
    another(project);
    writeFileSync(join(project.workspace, ".git/config"), "[broken\n");
    const asked = await named(project);
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringMatching(/you agreed to: git gives no answer in /) });
  });

  it("is reported once as changed since the last start", async () => {
    const project = await agreed();
    another(project);
    spoil(project, "consent", ({ agreement, ...content }) => ({
      ...content,
      agreement: { ...(agreement as object), verify: ["sh check.sh", "make"] },
    }));
    spoil(project, "executors", (content) => ({ ...content, exec: `${done} ` }));
    const start = await again(project);
    expect(start.exitCode).toBe(0);
    expect(start.err).toContain(`The executor was changed since your last start: ${done}  (not by fixpoint)\n`);
    expect(start.out).toContain("notice: Your agreement was changed since your last start, and not by fixpoint\n");
    another(project);
    const next = await again(project);
    expect(`${next.out}${next.err}`).not.toContain("changed since");
  });
});
