import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { confinedPath, makeFolder, wayInside } from "../../../src/adapters/files/folder.ts";
import { temporaryFolder } from "../../support/folder.ts";

function sample() {
  const outer = temporaryFolder();
  const [real, workspace] = [join(outer, "real"), join(outer, "workspace")];
  mkdirSync(join(real, "docs"), { recursive: true });
  mkdirSync(join(outer, "real-beside"));
  writeFileSync(join(real, "docs", "a.md"), "");
  for (const [from, to] of [
    ["workspace", "real"],
    ["real/out", ".."],
    ["real/beside", "../real-beside"],
    ["real/in", "docs"],
    ["real/a-link", "docs/a.md"],
    ["real/git", ".git"],
  ] as const) {
    symlinkSync(to, join(outer, from));
  }
  mkdirSync(join(real, ".git"));
  return { outer, real, workspace };
}

describe("confinedPath", () => {
  it.each([
    ["docs/a.md", "docs/a.md"],
    ["docs/b.md", "docs/b.md"],
    ["new/folder/b.md", "new/folder/b.md"],
    ["in/b.md", "docs/b.md"],
    ["a-link", "docs/a.md"],
    ["..b.md", "..b.md"],
    ["docs/../x", "x"],
    [".github/x", ".github/x"],
  ])("returns where %s is", (path, place) => {
    const { real, workspace } = sample();
    expect(confinedPath(path, workspace)).toBe(join(real, place));
    expect(confinedPath(join(workspace, path), workspace)).toBe(join(real, place));
    expect(confinedPath(join(real, path), workspace)).toBe(join(real, place));
  });

  it.each([
    "../x",
    "/etc/x",
    "out/x",
    "out/real-beside/x",
    "beside/x",
    ".",
    "out",
    ".git/x",
    "git/x",
    "a/.Git",
    "a\0b",
  ])("refuses %j", (path) => {
    const { workspace } = sample();
    const told = { code: "report-outside", message: expect.stringContaining(`\`${path}\``) };
    expect(() => confinedPath(path, workspace)).toThrow(expect.objectContaining(told));
  });

  it("refuses a file next to the workspace whose path has the same prefix", () => {
    const { outer, workspace } = sample();
    expect(() => confinedPath(join(outer, "real-beside", "x"), workspace)).toThrow(
      expect.objectContaining({ code: "report-outside" }),
    );
  });
});

describe("wayInside", () => {
  it.each([
    ["/a/b", "b"],
    ["/a/b/c", "b/c"],
    ["/a", null],
    ["/ab", null],
    ["/", null],
    ["/a/..b", "..b"],
  ])("from /a to %s is %j", (path, way) => {
    expect(wayInside("/a", path)).toBe(way);
  });
});

describe("makeFolder", () => {
  it("creates a folder with its parents, which may exist", () => {
    const path = join(temporaryFolder(), "a", "b");
    makeFolder(path);
    makeFolder(path);
    expect(existsSync(path)).toBe(true);
  });

  it.skipIf(!existsSync("/proc/self"))("ends if the system reports an existing parent as missing", () => {
    for (const path of ["/proc/none", "/proc/none/folder"]) {
      expect(() => makeFolder(path), path).toThrow(/^ENOENT: .* '\/proc\/none'$/);
    }
  });
});
