import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSnapshots } from "../../../src/adapters/git/trees/snapshots.ts";
import { type OpenTrees, trees } from "../../../src/adapters/git/trees.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { someCases } from "../../support/some-cases.ts";
import { commitAll, inFolder, repository, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Place {
  readonly workspace: string;
  readonly folder: string;
  readonly open: (onUnknown?: (reason: string) => void) => OpenTrees;
}

function fill(workspace: string): void {
  write(workspace, ".gitignore", "build/\n*.log\nshown\n");
  write(workspace, "specs/s/tasks.md", "- [ ] 1.1 A\n");
  write(workspace, "a.txt", "a\n");
  write(workspace, "src/b.txt", "b\n");
  write(workspace, "src/deep/c.txt", "c\n");
  write(workspace, "build/out.txt", "out\n");
  symlinkSync("a.txt", join(workspace, "link"));
}

const at = (workspace: string, specFolder = join(workspace, "specs/s")): Place => {
  const folder = join(temporaryFolder(), "trees");
  return { workspace, folder, open: (onUnknown = () => {}) => trees({ workspace, specFolder, folder, onUnknown }) };
};

const places: Readonly<Record<string, () => Place>> = {
  "without a repository": () => {
    const workspace = temporaryFolder();
    fill(workspace);
    return at(workspace);
  },
  "in a repository": () => {
    const workspace = repository(0);
    fill(workspace);
    commitAll(workspace);
    return at(workspace);
  },
  "in a repository without a commit": () => {
    const workspace = repository(0);
    fill(workspace);
    return at(workspace);
  },
  "below the top of a repository": () => {
    const top = repository(0);
    fill(join(top, "packages/a b"));
    rmSync(join(top, "packages/a b/.gitignore"));
    write(top, ".gitignore", "build/\n*.log\nshown\n");
    commitAll(top);
    write(top, "above.txt");
    return at(join(top, "packages/a b"));
  },
  "in an ignored folder of a repository": () => {
    const top = repository(0);
    write(top, ".gitignore", "tmp/\n");
    commitAll(top);
    fill(join(top, "tmp/w"));
    return at(join(top, "tmp/w"));
  },
  "in a linked worktree": () => {
    const top = repository(0);
    fill(top);
    commitAll(top);
    const workspace = join(temporaryFolder(), "linked");
    inFolder(top, "worktree", "add", "-q", workspace);
    return at(workspace);
  },
  "in a repository of SHA-256": () => {
    const workspace = temporaryFolder();
    inFolder(workspace, "init", "-q", "--object-format=sha256");
    fill(workspace);
    commitAll(workspace);
    return at(workspace);
  },
};

function filesIn(folder: string, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const name = path === "" ? entry.name : `${path}/${entry.name}`;
    if ([".git", "build", ".fixpoint"].includes(entry.name) || name === "specs/s" || name.endsWith(".log")) continue;
    if (entry.isDirectory()) for (const [each, text] of filesIn(folder, name)) found.set(each, text);
    else if (entry.isSymbolicLink()) found.set(name, readlinkSync(join(folder, name)));
    else found.set(name, readFileSync(join(folder, name), "utf8"));
  }
  return found;
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }));
}

