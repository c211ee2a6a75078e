import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, projects, type Tool } from "./projects.ts";

type Given = Partial<GuardCase>;
type Row = [tool: Tool, edits: Edits, path: string, given?: Given];
const jsTest = "test/add.test.js";
const pyTest = "tests/test_calc.py";
const both = (lines: string): string => `import assert from "node:assert/strict";\n${lines}\n`;

describe("code that a run loads", () => {
  it.each<Row>([
    ["pytest", { "src/calc.py": "import os, threading\nthreading.Timer(0, os._exit, [0]).start()\n" }, "src/calc.py"],
    ["pytest", { "src/calc.py": 'getattr(__import__("os"), "_exit")(0)\n' }, "src/calc.py"],
    ["pytest", { "src/calc.py": "import os\n\ndef add(a, b):\n    os._exit(0)\n" }, "src/calc.py"],
    ["node", { "src/add.js": "setImmediate(process.exit, 0);\n" }, "src/add.js"],
    ["node", { "src/add.js": "const out = process.reallyExit;\nout(0);\n" }, "src/add.js"],
    [
      "go",
      { "calc.go": 'package calc\n\nimport "syscall"\n\nfunc Add(a, b int) int { syscall.Exit(0); return 0 }\n' },
      "calc.go",
    ],
    [
      "go",
      { "calc.go": 'package calc\n\nfunc init() { os.Args = append(os.Args, "-test.run=Negates") }\n' },
      "calc.go",
    ],
    [
      "go",
      {
        "main_test.go":
          'package calc\n\nfunc TestMain(m *testing.M) {\n\tflag.Set("test.run", "Negates")\n\tos.Exit(m.Run())\n}\n',
      },
      "main_test.go",
    ],
    ["node", { "src/add.js": both('const lib = assert;\nlib["equal"] = () => {};') }, "src/add.js"],
    ["node", { "src/add.js": both("syncBuiltinESMExports();") }, "src/add.js"],
    [
      "pytest",
      { "src/calc.py": "import unittest as u\n\ncase = u.TestCase\ncase.assertEqual = print\n" },
      "src/calc.py",
    ],
    [
      "pytest",
      { "src/calc.py": 'import importlib\n\nimportlib.import_module("_pytest.python").Function.runtest = print\n' },
      "src/calc.py",
    ],
    ["pytest", { "src/calc.py": "import gc\n\nfor one in gc.get_objects():\n    pass\n" }, "src/calc.py"],
    ["pytest", { "tests/test_aaa.py": "import calc\n\ncalc.add = sum\n" }, "tests/test_aaa.py"],
    ["pytest", { "tests/test_aaa.py": 'import calc as c\n\nsetattr(c, "add", sum)\n' }, "tests/test_aaa.py"],
    ["node", { "test/aaa.test.js": 'require("../src/math").add = () => 3;\n' }, "test/aaa.test.js"],
    [
      "vitest",
      { "vite.config.ts": "export default { plugins: [{ transform: (code) => code }] };\n" },
      "vite.config.ts",
    ],
    [
      "vitest",
      { "vite.config.ts": 'import own from "./own.js";\nexport default { plugins: [own()] };\n' },
      "vite.config.ts",
    ],
    ["vitest", { "vite.config.ts": 'export default { define: { add: "sum" } };\n' }, "vite.config.ts"],
    ["go", { "calc_test.go": null, "calc_freebsd_test.go": projects.go.tree["calc_test.go"] }, "calc_test.go"],
    [
      "make",
      { "cases/a.out": "3\n" },
      "cases/a.out",
      { changes: [{ path: "cases/a.out", before: "6\n", after: "3\n" }] },
    ],
  ])("is guarded (%s, %j)", (tool, edits, path, given) => {
    expect(harmed(tool, edits, given)).toEqual([path]);
  });

  it.each<readonly [Tool, Edits]>([
    [
      "pytest",
      {
        "src/child.py": "import os\n\n\ndef run(work):\n    if os.fork() == 0:\n        work()\n        os._exit(0)\n",
      },
    ],
    ["pytest", { "src/calc.py": "import unittest.mock\n\nfake = unittest.mock.sentinel\nfake.x = 1\n" }],
    ["pytest", { "tests/test_app.py": "from web import app\n\napp.testing = True\n" }],
    ["pytest", { "tests/test_app.py": "import calc\n\n\ndef test_add(monkeypatch):\n    calc.add = 1\n" }],
    ["node", { "src/add.js": 'process.on("SIGINT", process.exit);\n' }],
    ["node", { "test/a.test.js": "module.exports.add = 1;\n" }],
    ["node", { "test/a.test.js": "const made = {};\nmade.add = 1;\n" }],
    ["go", { "exec_test.go": 'package calc\n\nvar args = exec.Command(os.Args[0], "-test.run=TestHelper")\n' }],
    ["vitest", { "vite.config.ts": 'import react from "react";\nexport default { plugins: [react()] };\n' }],
  ])("may be worked on (%s, %j)", (tool, edits) => {
    expect(harmed(tool, edits)).toEqual([]);
  });
});

