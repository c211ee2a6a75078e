import { describe, expect, it } from "vitest";
import { readPaths } from "../../../src/markdown/lint/find-shared-files.ts";

describe("readPaths", () => {
  it.each([
    ["`src/a.ts`", ["src/a.ts"]],
    ["src/a.ts, ./src/b.ts,src/a.ts", ["src/a.ts", "src/b.ts"]],
    ["`src/a.ts` (new, calls `lib.run`), `./src/b.ts:12-30`", ["src/a.ts", "src/b.ts"]],
    ["- Create: `src/a.ts`\n    - modify: src/b.ts\r\n    1. `c/`", ["src/a.ts", "src/b.ts", "c/"]],
    ["src/a.ts (new), (moved) src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["././src/a.ts, src/../b.ts, ../c.ts", ["src/a.ts", "src/../b.ts", "../c.ts"]],
    ["commands/{help,index}.md, a.md", ["commands/help.md", "commands/index.md", "a.md"]],
    ["`src/{a, b}/{c,d}.ts`", ["src/a/c.ts", "src/a/d.ts", "src/b/c.ts", "src/b/d.ts"]],
    ["{a,b}/{c,d}/{e,f}.ts, x/{id}/y.ts", ["x/{id}/y.ts"]],
    ["src/[id]/page.tsx, tests/*.py, ~/.config", ["src/[id]/page.tsx", "tests/*.py", "~/.config"]],
  ])("finds in %j", (value, paths) => {
    expect(readPaths(value)).toEqual(paths);
  });

  it.each([
    "",
    "(none - verification only)",
    "N/A",
    "All four command files",
    "`parser`",
    "see docs/a.md",
    "`a.md` (read only)",
    "https://example.com/a.html",
    "...",
    "./",
  ])("finds none in %j", (value) => {
    expect(readPaths(value)).toEqual([]);
  });
});