const edits: Readonly<Record<string, (workspace: string) => () => void>> = {
  "a new file": (workspace) => {
    write(workspace, "new.txt");
    return () => rmSync(join(workspace, "new.txt"));
  },
  "a file in a new folder": (workspace) => {
    write(workspace, "x/y/new.txt");
    return () => rmSync(join(workspace, "x"), { recursive: true });
  },
  "a tracked file with another text": (workspace) => {
    write(workspace, "src/b.txt", "changed\n");
    return () => write(workspace, "src/b.txt", "b\n");
  },
  "a text of the same size, with the times of the previous one": (workspace) => {
    const path = join(workspace, "a.txt");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "A\n");
    utimesSync(path, atime, mtime);
    return () => writeFileSync(path, "a\n");
  },
  "a removed file": (workspace) => {
    rmSync(join(workspace, "src/deep/c.txt"));
    return () => write(workspace, "src/deep/c.txt", "c\n");
  },
  "a file with another name": (workspace) => {
    renameSync(join(workspace, "a.txt"), join(workspace, "z.txt"));
    return () => renameSync(join(workspace, "z.txt"), join(workspace, "a.txt"));
  },
  "line endings": (workspace) => {
    write(workspace, "a.txt", "a\r\n");
    return () => write(workspace, "a.txt", "a\n");
  },
  "line endings that attributes would normalize": (workspace) => {
    write(workspace, ".gitattributes", "* text=auto eol=lf\n");
    write(workspace, "a.txt", "a\r\n");
    return () => {
      write(workspace, "a.txt", "a\n");
      rmSync(join(workspace, ".gitattributes"));
    };
  },
  "a link to somewhere else": (workspace) => {
    rmSync(join(workspace, "link"));
    symlinkSync("src", join(workspace, "link"));
    return () => {
      rmSync(join(workspace, "link"));
      symlinkSync("a.txt", join(workspace, "link"));
    };
  },
  "a file in place of a folder": (workspace) => {
    rmSync(join(workspace, "src/deep"), { recursive: true });
    write(workspace, "src/deep", "file\n");
    return () => {
      rmSync(join(workspace, "src/deep"));
      write(workspace, "src/deep/c.txt", "c\n");
    };
  },
  "a folder in place of a file": (workspace) => {
    rmSync(join(workspace, "a.txt"));
    write(workspace, "a.txt/in.txt");
    return () => {
      rmSync(join(workspace, "a.txt"), { recursive: true });
      write(workspace, "a.txt", "a\n");
    };
  },
  "a name with a line break, quotes and patterns": (workspace) => {
    write(workspace, 'odd\n"*[a]?\\\t.txt');
    return () => rmSync(join(workspace, 'odd\n"*[a]?\\\t.txt'));
  },
  "a name that looks like an option": (workspace) => {
    write(workspace, "--force");
    return () => rmSync(join(workspace, "--force"));
  },
  "a file that is no longer ignored": (workspace) => {
    write(workspace, "src/.gitignore", "!shown\n");
    write(workspace, "src/shown");
    return () => {
      rmSync(join(workspace, "src/.gitignore"));
      rmSync(join(workspace, "src/shown"));
    };
  },
};

const same: Readonly<Record<string, (workspace: string) => void>> = {
  nothing: () => {},
  "a touched file": (workspace) => utimesSync(join(workspace, "a.txt"), 1, 1),
  "a file that is rewritten with the same text": (workspace) => {
    rmSync(join(workspace, "src/b.txt"));
    write(workspace, "src/b.txt", "b\n");
  },
  "the spec's files": (workspace) => write(workspace, "specs/s/tasks.md", "- [x] 1.1 A\n"),
  "run data": (workspace) => write(workspace, "src/.fixpoint/run-1/x"),
  "ignored files": (workspace) => {
    write(workspace, "build/out.txt", "other\n");
    write(workspace, "src/x.log");
  },
  "an empty folder": (workspace) => {
    mkdirSync(join(workspace, "empty"));
  },
  "a pipe": (workspace) => {
    execFileSync("mkfifo", [join(workspace, "pipe")]);
  },
  "a nested repository without a commit": (workspace) => {
    mkdirSync(join(workspace, "nested"));
    inFolder(join(workspace, "nested"), "init", "-q");
    write(workspace, "nested/a.txt");
  },
};

const casesIn = <Case>(kind: string, cases: Readonly<Record<string, Case>>) => {
  const all = Object.entries(cases);
  const others = Object.keys(places).filter((each) => each !== "in a repository");
  return kind === "in a repository" ? all : someCases(all, others.length, others.indexOf(kind));
};
const anew = new Set(someCases([...Object.keys(edits), ...Object.keys(same)], 6));