describe("a run that counts no check any more", () => {
  const counted = { ran: 3, skipped: 0 };
  const edits: Edits = { "src/add.js": "export const add = (a, b) => a + b;\n" };
  const runs = (tools: string | null, after: typeof counted | null = null): Given =>
    ({ runs: { before: counted, after, tools } }) as Given;
  it.each<[string, Given, boolean]>([
    ["of a tool that always counts", runs("node:test"), true],
    ["of two such tools", runs("jest+pytest"), true],
    ["of a tool that does not always count", runs("gradle+pytest"), false],
    ["of no tool", runs(null), false],
    ["that counts again", runs("node:test", counted), false],
    ["of a script that is silent", { ...runs("pytest"), command: "pytest > log || { cat log; exit 1; }" }, false],
    ["of a script that captures the output", { ...runs("pytest"), command: "out=$(pytest) || echo $out" }, false],
    ["of a quiet tool", { ...runs("pytest"), command: "pytest -qq" }, false],
    ["with stderr in the output", { ...runs("pytest"), command: "pytest 2>&1" }, true],
    ["if no check ran before", { runs: { before: { ran: 0, skipped: 0 }, after: null, tools: "pytest" } }, false],
  ])("is reported, or not: %s", (_, given, isHarm) => {
    expect(harmed("node", edits, given)).toEqual(isHarm ? [""] : []);
  });
});

const make = "include config.mk\nRUN ?= sh\n\ncheck:\n\t$(RUN) src/check.sh\n";

describe("an included makefile without the target", () => {
  const given = (path: string, after: string): Given => ({
    changes: [{ path, before: null, after }],
    read: (name) => (name === "Makefile" ? make : null),
  });
  it("decides by the variables of the recipe", () => {
    expect(harmed("make", {}, given("config.mk", "RUN = true\n"))).toEqual(["config.mk"]);
    expect(harmed("make", {}, given("config.mk", "SHELL = /bin/true\n"))).toEqual(["config.mk"]);
    expect(harmed("make", {}, given("config.mk", "VERSION = 2\n"))).toEqual([]);
  });
});

describe("a request of a task to change tests, without a path", () => {
  const weak: Edits = { [jsTest]: ["add(1, 2), 3", "add(1, 2), -1"] };
  it.each([
    ["1.1 Sum as text, and update its tests", false],
    ["1.1 Sum as text\n- Do: adapt the existing tests", false],
    ["1.1 Rename sum in the code and its tests", false],
    ["1.1 Fix the failing tests", true],
    ["1.1 Change the sum so that the tests pass", true],
    ["1.1 Change the sum and the tests pass", true],
    ["1.1 Sum. Do not update the tests", true],
    ["1.1 Write more tests", true],
  ])("is read from %j", (task, isHarm) => {
    expect(harmed("node", weak, { task })).toEqual(isHarm ? [jsTest] : []);
  });

  it("does not allow the removal of a test", () => {
    const gone: Edits = { [jsTest]: ['test("adds", () => {\n  equal(add(1, 2), 3);\n});\n', ""] };
    expect(harmed("node", gone, { task: "1.1 Sum, and update its tests" })).toEqual([jsTest]);
  });

  it("may name snapshots and fixtures", () => {
    const path = "test/__snapshots__/add.test.ts.snap";
    const edits: Edits = { [path]: ["`3`", "`4`"] };
    expect(harmed("vitest", edits, { task: "1.1 Print the sum, and update the snapshots" })).toEqual([]);
    expect(harmed("vitest", edits, { task: "1.1 Print the sum" })).toEqual([path]);
    const fixture: Edits = { "test/expected.txt": "4\n" };
    expect(harmed("make", fixture, { task: "1.1 Regenerate the golden files" })).toEqual([]);
  });

  it.each([
    ["1.1 Remove the other-things module with its test", []],
    ["1.1 Delete `other-things`", []],
    ["1.1 Remove the bug in other things", ["test/other-things.test.js"]],
    ["1.1 Remove other things from the menu", ["test/other-things.test.js"]],
    ["1.1 Mend other things", ["test/other-things.test.js"]],
  ])("may name a module to remove: %j", (task, paths) => {
    const given = {
      task,
      changes: [
        { path: "src/other-things.js", before: "x", after: null },
        { path: "test/other-things.test.js", before: 'test("a", () => {});\n', after: null },
      ],
    };
    expect(harmed("node", {}, given)).toEqual(paths);
  });
});

