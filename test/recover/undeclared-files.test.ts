import { describe, expect, it } from "vitest";
import { undeclaredFiles } from "../../src/recover/undeclared-files.ts";

describe("undeclaredFiles", () => {
  it("names changed files that Files does not name", () => {
    expect(undeclaredFiles(["src/a.ts", "src/ab.ts", "README.md"], ["src/a.ts"], null)).toEqual([
      "src/ab.ts",
      "README.md",
    ]);
  });

  it("takes a folder for all that lies in it, and a pattern for what begins like it", () => {
    expect(undeclaredFiles(["src/a.ts", "test/a.ts", "docs/b.md"], ["src", "test/", "docs/*.md"], null)).toEqual([]);
  });

  it("asks nothing of the spec's own folder, nor of a task without Files", () => {
    expect(undeclaredFiles(["specs/s/tasks.md", "b"], ["a"], "specs/s")).toEqual(["b"]);
    expect(undeclaredFiles(["b"], [], null)).toEqual([]);
  });
});
