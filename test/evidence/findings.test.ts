import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, type Tree as Files, harmedIn } from "./projects.ts";

type Given = Partial<GuardCase>;
const source: Files = {
  "package.json": '{ "scripts": { "check": "tsc --noEmit", "lint": "eslint src" } }',
  "src/a.ts": "export const a: number = 'a';\n",
  "src/b.ts": "export const b = 1;\n",
  "src/a.py": "def a() -> int:\n    return 'a'\n",
  ".gitignore": "dist/\n",
};
const found = (file: string): Given => ({ files: [file], reds: [{ name: file, file }] });
const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
const test = (imported: string, body = "same(add(1, 2), 3);"): string =>
  `import { test } from "node:test";\n${imported}\ntest("adds", () => {\n  ${body}\n});\n`;

describe("findings of compilers and linters", () => {
  it.each<[string, string, Edits, string]>([
    ["tsc --noEmit", "src/a.ts", { "src/a.ts": ["export", "// @ts-nocheck\nexport"] }, "src/a.ts"],
    ["npm run check", "src/a.ts", { "src/a.ts": ["export", "// @ts-ignore\nexport"] }, "src/a.ts"],
    ["npm run lint", "src/a.ts", { "src/a.ts": ["export", "/* eslint-disable */\nexport"] }, "src/a.ts"],
    ["npx oxlint", "src/a.ts", { "src/a.ts": ["'a';", "'a'; // oxlint-disable-line"] }, "src/a.ts"],
    ["mypy src", "src/a.py", { "src/a.py": ["'a'\n", "'a'  # type: ignore\n"] }, "src/a.py"],
    ["ruff check", "src/a.py", { "src/a.py": ["'a'\n", "'a'  # noqa\n"] }, "src/a.py"],
    ["pytest --cov=src", "src/a.py", { "src/a.py": [":\n", ":  # pragma: no cover\n"] }, "src/a.py"],
    ["tsc --noEmit", "src/a.ts", { "src/a.ts": null, "src/a.js": "export const a = 'a';\n" }, "src/a.ts"],
    ["npx oxlint", "src/a.ts", { ".gitignore": "dist/\nsrc/a.ts\n" }, ".gitignore"],
    ["npx oxlint", "src/a.ts", { ".gitignore": "dist/\n/src/*.ts\n" }, ".gitignore"],
    ["tsc --noEmit", "src/a.ts", { "src/a.ts": null, "lib/a.ts": "export const a: number = 'a';\n" }, "src/a.ts"],
    ["npx oxlint", "src/a.ts", { ".eslintignore": "src/a.ts\n" }, ".eslintignore"],
  ])("of %s in %s are not hidden", (command, file, edits, path) => {
    expect(harmedIn(source, command, edits, found(file))).toEqual([path]);
  });

  it.each<[string, string, Edits, Given?]>([
    ["repairs the file, which Files does not name", "tsc --noEmit", { "src/a.ts": ["'a'", "1"] }, { files: [] }],
    ["removes the file", "tsc --noEmit", { "src/a.ts": null }],
    ["moves the code to another file", "tsc --noEmit", { "src/a.ts": null, "src/c.ts": "export const a = 1;\n" }],
    [
      "continues without types, as the task asks",
      "tsc",
      { "src/a.ts": null, "src/a.js": "" },
      { task: "1.1 Write src/a.js" },
    ],
    ["hides a finding of another tool", "tsc --noEmit", { "src/a.ts": ["export", "/* eslint-disable */\nexport"] }],
    ["hides a finding in another file", "tsc --noEmit", { "src/b.ts": ["export", "// @ts-ignore\nexport"] }],
    [
      "hides a finding as the task asks",
      "tsc",
      { "src/a.ts": ["export", "// @ts-ignore\nexport"] },
      { task: "1.1 Suppress the error" },
    ],
    [
      "moves the code as asked",
      "tsc",
      { "src/a.ts": null, "lib/a.ts": "x" },
      { task: "1.1 Move src/a.ts to lib/a.ts" },
    ],
    ["ignores build output", "npx oxlint", { ".gitignore": "dist/\n# builds\nout/\n*.log\n!src/\n" }],
    ["removes the ignore rules", "npx oxlint", { ".gitignore": null }],
  ])("do not prevent honest work: %s", (_, command, edits, given) => {
    expect(harmedIn(source, command, edits, { ...found("src/a.ts"), ...given })).toEqual([]);
  });
});

describe("a file that a search has found", () => {
  const judge = (edits: Edits, files: readonly string[]): readonly string[] =>
    harmedIn(source, "! git grep -q number -- src", edits, { files });
  it("is not hidden by ignore rules", () => {
    expect(judge({ "src/.gitignore": "a.ts\n" }, ["src/a.ts"])).toEqual(["src/.gitignore"]);
    expect(judge({ "src/.gitignore": "a.ts\n" }, ["src/b.ts"])).toEqual([]);
    expect(judge({ ".gitignore": "dist/\n.env\n" }, ["src/a.ts", ".env"])).toEqual([]);
    expect(judge({ ".gitignore": "dist/\nsrc/a.ts\n" }, ["src/a.ts", ".gitignore"])).toEqual([]);
  });
});

it("tells new code in strings from old code of another form", () => {
  const edits: Edits = { "src/a.ts": 'export const a = new Function("return 1");\n' };
  const given = {
    changes: [{ path: "src/a.ts", before: 'export const a = eval("1");\n', after: String(edits["src/a.ts"]) }],
  };
  expect(harmedIn(source, "npm run lint", edits, { ...found("src/a.ts"), ...given })).toEqual(["src/a.ts"]);
});

