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
  ])("sees that %s and %s may be the same", (one, other) => {
    expect([pathsOverlap(one, other), pathsOverlap(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["src/a.ts", "src/a.tsx"],
    ["src/a", "src/ab/c.ts"],
    ["src/**", "test/a.ts"],
    ["src/**", "src2/a.ts"],
    ["a/b.ts", "b.ts"],
  ])("tells %s from %s", (one, other) => {
    expect([pathsOverlap(one, other), pathsOverlap(other, one)]).toEqual([false, false]);
  });
});

describe("covers", () => {
  it("goes from a folder to what lies in it, and not back", () => {
    expect([covers("src", "src/a.ts"), covers("src/a.ts", "src")]).toEqual([true, false]);
  });
});

describe("undeclaredFiles", () => {
  it("names changed files that Files does not name", () => {
    expect(undeclaredFiles(["src/a.ts", "src/ab.ts", "README.md"], ["src/a.ts"])).toEqual(["src/ab.ts", "README.md"]);
  });

  it("takes a folder for all that lies in it, and a pattern for what begins like it", () => {
    expect(undeclaredFiles(["src/a.ts", "test/a.ts", "docs/b.md"], ["src", "test/", "docs/*.md"])).toEqual([]);
  });

  it("asks nothing of a task without Files", () => {
    expect(undeclaredFiles(["b"], [])).toEqual([]);
  });
});
