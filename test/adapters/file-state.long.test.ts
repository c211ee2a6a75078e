import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fileState, lookLimits } from "../../src/adapters/file-state.ts";
import { temporaryFolder } from "../support/folder.ts";
import { commitAll, countCalls, inFolder, repository, sample, stubIdentity, write } from "./git/sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const stateOf = (workspace: string, specFolder = join(workspace, "spec")) => {
  const name = fileState({ workspace, specFolder, limits: { ...lookLimits, now: () => 0 } });
  return (...declared: string[]) => name(declared);
};

const touch = (path: string): void => utimesSync(path, 1, 1);

describe("fileState in a repository", () => {
  it("gives equal states the same name, whatever the time of the files", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const clean = await state();
    expect(clean).toMatch(/^[0-9a-f]{16}$/);
    expect(await state("src/a.ts")).toBe(clean);
    touch(join(top, "src/a.ts"));
    expect(await state()).toBe(clean);
    write(top, "src/b.ts");
    const dirty = await state();
    touch(join(top, "src/b.ts"));
    expect(await state()).toBe(dirty);
    expect(dirty).not.toBe(clean);
  });

  it("gives different names if files are changed, created, removed, moved or made executable", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const names = [await state()];
    const next = async (change: () => void): Promise<void> => {
      change();
      names.push(await state());
    };
    await next(() => write(top, "src/a.ts", "b\n"));
    await next(() => write(top, "src/a.ts", "c\n"));
    await next(() => write(top, 'x y\n"ü.ts', "b\n"));
    await next(() => renameSync(join(top, 'x y\n"ü.ts'), join(top, "z.ts")));
    await next(() => chmodSync(join(top, "z.ts"), 0o755));
    await next(() => unlinkSync(join(top, "src/a.ts")));
    await next(() => symlinkSync("z.ts", join(top, "link")));
    await next(() => {
      unlinkSync(join(top, "link"));
      symlinkSync("src", join(top, "link"));
    });
    expect(new Set(names).size).toBe(names.length);
  });

  it("gives the previous name again once the previous state is back", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const clean = await state();
    write(top, "src/a.ts", "A\n");
    const a = await state();
    write(top, "src/a.ts", "B\n");
    const b = await state();
    write(top, "src/a.ts", "A\n");
    expect(await state()).toBe(a);
    expect(new Set([clean, a, b]).size).toBe(3);
    inFolder(top, "checkout", "-q", "src/a.ts");
    expect(await state()).toBe(clean);
  });

  it("changes with the commit of HEAD, and only with it", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const first = await state();
    inFolder(top, "commit", "-q", "--allow-empty", "-m", "next");
    expect(await state()).not.toBe(first);
    inFolder(top, "checkout", "-q", "--detach", "HEAD~");
    expect(await state()).toBe(first);
  });

  it("does not change if something is only staged", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const clean = await state();
    write(top, "src/a.ts", "A\n");
    write(top, "src/b.ts", "B\n");
    const dirty = await state();
    inFolder(top, "add", "--all");
    expect(await state()).toBe(dirty);
    rmSync(join(top, "src/b.ts"));
    write(top, "src/a.ts", "a\n");
    expect(await state()).toBe(clean);
    inFolder(top, "reset", "-q", "--hard");
    inFolder(top, "rm", "-q", "--cached", "src/a.ts");
    expect(inFolder(top, "status", "--porcelain")).not.toBe("");
    expect(await state()).toBe(clean);
    unlinkSync(join(top, "src/a.ts"));
    const gone = await state();
    inFolder(top, "reset", "-q");
    expect(await state()).toBe(gone);
    expect(gone).not.toBe(clean);
  });

  it("does not change if a conflict is only marked as resolved", async () => {
    const { top } = sample();
    const state = stateOf(top);
    inFolder(top, "checkout", "-q", "-b", "other");
    write(top, "src/a.ts", "other\n");
    commitAll(top);
    inFolder(top, "checkout", "-q", "main");
    write(top, "src/a.ts", "ours\n");
    commitAll(top);
    const before = await state();
    expect(() => inFolder(top, "merge", "-q", "other")).toThrow();
    const merged = readFileSync(join(top, "src/a.ts"), "utf8");
    const conflict = await state();
    write(top, "src/a.ts", "ours\n");
    expect(await state()).toBe(before);
    write(top, "src/a.ts", merged);
    inFolder(top, "add", "src/a.ts");
    expect(await state()).toBe(conflict);
    expect(conflict).not.toBe(before);
    inFolder(top, "checkout", "-q", "HEAD", "src/a.ts");
    expect(await state()).toBe(before);
  });

  it("excludes the spec's folder and ignored files", async () => {
    const { top } = sample();
    write(top, ".gitignore", "dist\n");
    commitAll(top);
    const state = stateOf(top);
    const before = await state();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    write(top, "spec/.fixpoint/journal", "x");
    write(top, "spec/deep/er/report.md");
    write(top, "dist/out.js");
    expect(await state()).toBe(before);
    write(top, "specs/a.ts");
    expect(await state()).not.toBe(before);
  });

  it("excludes only the coordinator's own files if the work is done in the spec's folder", async () => {
    const top = repository();
    const state = stateOf(top, top);
    const before = await state();
    for (const name of ["tasks.md", ".progress.md", ".progress-task-1.1.md", ".ralph-state.json"]) write(top, name);
    for (const name of [".fixpoint/journal", "stuck-report.md", "SUMMARY.md"]) write(top, name);
    expect(await state()).toBe(before);
    write(top, "a/tasks.md");
    expect(await state()).not.toBe(before);
  });

  it("covers the whole repository from a workspace below its top", async () => {
    const { top } = sample();
    const state = stateOf(join(top, "src"), join(top, "spec"));
    const before = await state();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    expect(await state()).toBe(before);
    write(top, "other/b.ts");
    expect(await state()).not.toBe(before);
    expect(await state()).toBe(await stateOf(top)());
  });

  it("resolves links to the workspace and to the spec", async () => {
    const { top } = sample();
    const link = join(temporaryFolder(), "link");
    symlinkSync(top, link);
    const state = stateOf(link);
    const before = await state();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    expect(await state()).toBe(before);
    expect(before).toBe(await stateOf(top)());
  });

  it("names states before the first commit", async () => {
    const top = repository(0);
    const state = stateOf(top);
    const empty = await state();
    write(top, "a.ts");
    const made = await state();
    inFolder(top, "add", "--all");
    expect(await state()).toBe(made);
    expect(made).not.toBe(empty);
    commitAll(top);
    expect(new Set([empty, made, await state()]).size).toBe(3);
  });

  it("covers changes in submodules and nested repositories", async () => {
    const { top } = sample();
    const nested = join(top, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q", "-b", "main");
    write(nested, "a.ts");
    commitAll(nested);
    const state = stateOf(top);
    const untracked = await state();
    write(nested, "a.ts", "A\n");
    const dirty = await state();
    commitAll(nested);
    const names = [untracked, dirty, await state()];
    inFolder(top, "-c", "advice.addEmbeddedRepo=false", "add", "nested");
    inFolder(top, "commit", "-q", "-m", "nested");
    const committed = await state();
    write(nested, "a.ts", "B\n");
    names.push(committed, await state());
    expect(new Set(names).size).toBe(names.length);
    write(nested, "a.ts", "A\n");
    expect(await state()).toBe(committed);
  });

  it("accepts unreadable, special and too large files", async () => {
    const { top } = sample();
    const state = stateOf(top);
    const before = await state();
    unlinkSync(join(top, "src/a.ts"));
    execFileSync("mkfifo", [join(top, "src/a.ts")]);
    const pipe = await state();
    expect(pipe).not.toBe(before);
    expect(await state()).toBe(pipe);
    write(top, "closed");
    chmodSync(join(top, "closed"), 0);
    const closed = await state();
    expect(closed).not.toBe(pipe);
    expect(await state()).toBe(closed);
    write(top, "large", "");
    truncateSync(join(top, "large"), 17 * 1024 * 1024);
    touch(join(top, "large"));
    const large = await state();
    writeFileSync(join(top, "large"), "x", { flag: "r+" });
    touch(join(top, "large"));
    expect(await state()).toBe(large);
    truncateSync(join(top, "large"), 18 * 1024 * 1024);
    touch(join(top, "large"));
    expect(await state()).not.toBe(large);
  });

  it("starts git for the configuration and the status, and once more for a new commit", async () => {
    const { top } = sample();
    write(top, "src/a.ts", "A\n");
    const calls = countCalls();
    await stateOf(top)();
    expect(calls()).toBe(3);
    await stateOf(top)();
    expect(calls()).toBe(5);
  });

  it("names a tree with more files than are read", async () => {
    const top = repository();
    mkdirSync(join(top, "many"));
    for (let n = 10_000; n < 15_010; n++) writeFileSync(join(top, "many", `${n}`), "x");
    const state = stateOf(top);
    const before = await state();
    touch(join(top, "many/10000"));
    expect(await state()).toBe(before);
    touch(join(top, "many/15009"));
    expect(await state()).not.toBe(before);
  });

  it("has no name if git fails", async () => {
    const { top } = sample();
    writeFileSync(join(top, ".git/index"), "nonsense");
    expect(await stateOf(top)("src/a.ts")).toBeNull();
  });
});

