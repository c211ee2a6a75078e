import { describe, expect, it } from "vitest";
import { covers, pathsOverlap, undeclaredFiles } from "../../src/model/paths.ts";

describe("pathsOverlap", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["src/x/../a.ts", "./src//a.ts"],
    ["src", "src/a.ts"],
    ["src/", "src/x/a.ts"],
    ["src/**", "src/a.ts"],
    ["src/*.ts", "src/a.ts"],
    ["src/a*", "src/ab.ts"],
    ["src/**", "src/x/*.ts"],
    [".", "src/a.ts"],
    ["./", "src/a.ts"],
    ["../..", "a"],
  ])("finds that %s and %s may overlap", (one, other) => {
    expect([pathsOverlap(one, other), pathsOverlap(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["src/a.ts", "src/a.tsx"],
    ["src/a", "src/ab/c.ts"],
    ["src/**", "test/a.ts"],
    ["src/**", "src2/a.ts"],
    ["a/b.ts", "b.ts"],
  ])("separates %s from %s", (one, other) => {
    expect([pathsOverlap(one, other), pathsOverlap(other, one)]).toEqual([false, false]);
  });
});

describe("covers", () => {
  it("holds from a folder to its content, but not in reverse", () => {
    expect([covers("src", "src/a.ts"), covers("src/a.ts", "src")]).toEqual([true, false]);
  });
});

describe("undeclaredFiles", () => {
  it("returns changed files that Files does not name", () => {
    expect(undeclaredFiles(["src/a.ts", "src/ab.ts", "README.md"], ["src/a.ts"])).toEqual(["src/ab.ts", "README.md"]);
  });

  it("treats a folder as all its content, and a pattern as its prefix", () => {
    expect(undeclaredFiles(["src/a.ts", "test/a.ts", "docs/b.md"], ["src", "test/", "docs/*.md"])).toEqual([]);
  });

  it("returns nothing for a task without Files", () => {
    expect(undeclaredFiles(["b"], [])).toEqual([]);
  });
});
