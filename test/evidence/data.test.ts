import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmedIn, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const pyTest = "tests/test_calc.py";
const task = (line: string): Given => ({ task: `1.1 Mend the sum\n${line}` });
const jsTest = "test/add.test.js";
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const test = (imported: string, body = "same(add(1, 2), 3);"): string =>
  `import { test } from "node:test";\n${imported}\ntest("adds", () => {\n  ${body}\n});\n`;
const lib: Tree = {
  "package.json": json({ name: "n", scripts: { test: "node --test" }, devDependencies: { chai: "^4.0.0" } }),
  "src/add.js": "export const add = (a, b) => a - b;\n",
};

describe("helpers and expectations", () => {
  const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
  it("finds the package of a helper, and golden files by name", () => {
    const tree = {
      [pyTest]:
        'from calc import add\nfrom testkit import same\n\n\ndef test_adds():\n    same(add(1, 2), open("data/golden.txt"))\n',
      "testkit/__init__.py": "def same(a, b):\n    assert a == b\n",
      "data/golden.txt": "3\n",
      "src/calc.py": "def add(a, b):\n    return a - b\n",
    };
    const judge = (edits: Edits, given: Given = {}) => harmedIn(tree, "pytest", edits, { ...red(pyTest), ...given });
    expect(judge({ "testkit/__init__.py": "def same(a, b):\n    pass\n" })).toEqual(["testkit/__init__.py"]);
    const helper = { "testkit/src/lib.rs": "pub fn same() { assert_eq!(1, 1); }\n" };
    const own = { ...red("testkit/src/lib.rs", "adds"), files: ["src/lib.rs"] };
    expect(harmedIn(helper, "cargo test", { "testkit/src/lib.rs": "" }, own)).toEqual(["testkit/src/lib.rs"]);
    expect(judge({ "data/golden.txt": "-1\n" })).toEqual(["data/golden.txt"]);
    const reads = { "src/calc.py": 'def add(a, b):\n    return open("data/golden.txt").read()\n' };
    expect(judge(reads)).toEqual(["src/calc.py"]);
    expect(judge(reads, { task: "1.1 Read data/golden.txt" })).toEqual([]);
    expect(harmedIn(tree, "pytest", reads, { reds: [] })).toEqual([]);
    const asked = task("- Verify: `pytest data/golden.txt`");
    expect(harmedIn(tree, "pytest data/golden.txt", reads, { ...red(pyTest), ...asked })).toEqual(["src/calc.py"]);
  });

  it("finds data that lies beside a check, or that a command compares with", () => {
    const tree = {
      "check/run.js": 'import { add } from "../src/add.js";\nconst rows = JSON.parse(read("check/rows.json"));\n',
      "check/rows.json": "[]\n",
      "want/report.txt": "3\n",
      "src/fixtures/users.json": "[]\n",
    };
    const judge = (command: string, text: string, given: Given = {}) =>
      harmedIn(tree, command, { "src/add.js": text }, { files: ["src/add.js"], ...given });
    expect(judge("node check/run.js", 'write("check/rows.json");\n')).toEqual(["src/add.js"]);
    expect(judge("node check/run.js", 'write("data/rows.json");\n')).toEqual([]);
    expect(judge("node check/run.js", 'run("check/run.js");\n')).toEqual([]);
    const compares = "node src/add.js > out.txt && cmp out.txt want/report.txt";
    expect(judge(compares, 'read("want/report.txt");\n')).toEqual(["src/add.js"]);
    expect(judge(compares, 'read("want/report.txt");\n', task("Write want/report.txt"))).toEqual([]);
    const test = { "a.test.js": 'read("test/in.json");\nread("src/fixtures/users.json");\n' };
    const reds = red("a.test.js", "adds");
    const judgeTest = (text: string) => harmedIn({ ...tree, ...test }, "node --test", { "src/add.js": text }, reds);
    expect(judgeTest('read("test/in.json");\n')).toEqual(["src/add.js"]);
    expect(judgeTest('read("../test/in.json");\n')).toEqual(["src/add.js"]);
    expect(judgeTest('read("other/in.json");\nread("src/fixtures/users.json");\n')).toEqual([]);
  });

  it("guards examples that doctest runs without naming them", () => {
    const code = 'def add(a, b):\n    """Add.\n\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n';
    const judge = (command: string, edit: readonly [string, string], given: Given = {}) =>
      harmedIn({ "calc.py": code }, command, { "calc.py": edit }, { files: ["calc.py"], ...given });
    const skip = [">>> add(1, 2)", ">>> add(1, 2)  # doctest: +SKIP"] as const;
    expect(judge("python3 -m doctest calc.py", skip)).toEqual(["calc.py"]);
    expect(judge("python3 -m doctest calc.py", ["a - b", "a + b"])).toEqual([]);
    expect(judge("python3 -m doctest calc.py", ["    3\n", "    3\n    >>> add(0, 0)\n    0\n"])).toEqual([]);
    expect(judge("python3 -m pytest", skip)).toEqual([]);
    expect(judge("python3 -m doctest calc.py", skip, red("other.py"))).toEqual([]);
    const other = harmedIn({ "calc.py": code }, "python3 -m doctest calc.py", { "notes.txt": "a\n" });
    expect(other).toEqual([]);
  });
});