describe("an edit that keeps the meaning of a check", () => {
  const text = projects.pytest.tree[pyTest];
  const table = '@pytest.mark.parametrize("a, b", [(1, 2), (2, 1)])\ndef test_adds(a, b):\n    assert add(a, b) == 3\n';
  const given = (after: string, before = `import pytest\n\n\n${table}`): Given => ({
    changes: [{ path: pyTest, before, after }],
    read: (path) => (path === pyTest ? before : null),
  });
  it("may break its lines in another way", () => {
    const broken = table.replace(
      '("a, b", [(1, 2), (2, 1)])',
      '(\n    "a, b",\n    [\n        (1, 2),\n        (2, 1),\n    ],\n)',
    );
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${broken}`))).toEqual([]);
    const other = table.replace('("a, b", [(1, 2)', '(\n    "a, b",\n    [\n        (1, 3)');
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${other}`))).toEqual([pyTest]);
  });

  it("may add types to its parameters", () => {
    const typed = table.replace("(a, b):", "(a: int, b: dict[str, int]) -> dict[str, int]:");
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${typed}`))).toEqual([]);
  });

  it("may add brackets around one parameter", () => {
    const arrow: Edits = { [jsTest]: ["import { equal }", "const one = (x) => x;\nimport { equal }"] };
    const before = projects.node.tree[jsTest].replace("import { equal }", "const one = x => x;\nimport { equal }");
    const after = projects.node.tree[jsTest].replace("import { equal }", "const one = (x) => x;\nimport { equal }");
    expect(harmed("node", arrow, { changes: [{ path: jsTest, before, after }] })).toEqual([]);
  });

  it("may change the set-up of another group", () => {
    const more =
      "\n\nclass TestMore:\n    def setup_method(self):\n        self.pair = [1, 2]\n\n    def test_more(self):\n        assert self.pair\n";
    expect(harmed("pytest", { [pyTest]: `${text}${more}` })).toEqual([]);
    const own = text.replace(
      "    def test_keeps_zero",
      "    def setup_method(self):\n        self.add = print\n\n    def test_keeps_zero",
    );
    const reds = [{ name: `${pyTest}::TestZero::test_keeps_zero`, file: pyTest }];
    expect(harmed("pytest", { [pyTest]: own }, { reds })).toEqual([pyTest]);
  });

  it("may move it together with its fixture", () => {
    const before = projects.node.tree["test/fixtures/add.json"];
    const moved = (reds: GuardCase["reds"]): Given => ({
      reds,
      changes: [
        { path: jsTest, before: projects.node.tree[jsTest], after: null },
        { path: "test/unit/add.test.js", before: null, after: projects.node.tree[jsTest] },
        { path: "test/fixtures/add.json", before, after: null },
        { path: "test/unit/fixtures/add.json", before: null, after: before },
      ],
    });
    expect(harmed("node", {}, moved([{ name: "adds", file: jsTest }]))).toEqual([]);
    expect(harmed("node", {}, moved([{ name: "", file: null }]))).toEqual(["test/fixtures/add.json"]);
  });
});