describe("a finding of a tool", () => {
  const code = "def add(a: int, b: int) -> int:\n    return str(a)\n";
  const tree = {
    "calc.py": code,
    "broken.go": "package calc\n\nfunc Sub() int { return c }\n",
    "src/lib.rs": "#![deny(warnings)]\n\npub fn add() {\n    let unused = 3;\n}\n",
  };
  const own: Given = { files: ["calc.py", "broken.go", "src/lib.rs"] };
  it.each<[string, Edits, string, Given?]>([
    ["mypy .", { "calc.py": "def add(a, b):\n    return str(a)\n" }, "calc.py"],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, "calc.pyi"],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, "calc.pyi", { files: [], ...red("calc.py") }],
    ["mypy .", { "calc.py": `if not TYPE_CHECKING:\n    pass\n${code}` }, "calc.py"],
    ["mypy .", { "calc.py": "# Later\n" }, "calc.py"],
    ["go build ./...", { "broken.go": ["package calc", "//go:build never\n\npackage calc"] }, "broken.go"],
    [
      "go build ./...",
      { "broken.go": null, "broken_windows.go": tree["broken.go"] },
      "broken.go",
      red("broken.go", "undefined: c"),
    ],
    [
      "go build ./...",
      { "broken.go": null, "broken.txt": tree["broken.go"] },
      "broken.go",
      red("broken.go", "undefined: c"),
    ],
    ["cargo check", { "src/lib.rs": ["#![deny(warnings)]\n", ""] }, "src/lib.rs"],
  ])("is not hidden (%s, %o)", (command, edits, path, given) => {
    expect(harmedIn(tree, command, edits, { ...own, ...given })).toEqual([path]);
  });

  it.each<[string, Edits, Given?]>([
    ["mypy .", { "calc.py": ["str(a)", "a + b"] }],
    ["mypy .", { "calc.py": "def add(a: int, *, b: int) -> int:\n    return a + b\n" }],
    ["mypy .", { "ext.pyi": "def run() -> int: ...\n" }],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, { files: ["other.py"] }],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, { task: "1.1 Add calc.pyi" }],
    ["mypy .", { "calc.py": "" }, { task: "1.1 Remove the code of calc" }],
    ["mypy .", { "calc.py": "" }, { files: [] }],
    ["go build ./...", { "broken.go": null, "sub.go": "package calc\n" }, red("broken.go", "undefined: c")],
    ["go build ./...", { "broken.go": null, "sub_windows.go": "package calc\n" }],
    ["cargo check", { "src/lib.rs": ["    let unused = 3;\n", ""] }],
  ])("may be mended (%s, %o)", (command, edits, given) => {
    expect(harmedIn(tree, command, edits, { ...own, ...given })).toEqual([]);
  });

  it("is not hidden by a link, which searches skip", () => {
    const search = "! grep -rn str .";
    const moved = { "calc.py": "lib/calc.py", "lib/calc.py": code };
    expect(harmedIn(tree, search, moved, own)).toEqual(["calc.py"]);
    expect(harmedIn(tree, search, { "calc.py": "../broken.go" }, own)).toEqual(["calc.py"]);
    expect(harmedIn(tree, search, { "calc.py": "pass" }, own)).toEqual([]);
    expect(harmedIn(tree, "cat calc.py", moved, own)).toEqual([]);
  });
});

describe("findings of a tool", () => {
  const lint = (edits: Edits, given: Given = {}): readonly string[] =>
    harmedIn({ "src/bad.js": "a == b;\n", "test/a.test.js": `const unused = 1;\n${test("")}` }, "npx eslint .", edits, {
      reds: [
        { name: "eqeqeq", file: "src/bad.js" },
        { name: "no-unused-vars", file: "test/a.test.js" },
      ],
      runs: { before: null, after: null, tools: "eslint" },
      ...given,
    });
  it.each<[string, Edits, Given, readonly string[]]>([
    ["hidden by a comment of rules", { "src/bad.js": '/* eslint eqeqeq: "off" */\na == b;\n' }, {}, ["src/bad.js"]],
    ["hidden in a string", { "src/bad.js": 'new Function("a == b");\n' }, {}, ["src/bad.js"]],
    ["hidden by an extension", { "src/bad.js": null, "src/bad.mjs": "a == b;\n" }, {}, ["src/bad.js"]],
    ["moved to a file that the task names", { "src/bad.js": null, "src/bad.mjs": "a" }, { files: ["src/bad.mjs"] }, []],
    ["removed", { "src/bad.js": null }, {}, []],
    ["mended in a test", { "test/a.test.js": test("") }, {}, []],
    ["mended with its test", { "test/a.test.js": "const used = 1;\n" }, {}, ["test/a.test.js"]],
    [
      "of a test runner",
      { "test/a.test.js": test("") },
      { runs: { before: null, after: null, tools: "jest" } },
      ["test/a.test.js"],
    ],
    ["of an unknown tool", { "test/a.test.js": test("") }, { runs: { before: null, after: null } }, ["test/a.test.js"]],
  ])("are judged if %s", (_, edits, given, paths) => {
    expect(lint(edits, given)).toEqual(paths);
  });

  it("are not mended by types for modules of any name", () => {
    const types = (text: string): readonly string[] =>
      harmedIn({ "src/a.ts": "x" }, "npx tsc", { "src/shims.d.ts": text }, { reds: [{ name: "a", file: "src/a.ts" }] });
    expect(types('declare module "*" {}\n')).toEqual(["src/shims.d.ts"]);
    expect(types('declare module "legacy" {}\n')).toEqual([]);
  });
});
