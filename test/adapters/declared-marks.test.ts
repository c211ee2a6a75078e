import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredMarks } from "../../src/adapters/file-state.ts";
import { temporaryFolder } from "../support/folder.ts";
import { write } from "./git/sample-repository.ts";

// Hash as printed by `printf x | sha256sum`.
const file = "file:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

function sample() {
  const workspace = temporaryFolder();
  for (const path of ["a.ts", "lib/[id]/b.ts", "src/c.ts", "src/deep/d.ts", "spec/tasks.md"])
    write(workspace, path, "x");
  const spec = join(workspace, "spec");
  const marks = (...declared: string[]): string[] =>
    declaredMarks(workspace, declared, (path) => path === spec).map((line) => {
      const [, name = "", mark] = /^"(.*?)" (.*)$/.exec(line) ?? [];
      expect(`${workspace}/`.startsWith(name) || name.startsWith(`${workspace}/`), name).toBe(true);
      return `${name.slice(workspace.length + 1)} ${mark}`;
    });
  return { workspace, marks };
}

const below = ["src folder", `src/c.ts ${file}`, `src/deep/d.ts ${file}`];
const all = [" folder", `a.ts ${file}`, `lib/[id]/b.ts ${file}`, ...below.slice(1)];

describe("declaredMarks", () => {
  it.each<[string[], string[]]>([
    [[], []],
    [["a.ts"], [`a.ts ${file}`]],
    [["./a.ts", "a.ts", "src/../a.ts"], [`a.ts ${file}`]],
    [
      ["src/c.ts", "a.ts"],
      [`a.ts ${file}`, `src/c.ts ${file}`],
    ],
    [["none.ts"], ["none.ts missing"]],
    [["src"], below],
    [["src/*.ts"], below],
    [["src/**/d.ts"], below],
    [["src/{c,e}.ts"], below],
    [["src/[cd].ts"], below],
    [["src/c*"], below],
    [["src/*\nx"], below],
    [["*.ts"], all],
    [["c*/none.ts"], all],
    [["lib/[id]/b.ts"], [`lib/[id]/b.ts ${file}`]],
    [["lib/[id]"], ["lib/[id] folder", `lib/[id]/b.ts ${file}`]],
    [["lib/[id]/*"], ["lib folder", `lib/[id]/b.ts ${file}`]],
    [["none/*.ts"], ["none missing"]],
    [["spec"], []],
    [["spec/*.md"], []],
    [["..", "../a.ts", "/etc/passwd", "../*", "/*", "a\0b"], []],
    [["..a.ts"], ["..a.ts missing"]],
  ])("marks for %j", (declared, expected) => {
    expect(sample().marks(...declared)).toEqual(expected);
  });

  it("marks links but not their targets, and nothing on a path that leads out", () => {
    const { workspace, marks } = sample();
    const outside = temporaryFolder();
    write(outside, "secret");
    symlinkSync(outside, join(workspace, "out"));
    symlinkSync("src", join(workspace, "in"));
    expect(marks("out/secret", "out/none", "out/*")).toEqual([expect.stringMatching(/^out link:/)]);
    expect(marks("out", "in")).toEqual([expect.stringMatching(/^in link:/), expect.stringMatching(/^out link:/)]);
    expect(marks("in/c.ts")).toEqual([`in/c.ts ${file}`]);
  });
});