const readIn = ["without a repository", "in a repository", "below the top of a repository"];

describe.each(Object.entries(places))("trees %s", (kind, make) => {
  const isAnew = (act: string): boolean => kind === "in a repository" && anew.has(act);

  it("give the same name after an act that does not change the content", async () => {
    const { workspace, open } = make();
    const content = open();
    const name = await content.now();
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    for (const [act, run] of casesIn(kind, same)) {
      run(workspace);
      expect([act, await content.now()]).toEqual([act, name]);
      if (isAnew(act)) expect([act, await open().now()]).toEqual([act, name]);
    }
  });

  it("give another name after an edit, and list the changes", async () => {
    const { workspace, open } = make();
    const content = open();
    const name = (await content.now()) ?? "";
    const files = filesIn(workspace);
    for (const [edit, run] of casesIn(kind, edits)) {
      const undo = run(workspace);
      const other = (await content.now()) ?? "";
      expect([edit, other]).not.toEqual([edit, name]);
      if (isAnew(edit)) expect([edit, await open().now()]).toEqual([edit, other]);
      expect([edit, await content.changes(name, other)]).toEqual([edit, differing(files, filesIn(workspace))]);
      undo();
      expect([edit, await content.now()]).toEqual([edit, name]);
    }
    expect(await content.changes(name, name)).toEqual([]);
  });

  it("give the same name in a later start, and leave no index after a close", async () => {
    const { workspace, folder, open } = make();
    const once = async (content = open()): Promise<string | null> => {
      const name = await content.now();
      content.close();
      return name;
    };
    const name = await once();
    for (const [act, run] of casesIn(kind, edits)) {
      const undo = run(workspace);
      const other = await once();
      expect([act, other]).not.toEqual([act, name]);
      if (isAnew(act)) expect([act, other]).toEqual([act, await open().now()]);
      undo();
      expect([act, await once()]).toEqual([act, name]);
      if (isAnew(act)) for (const left of indexesIn(folder)) rmSync(join(folder, left));
    }
    for (const [act, run] of casesIn(kind, same)) {
      run(workspace);
      expect([act, await once()]).toEqual([act, name]);
    }
    expect(indexesIn(folder)).toEqual([]);
  });

  if (!readIn.includes(kind)) return;

  it("read files of an earlier tree", async () => {
    const { workspace, open } = make();
    const content = open();
    const name = (await content.now()) ?? "";
    rmSync(join(workspace, "src"), { recursive: true });
    const paths = ["src/deep/c.txt", "link", "src", "gone.txt", "../above.txt", "specs/s/tasks.md", ""];
    const texts = ["c\n", "a.txt", null, null, null, null, null];
    expect([...(await content.read(name, paths))]).toEqual(paths.map((path, at) => [path, texts[at]]));
    const many = Array.from({ length: 300 }, (_, n) => `n${n}.txt`);
    expect((await content.read(name, [...many, "a.txt"])).get("a.txt")).toBe("a\n");
  });
});

const indexesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith("index-"));

const sample = (): Place & { readonly workspace: string } => (places["in a repository"] as () => Place)();

function marksOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => {
    const { mtimeMs, size } = lstatSync(join(entry.parentPath, entry.name));
    return `${entry.parentPath}/${entry.name} ${size} ${mtimeMs}`;
  });
}

const unlisted: Readonly<Record<string, (workspace: string) => void>> = {
  "an ignored file is tracked": (workspace) => void inFolder(workspace, "add", "-f", "build/out.txt"),
  "a rule is added in .git": (workspace) => write(workspace, ".git/info/exclude", "a.txt.bak\n"),
};