describe("data of red checks", () => {
  const red = (file: string): Given => ({ reds: [{ name: "adds", file }] });
  const inLib = (tree: Tree, edits: Edits, given: Given = {}): readonly string[] =>
    harmedIn({ ...lib, ...tree }, "npm test", edits, { ...red(jsTest), files: ["src/add.js"], ...given });
  const reader = (path: string): Tree => ({ [jsTest]: test('import fs from "node:fs";', `read("${path}");`) });
  const tree: Tree = { ...reader("data/sums.json"), "data/sums.json": "[1]", "data/other.json": "[1]" };
  it.each<[string, Tree, Edits, Given, readonly string[]]>([
    ["only they read", tree, { "data/sums.json": "[2]" }, {}, ["data/sums.json"]],
    ["is removed", tree, { "data/sums.json": null }, {}, ["data/sums.json"]],
    [
      "only gets a key",
      { ...tree, "data/sums.json": json({ a: 1 }) },
      { "data/sums.json": json({ a: 1, b: 2 }) },
      {},
      [],
    ],
    ["they do not read", tree, { "data/other.json": "[2]" }, {}, []],
    ["is new", { ...reader("data/sums.json") }, { "data/sums.json": "[2]" }, {}, []],
    ["the task names", tree, { "data/sums.json": "[2]" }, { files: ["data/sums.json"] }, []],
    ["a task without Files changes", tree, { "data/sums.json": "[2]" }, { files: [] }, []],
    ["changed code reads, too", tree, { "data/sums.json": "[2]", "src/add.js": 'read("data/sums.json")' }, {}, []],
    [
      "changed code lists, too",
      tree,
      { "data/sums.json": "[2]", "src/add.js": 'list("data/")', "src/old.js": null },
      {},
      [],
    ],
    [
      "they list",
      { [jsTest]: test("", 'fs.readdirSync("samples");'), "samples/a.csv": "1" },
      { "samples/a.csv": "2" },
      {},
      ["samples/a.csv"],
    ],
    [
      "lies in the root",
      { [jsTest]: test("", 'read("sums.txt");'), "sums.txt": "1" },
      { "sums.txt": "2" },
      {},
      ["sums.txt"],
    ],
  ])("that %s", (_, files, edits, given, paths) => {
    expect(inLib({ ...files, "src/old.js": "x" }, edits, given)).toEqual(paths);
  });

  it("that a program of the command reads is judged", () => {
    const tools: Tree = {
      "tools/size.mjs": 'read("budget.json");\nconst { budget } = read("package.json");\n',
      "budget.json": "1",
      "package.json": json({ name: "n", budget: 1, other: 1 }),
    };
    const run = (edits: Edits): readonly string[] =>
      harmedIn(tools, "node tools/size.mjs", edits, { files: ["src/a.js"] });
    expect(run({ "budget.json": "2" })).toEqual(["budget.json"]);
    expect(run({ "package.json": json({ name: "n", budget: 2, other: 1 }) })).toEqual(["package.json"]);
    expect(run({ "package.json": json({ name: "m", budget: 1, other: 2 }) })).toEqual([]);
    const { "package.json": _, ...rest } = tools;
    expect(harmedIn(rest, "node tools/size.mjs", { "budget.json": null })).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ["STRICT=1\n", "STRICT=0\n", [".env"]],
    ["STRICT=1\n", "STRICT=1\nPORT=1\n", []],
    ["A=1\n", "A=1\nexport LOOSE=1\n", [".env"]],
  ])("are variables of env files (%j, %j)", (before, after, paths) => {
    const reads = { [jsTest]: test("", "if (process.env.STRICT && !process.env.LOOSE) same();") };
    expect(inLib({ ...reads, ".env": before }, { ".env": after })).toEqual(paths);
  });

  it("are variables of a new env file", () => {
    expect(inLib({ [jsTest]: test("", "tolerance(import.meta.env.VITE_T);") }, { ".env.local": "VITE_T=9\n" })).toEqual(
      [".env.local"],
    );
  });
});

it("keeps the fixtures of red checks", () => {
  const red = (file: string): Given => ({ reds: [{ name: file, file }] });
  const tree: Tree = { [pyTest]: "def test_a(one):\n    assert one\n", "tests/conftest.py": "import pytest\n" };
  const edits: Edits = { "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n" };
  expect(harmedIn(tree, "pytest", edits, red(pyTest))).toEqual(["tests/conftest.py"]);
});