describe("fileState without a repository", () => {
  it("counts every file below the workspace, declared or not", async () => {
    const workspace = temporaryFolder();
    const state = stateOf(workspace);
    const empty = await state();
    expect(empty).toMatch(/^[0-9a-f]{16}$/);
    expect(await state("../x", "/etc/passwd", "a/../../x", "spec/tasks.md", "a\0b")).toBe(empty);
    write(workspace, "src/deep/a.ts", "A\n");
    const made = await state();
    expect(made).not.toBe(empty);
    touch(join(workspace, "src/deep/a.ts"));
    expect(await state()).toBe(made);
    write(workspace, "src/deep/a.ts", "B\n");
    expect([empty, made]).not.toContain(await state());
    rmSync(join(workspace, "src"), { recursive: true });
    expect(await state()).toBe(empty);
  });

  const three = (): string => {
    const workspace = temporaryFolder();
    for (const path of ["src/a.ts", "src/b.ts"]) write(workspace, path);
    return workspace;
  };

  it.each([
    ["entries", 2, [0, 0, 0, 0]],
    ["milliseconds", 3, [0, 50, 50, 51]],
  ])(
    "counts only declared paths, and reports it once, if there are more %s than allowed",
    async (_, entries, times) => {
      const workspace = three();
      const told: string[] = [];
      const name = fileState({
        workspace,
        specFolder: join(workspace, "spec"),
        limits: { entries, milliseconds: 50, now: () => times.shift() ?? 0 },
        onTooMuch: () => told.push("too much"),
      });
      // The previous state may cover all files, so a state of declared paths is not comparable with it.
      expect(await name(["src/a.ts"])).toBeNull();
      const before = await name(["src/a.ts"]);
      expect(told).toEqual(["too much"]);
      write(workspace, "src/b.ts", "other\n");
      expect(await name(["src/a.ts"])).toBe(before);
      write(workspace, "src/a.ts", "other\n");
      expect(await name(["src/a.ts"])).not.toBe(before);
      expect(await name([])).toBeNull();
      expect(told).toEqual(["too much"]);
    },
  );

  it("counts every file up to the limits", async () => {
    const workspace = three();
    const times = [0, 50, 50, 50];
    const limits = { entries: 3, milliseconds: 50, now: () => times.shift() ?? 0 };
    const onTooMuch = (): void => expect.unreachable("reported too much, though nothing exceeds the limits");
    const name = fileState({ workspace, specFolder: join(workspace, "spec"), limits, onTooMuch });
    const before = await name([]);
    write(workspace, "src/b.ts", "other\n");
    expect(await name([])).not.toBe(before);
  });

  it("reads the contents of declared files, whatever their order and time", async () => {
    const workspace = temporaryFolder();
    write(workspace, "a.ts", "A\n");
    write(workspace, "b.ts", "B\n");
    const state = stateOf(workspace);
    const before = await state("a.ts", "b.ts");
    expect(before).toMatch(/^[0-9a-f]{16}$/);
    expect(await state("b.ts", "./a.ts", "a.ts", join(workspace, "a.ts"))).toBe(before);
    touch(join(workspace, "a.ts"));
    expect(await state("a.ts", "b.ts")).toBe(before);
    write(workspace, "a.ts", "other\n");
    expect(await state("a.ts", "b.ts")).not.toBe(before);
    write(workspace, "a.ts", "A\n");
    expect(await state("a.ts", "b.ts")).toBe(before);
  });

  it("counts files that do not exist yet", async () => {
    const workspace = temporaryFolder();
    const state = stateOf(workspace);
    const missing = await state("a.ts");
    expect(missing).not.toBeNull();
    write(workspace, "a.ts", "");
    expect(await state("a.ts")).not.toBe(missing);
    expect(await state("x".repeat(5000))).not.toBeNull();
  });

  it("reads folders and patterns, but no dependencies, links and spec files", async () => {
    const workspace = temporaryFolder();
    write(workspace, "src/deep/a.ts");
    write(workspace, "lib/[id]/a.ts");
    const state = stateOf(workspace);
    for (const declared of ["src", "src/", "src/**/*.ts", "src/{a,b}.ts", "*.ts", "."]) {
      const before = await state(declared);
      write(workspace, "src/node_modules/a.js", `${declared}\n`);
      write(workspace, "src/.git/a", `${declared}\n`);
      write(workspace, "spec/tasks.md", `${declared}\n`);
      expect(await state(declared), declared).toBe(before);
      write(workspace, "src/deep/a.ts", `${declared}\n`);
      expect(await state(declared), declared).not.toBe(before);
    }
  });

  it("follows no link, out of the workspace or in cycles", async () => {
    const workspace = temporaryFolder();
    const outside = temporaryFolder();
    write(outside, "secret");
    symlinkSync(outside, join(workspace, "out"));
    symlinkSync(".", join(workspace, "circle"));
    const state = stateOf(workspace);
    expect(await state("out/secret")).toBe(await state());
    const before = await state("out", "circle", ".");
    write(outside, "secret", "other");
    expect(await state("out", "circle", ".")).toBe(before);
  });

  it("is the fallback if git is missing or does not accept the repository", async () => {
    const { top } = sample();
    writeFileSync(join(top, ".git/HEAD"), "nonsense\n");
    const state = stateOf(top);
    const before = await state("src/a.ts");
    writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/main\n");
    expect(await state("src/a.ts")).not.toBe(before);
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await state("src/a.ts")).toBe(before);
  });
});