it.each(Object.entries(unlisted))("give the same name as a fresh store if %s between two starts", async (_, change) => {
  const { workspace, open } = sample();
  write(workspace, "a.txt.bak", "bak\n");
  const before = open();
  await before.now();
  before.close();
  change(workspace);
  const [next, anew] = [open(), at(workspace).open()];
  expect(await next.now()).toBe(await anew.now());
});

describe("trees", () => {
  it("list new files that a rule in .git would hide", async () => {
    const { workspace, open } = sample();
    const content = open();
    const before = (await content.now()) ?? "";
    write(workspace, ".git/info/exclude", "conftest.py\n");
    write(workspace, "conftest.py", "collect_ignore = []\n");
    const after = (await content.now()) ?? "";
    expect((await content.changes(before, after))?.map(({ path }) => path)).toEqual(["conftest.py"]);
  });

  it("list changes after the repository was removed", async () => {
    const { workspace, open } = sample();
    const content = open();
    const before = (await content.now()) ?? "";
    rmSync(join(workspace, ".git"), { recursive: true });
    write(workspace, "a.txt", "b\n");
    const after = (await content.now()) ?? "";
    expect(await content.changes(before, after)).toEqual([{ path: "a.txt", before: "a\n", after: "b\n" }]);
  });

  it("write nothing to the user's repository", async () => {
    const { workspace, open } = sample();
    const before = marksOf(join(workspace, ".git"));
    const content = open();
    const first = (await content.now()) ?? "";
    write(workspace, "a.txt", "b\n");
    const second = (await content.now()) ?? "";
    await content.changes(first, second);
    await content.read(first, ["a.txt"]);
    expect(marksOf(join(workspace, ".git"))).toEqual(before);
  });

  it("run no program that the repository, its attributes or the user name", async () => {
    const { workspace, open } = sample();
    const trace = join(temporaryFolder(), "trace");
    const script = writeScript(temporaryFolder(), "spy", `touch '${trace}'; cat`);
    for (const name of [
      "filter.spy.clean",
      "filter.spy.smudge",
      "filter.spy.process",
      "core.fsmonitor",
      "diff.spy.textconv",
    ])
      inFolder(workspace, "config", name, script);
    for (const hook of ["post-index-change", "reference-transaction"])
      writeScript(join(workspace, ".git/hooks"), hook, `touch '${trace}'`);
    const nested = join(workspace, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    inFolder(nested, "commit", "-q", "--allow-empty", "-m", "a");
    for (const name of ["core.fsmonitor", "filter.spy.clean"]) inFolder(nested, "config", name, script);
    write(workspace, ".gitattributes", "* filter=spy diff=spy ident\n");
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "filter.spy.clean");
    vi.stubEnv("GIT_CONFIG_VALUE_0", script);
    const content = open();
    const first = (await content.now()) ?? "";
    write(workspace, "a.txt", "$Id$\n");
    const second = (await content.now()) ?? "";
    expect(await content.changes(first, second)).toEqual([{ path: "a.txt", before: "a\n", after: "$Id$\n" }]);
    expect(() => lstatSync(trace)).toThrow("ENOENT");
  });

  it("include tracked files that are ignored, also when they are created again", async () => {
    const { workspace, open } = sample();
    write(workspace, "kept.log", "1\n");
    inFolder(workspace, "add", "-f", "kept.log");
    const content = open();
    const name = await content.now();
    write(workspace, "kept.log", "2\n");
    expect(await content.now()).not.toBe(name);
    rmSync(join(workspace, "kept.log"));
    const without = await content.now();
    expect(without).not.toBe(name);
    write(workspace, "kept.log", "1\n");
    expect(await content.now()).toBe(name);
  });

  it("include a tracked, ignored file when it replaces a folder again", async () => {
    const { workspace, open } = sample();
    const contents = open();
    await contents.now();
    rmSync(join(workspace, "a.txt"));
    write(workspace, "a.txt/inner");
    write(workspace, ".gitignore", "build/\n*.log\nshown\n*.txt\n");
    const before = (await contents.now()) as string;
    rmSync(join(workspace, "a.txt"), { recursive: true });
    write(workspace, "a.txt", "back\n");
    const after = (await contents.now()) as string;
    expect(await contents.changes(before, after)).toMatchObject([{ path: "a.txt", before: null, after: "back\n" }]);
  });

  it("include a tracked, ignored file when its folder replaces a link to an equal file again", async () => {
    const { workspace, open } = sample();
    for (const path of ["same.log", "logs/same.log"]) write(workspace, path, "same\n");
    inFolder(workspace, "add", "-f", "same.log", "logs");
    const contents = open();
    const before = await contents.now();
    rmSync(join(workspace, "logs"), { recursive: true });
    symlinkSync(".", join(workspace, "logs"));
    expect(await contents.now()).not.toBe(before);
    rmSync(join(workspace, "logs"));
    write(workspace, "logs/same.log", "same\n");
    expect(await contents.now()).toBe(before);
  });

  it("are compared without the lines of a file that is too large for the output of git", async () => {
    const { workspace, folder, open } = sample();
    const contents = open();
    write(workspace, "large.txt", "line\n".repeat(14_000_000));
    const before = (await contents.now()) as string;
    write(workspace, "large.txt", "other\n");
    const after = (await contents.now()) as string;
    const snapshots = await openSnapshots(folder, join(workspace, "specs/s"));
    expect(await snapshots?.diff(before, after)).toContain("Binary files a/large.txt and b/large.txt differ");
  });

  it("exclude the leftovers of a killed restore", async () => {
    const { workspace, open } = sample();
    const contents = open();
    const before = await contents.now();
    write(workspace, "src/.fixpoint-restore.tmp");
    expect(await contents.now()).toBe(before);
  });

  it("exclude a file as soon as it is ignored", async () => {
    const { workspace, open } = sample();
    const content = open();
    write(workspace, "made.txt");
    await content.now();
    write(workspace, ".gitignore", "build/\n*.log\nshown\nmade.txt\n");
    const name = await content.now();
    rmSync(join(workspace, "made.txt"));
    expect(await content.now()).toBe(name);
  });

  it("do not remove a file that is ignored by now, even if the rule is in an ignored file", async () => {
    const { workspace, open } = sample();
    const contents = open();
    const before = (await contents.now()) as string;
    write(workspace, "new/kept.txt");
    await contents.now();
    write(workspace, "new/.gitignore", "*\n");
    const after = (await contents.now()) as string;
    const restored = await contents.restore(after, before, ["new/kept.txt"]);
    expect(restored).toMatchObject({ removed: [], left: [{ path: "new/kept.txt", why: "it is ignored" }] });
    expect(readFileSync(join(workspace, "new/kept.txt"), "utf8")).toBe("new/kept.txt\n");
  });

  it("do not remove a file that was ignored in the wanted content, even if its rule does not come back", async () => {
    const { workspace, open } = sample();
    const contents = open();
    write(workspace, "build/secret");
    write(workspace, "src/.gitignore", "own\n");
    write(workspace, "src/own");
    const before = (await contents.now()) as string;
    write(workspace, ".gitignore", "");
    write(workspace, "src/.gitignore", "");
    write(workspace, "src/made.txt");
    const after = (await contents.now()) as string;
    const restored = await contents.restore(after, before, ["build/secret", "src/own", "src/made.txt"]);
    const why = "it was ignored in the state to restore";
    expect(restored).toEqual({
      written: [],
      removed: ["src/made.txt"],
      left: [
        { path: "build/secret", why },
        { path: "src/own", why },
      ],
    });
    expect(readFileSync(join(workspace, "build/secret"), "utf8")).toBe("build/secret\n");
  });

  it("do not remove an ignore list that was ignored in the wanted content", async () => {
    const { workspace, open } = sample();
    const contents = open();
    write(workspace, "build/.gitignore", "x\n");
    const before = (await contents.now()) as string;
    write(workspace, ".gitignore", "");
    const after = (await contents.now()) as string;
    const restored = await contents.restore(after, before, [".gitignore", "build/.gitignore"]);
    expect(restored).toMatchObject({ written: [".gitignore"], removed: [], left: [{ path: "build/.gitignore" }] });
  });

  it("do not remove a file that rules above the workspace ignored in the wanted content", async () => {
    const { workspace, folder } = sample();
    const contents = trees({ workspace: join(workspace, "src"), specFolder: join(workspace, "specs/s"), folder });
    write(workspace, "src/secret.log");
    const before = (await contents.now()) as string;
    write(workspace, "src/.gitignore", "!*.log\n");
    const after = (await contents.now()) as string;
    expect(await contents.restore(after, before, ["secret.log"])).toMatchObject({ removed: [] });
  });

  it("put a link back over a folder with the leftover of a killed restore", async () => {
    const { workspace, open } = sample();
    const contents = open();
    symlinkSync("nowhere", join(workspace, "away"));
    const before = (await contents.now()) as string;
    rmSync(join(workspace, "away"));
    write(workspace, "away/.fixpoint-restore.tmp");
    const after = (await contents.now()) as string;
    expect(await contents.restore(after, before, ["away"])).toMatchObject({ written: ["away"], left: [] });
    expect(readlinkSync(join(workspace, "away"))).toBe("nowhere");
  });

  it("exclude files that the ignore lists of the repository and the user name", async () => {
    const { workspace, open } = sample();
    const list = join(temporaryFolder(), "ignore");
    writeFileSync(list, "*.swp\n");
    inFolder(workspace, "config", "core.excludesFile", list);
    writeFileSync(join(workspace, ".git/info/exclude"), "/private\n");
    const content = open();
    const name = await content.now();
    write(workspace, "a.swp");
    write(workspace, "private");
    expect(await content.now()).toBe(name);
    write(workspace, "src/private");
    expect(await content.now()).not.toBe(name);
  });

  it("name a nested repository and a submodule by their HEAD", async () => {
    const { workspace, open } = sample();
    const nested = join(workspace, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    inFolder(nested, "commit", "-q", "--allow-empty", "-m", "a");
    inFolder(workspace, "-c", "advice.addEmbeddedRepo=false", "add", "nested");
    const content = open();
    const name = (await content.now()) ?? "";
    write(nested, "a.txt");
    expect(await content.now()).toBe(name);
    inFolder(nested, "commit", "-q", "--allow-empty", "-m", "b");
    const other = (await content.now()) ?? "";
    expect(await content.changes(name, other)).toEqual([{ path: "nested", before: "", after: "", unread: true }]);
  });

  it("list changed modes, and no text of binary or too large files", async () => {
    const { workspace, open } = sample();
    const content = open();
    const first = (await content.now()) ?? "";
    chmodSync(join(workspace, "a.txt"), 0o755);
    writeFileSync(join(workspace, "binary"), Buffer.from([0, 1, 255]));
    write(workspace, "large.txt", "x".repeat(256 * 1024 + 1));
    write(workspace, "fits.txt", "x".repeat(256 * 1024));
    const second = (await content.now()) ?? "";
    expect(await content.changes(first, second)).toEqual([
      { path: "a.txt", before: "a\n", after: "a\n" },
      { path: "binary", before: null, after: "", unread: true },
      { path: "fits.txt", before: null, after: "x".repeat(256 * 1024) },
      { path: "large.txt", before: null, after: "", unread: true },
    ]);
    chmodSync(join(workspace, "a.txt"), 0o644);
    expect(await content.changes(second, (await content.now()) ?? "")).toEqual([
      { path: "a.txt", before: "a\n", after: "a\n", isNoProgram: true },
    ]);
  });

  it("list an empty file", async () => {
    const { workspace, open } = sample();
    const content = open();
    const first = (await content.now()) ?? "";
    write(workspace, "pytest.py", "");
    const found = await content.changes(first, (await content.now()) ?? "");
    expect(found).toEqual([{ path: "pytest.py", before: null, after: "" }]);
  });

  it("return the texts of 500 files, and list the others", async () => {
    const { workspace, open } = sample();
    write(workspace, "z.txt");
    const content = open();
    const first = (await content.now()) ?? "";
    for (let n = 0; n < 501; n++) write(workspace, `n/${String(n).padStart(3, "0")}`);
    write(workspace, "z.txt", "changed\n");
    const found = await content.changes(first, (await content.now()) ?? "");
    const unread = found?.filter((each) => each.unread === true).map(({ path }) => path);
    expect([found?.length, unread]).toEqual([502, ["n/499", "n/500"]]);
  });

  it("accept names that are not UTF-8", async () => {
    const { workspace, open } = sample();
    const content = open();
    const name = await content.now();
    const path = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0x66, 0xff])]);
    writeFileSync(path, "1\n");
    const other = await content.now();
    expect(other).not.toBe(name);
    writeFileSync(path, "2\n");
    expect(await content.now()).not.toBe(other);
    rmSync(path);
    expect(await content.now()).toBe(name);
  });

  it("know only trees that they have named", async () => {
    const { open } = sample();
    const content = open();
    const name = (await content.now()) ?? "";
    for (const other of ["", "HEAD", "--help", "0".repeat(40), `${name}^`]) {
      expect(await content.changes(name, other)).toBeNull();
      expect(await content.changes(other, name)).toBeNull();
      expect([...(await content.read(other, ["a.txt"]))]).toEqual([["a.txt", null]]);
    }
  });

  it("recover from the lock of a killed call and from a broken index", async () => {
    const workspace = temporaryFolder();
    fill(workspace);
    const folder = join(temporaryFolder(), "trees");
    const content = trees({ workspace, specFolder: join(workspace, "specs/s"), folder });
    const name = await content.now();
    const [index = ""] = readdirSync(folder).filter((each) => each.startsWith("index-"));
    writeFileSync(join(folder, `${index}.lock`), "");
    write(workspace, "b.txt");
    const other = await content.now();
    expect(other).not.toBeNull();
    writeFileSync(join(folder, index), "broken");
    expect(await content.now()).toBe(other);
    rmSync(join(workspace, "b.txt"));
    expect(await content.now()).toBe(name);
  });

  it("give concurrent calls and stores the same name", async () => {
    const { workspace, open } = sample();
    const [one, two] = [open(), open()];
    const names = await Promise.all([one.now(), two.now(), one.now(), two.now()]);
    expect(new Set(names).size).toBe(1);
    write(workspace, "a.txt", "b\n");
    const others = await Promise.all([one.now(), two.now()]);
    expect(new Set([...names, ...others]).size).toBe(2);
  });

  it("return null without git, and report it once", async () => {
    const { open } = sample();
    const told: string[] = [];
    const content = open((reason) => told.push(reason));
    vi.stubEnv("PATH", temporaryFolder());
    expect([await content.now(), await content.now()]).toEqual([null, null]);
    expect(await content.changes("0".repeat(40), "0".repeat(40))).toBeNull();
    expect(told).toEqual(["git cannot start"]);
  });

  it("return null if interrupted, and work afterwards", async () => {
    const { open } = sample();
    const content = open();
    const stop = new AbortController();
    const look = content.now(stop.signal);
    setTimeout(() => stop.abort(), 5);
    const [first, aborted] = [await look, await content.now(stop.signal)];
    expect(aborted).toBeNull();
    const name = await content.now();
    expect(name).not.toBeNull();
    expect([null, name]).toContain(first);
  });

  it("return null for a workspace with a file that git cannot read, and name the file", async () => {
    const { workspace, open } = sample();
    const told: string[] = [];
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const folder = temporaryFolder();
    // A script replaces git, because root could read the secret file.
    const says = `error: open("secret"): Permission denied\\nfatal: Unable to process path secret`;
    writeScript(
      folder,
      "git",
      `case "$*" in *--replace*) [ -e '${workspace}/secret' ] && { printf '${says}\\n' >&2; exit 128; };; esac\nexec '${real}' "$@"`,
    );
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    const content = open((reason) => told.push(reason));
    const name = await content.now();
    write(workspace, "secret");
    expect([await content.now(), await content.now()]).toEqual([null, null]);
    expect(told).toEqual([`error: open("secret"): Permission denied; fatal: Unable to process path secret`]);
    rmSync(join(workspace, "secret"));
    expect(await content.now()).toBe(name);
  });

  it("return null for too many files, and do not read again", async () => {
    const workspace = repository(0);
    fill(workspace);
    commitAll(workspace);
    const told: string[] = [];
    const place = {
      workspace,
      specFolder: join(workspace, "specs/s"),
      onUnknown: (reason: string) => told.push(reason),
    };
    const few = trees({ ...place, folder: temporaryFolder(), mostFiles: 4 });
    const enough = trees({ ...place, folder: temporaryFolder(), mostFiles: 5 });
    expect([await few.now(), await enough.now()]).toEqual([null, expect.any(String)]);
    write(workspace, "one/more");
    expect(await enough.now()).toBeNull();
    rmSync(join(workspace, "one"), { recursive: true });
    expect(await enough.now()).toBeNull();
    expect(told).toEqual(["more than 4 files below the workspace", "more than 5 files below the workspace"]);
  });

  it("keep objects that the user's repository prunes", async () => {
    const workspace = repository(0);
    fill(workspace);
    commitAll(workspace);
    inFolder(workspace, "repack", "-adq");
    const { open } = at(workspace);
    const content = open();
    const first = (await content.now()) ?? "";
    inFolder(workspace, "checkout", "-q", "--orphan", "other");
    inFolder(workspace, "rm", "-rfq", "--ignore-unmatch", ".");
    inFolder(workspace, "commit", "-q", "--allow-empty", "-m", "b");
    for (const branch of ["main", "master"]) inFolder(workspace, "update-ref", "-d", `refs/heads/${branch}`);
    inFolder(workspace, "reflog", "expire", "--expire=now", "--all");
    inFolder(workspace, "gc", "--prune=now", "-q");
    for (const kept of [content, open()]) {
      const changes = await kept.changes(first, (await kept.now()) ?? "");
      expect(changes?.find(({ path }) => path === "src/b.txt")).toEqual({
        path: "src/b.txt",
        before: "b\n",
        after: null,
      });
    }
  });

  it("return null for more bytes than one call may read", async () => {
    const workspace = repository(0);
    fill(workspace);
    commitAll(workspace);
    const told: string[] = [];
    const content = trees({
      ...{ workspace, specFolder: join(workspace, "specs/s"), folder: temporaryFolder(), mostBytes: 1000 },
      onUnknown: (reason) => told.push(reason),
    });
    const first = await content.now();
    write(workspace, "large.bin", "x".repeat(1001));
    expect([first, await content.now()]).toEqual([expect.any(String), null]);
    rmSync(join(workspace, "large.bin"));
    expect(await content.now()).toBe(first);
    expect(told).toEqual(["more than 1000 bytes in new and changed files"]);
  });

  it("exclude the spec's own files if the workspace is its folder", async () => {
    const workspace = temporaryFolder();
    write(workspace, "a.txt");
    const { open } = at(workspace, workspace);
    const content = open();
    const name = await content.now();
    for (const path of ["tasks.md", ".progress.md", ".ralph-state.json", "SUMMARY.md", ".fixpoint/x"])
      write(workspace, path);
    expect(await content.now()).toBe(name);
    write(workspace, "b.txt");
    expect(await content.now()).not.toBe(name);
  });
});
