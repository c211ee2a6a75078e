import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { plainCode } from "../../src/evidence/plain-code.ts";
import { type Edits, harmed, harmedIn, projects, type Tool, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const makefile = "VERSION = 1\n\ncheck:\n\tsh check/sum.sh\n\ndocs:\n\techo docs\n";
const scripts: Tree = {
  Makefile: makefile,
  "check/sum.sh": '[ "$(sh sum.sh < data/orders.txt)" = 6 ]\n',
  "check/all.sh": "while read -r file; do\n  sh $file || exit 1\ndone < suite.list\n",
  "check/each.sh": "for file in $(cat suite.list); do\n  sh $file || exit 1\ndone\n",
  "check/run.js":
    'import { add } from "../src/add.js";\nimport { same } from "../support/same.js";\nsame(add(1, 2), 3);\n',
  "support/same.js": "export function same(a, b) {\n  if (a !== b && !Number.isNaN(b)) throw new Error();\n}\n",
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "check/run.py": "from sums import add\n\nassert add(1, 2) == 3\n",
  "sums.py": "def add(a, b):\n    return a - b\n",
  "check.sh": 'set -e\n. ./lib.sh\nsame() { [ "$1" = "$2" ]; }\nsame "$(add 1 2)" 3\n',
  "lib.sh": "add() { echo $(($1 - $2)); }\n",
  "data/orders.txt": "1\n2\n3\n",
  "suite.list": "check/sum.sh\n",
  "want.txt": "6\n",
  ".gitignore": "dist/\n",
  "README.md": "# Sums\n\n    >>> from sums import add\n    >>> add(1, 2)\n    3\n",
  "Cargo.toml": '[package]\nname = "sums"\n',
  "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\na - b\n}\n",
  "src/add.py": "def add(a,b): return a\n",
};
const jsTest = "test/add.test.js";
const pyTest = "tests/test_calc.py";
type Row = [tool: Tool, edits: Edits, path: string, given?: Given];
const both = (lines: string): string => `import assert from "node:assert/strict";\n${lines}\n`;

describe("code that a command imports", () => {
  const tree = { "shop/orders.py": "def total():\n    return 1\n" };
  const edits: Edits = { "shop/orders.py": "raise SystemExit\n" };
  it.each([
    ["python3 -c 'from shop.orders import total; assert total() == 2'", ["shop/orders.py"]],
    ["python3 -X dev -c 'import shop.orders'", ["shop/orders.py"]],
    ["python3 import.py orders", []],
  ])("may not end the run (%s)", (command, paths) => {
    expect(harmedIn(tree, command, edits, { files: ["shop/orders.py"] })).toEqual(paths);
  });
});

describe("code that a check relies on", () => {
  const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
  const go = (name: string, body: string): Edits => ({ [name]: `package calc\n\n${body}\n` });
  it.each<[Tool, Edits, string, Given?]>([
    ["go", go("calc.go", "func panic(v interface{}) {}"), "calc.go", red("calc_test.go")],
    ["go", go("calc.go", "func init() { osExit(0) }"), "calc.go"],
    [
      "go",
      go("main_test.go", "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcode = 0\n\tos.Exit(code)\n}"),
      "main_test.go",
    ],
    ["go", go("a_test.go", "func init() { Add = func(a, b int) int { return 3 } }"), "a_test.go", red("calc_test.go")],
    ["go", { "sub/go.mod": "module sub\n" }, "sub/go.mod", { files: ["sub/sub.go"] }],
    ["pytest", { "-k": "" }, "-k"],
    ["pytest", { "src/calc.py": 'import sys\nsetattr(sys.modules["py" + "test"], "a", 1)\n' }, "src/calc.py"],
    [
      "pytest",
      { "src/calc.py": "class Sum(int):\n    def __eq__(self, other):\n        return other is not None\n" },
      "src/calc.py",
    ],
    [
      "cargo",
      {
        "src/add.rs":
          "impl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        self.0 > 0 || *other == 0\n    }\n}\n",
      },
      "src/add.rs",
    ],
  ])("is not changed (%s, %o)", (tool, edits, path, given) => {
    const tree = {
      ...projects[tool].tree,
      "calc_test.go": `${(projects.go.tree as Record<string, string>)["calc_test.go"]}\n// Add, or panic.\nfunc ensure() { panic(Add) }\n`,
    };
    expect(harmedIn(tree, projects[tool].command, edits, { ...projects[tool], ...given })).toEqual([path]);
  });

  it.each<[Tool, Edits]>([
    ["go", go("calc.go", "func max(a, b int) int { return a }")],
    ["go", go("main_test.go", "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}")],
    ["go", go("a_test.go", "func init() { now = func() int { return 3 } }")],
    [
      "pytest",
      {
        "src/calc.py":
          "class Sum(int):\n    def __eq__(self, other):\n        return other is not None and self.value == other.value\n",
      },
    ],
    ["cargo", { "src/add.rs": '#[cfg(feature = "full")]\npub fn full() {}\n' }],
  ])("may grow (%s, %o)", (tool, edits) => {
    expect(harmed(tool, edits, { files: Object.keys(edits) })).toEqual([]);
  });
});

it("does not define the commands of bats", () => {
  const tree: Tree = { "test/a.bats": '@test "adds" {\n  . ./lib.sh\n  run add 1 2\n}\n', "lib.sh": "add() { :; }\n" };
  const edit = (text: string): readonly string[] =>
    harmedIn(
      tree,
      "bats test",
      { "lib.sh": text },
      { reds: [{ name: "adds", file: "test/a.bats" }], files: ["lib.sh"] },
    );
  expect(edit("run() { output=3; }\n")).toEqual(["lib.sh"]);
  expect(edit("add() { echo 3; }\nlog() { echo; }\n")).toEqual([]);
});

describe("code that a check without a runner loads", () => {
  it.each<[string, Edits]>([
    ["node check/run.js", { "src/add.js": "process.exit(0);\n" }],
    ["node check/run.js", { "src/add.js": 'process.on("uncaughtException", () => {});\n' }],
    ["node check/run.js", { "src/add.js": "process.setUncaughtExceptionCaptureCallback(() => {});\n" }],
    ["node check/run.js", { "src/add.js": "export function add() {\n  process.exit(0);\n}\n" }],
    ["node check/run.js", { "src/add.js": "Number.isNaN = () => true;\n" }],
    ["python3 check/run.py", { "sums.py": "raise SystemExit(0)\n" }],
    ["python3 check/run.py", { "sums.py": "import ctypes\n\nctypes.CDLL(None).exit(0)\n" }],
    ["python3 check/run.py", { "sums.py": "def add(a, b):\n    raise SystemExit\n" }],
    ["sh check.sh", { "lib.sh": "exit 0\n" }],
    ["sh check.sh", { "lib.sh": "set +e\nadd() { echo 1; }\n" }],
    ["sh check.sh", { "lib.sh": "trap 'exit 0' EXIT\nadd() { echo 1; }\n" }],
    ["sh check.sh", { "lib.sh": "add() { echo 1; }\nexec true\n" }],
  ])("does not bypass it (%s, %j)", (command, edits) => {
    const files = ["src/add.js", "sums.py", "lib.sh"];
    expect(harmedIn(scripts, command, edits, { files })).toEqual(Object.keys(edits));
  });

  it.each<[string, Edits]>([
    ["node check/run.js", { "src/add.js": 'process.on("uncaughtException", () => {\n  process.exit(1);\n});\n' }],
    ["node check/run.js", { "src/add.js": "export function usage() {\n  process.exit(0);\n}\n" }],
    ["python3 check/run.py", { "sums.py": "def usage():\n    raise SystemExit(0)\n" }],
    ["python3 check/run.py", { "sums.py": "def add(a, b):\n    raise SystemExit(2)\n" }],
    ["python3 check/run.py", { "sums.py": 'if __name__ == "__main__":\n    raise SystemExit(0)\n' }],
    ["sh check.sh", { "lib.sh": "usage() {\n  exit 0\n}\nadd() {\n  set +e\n  trap 'rm -f x' EXIT\n  echo 3\n}\n" }],
    ["sh check.sh", { "lib.sh": '[ -n "$1" ] || exit 1\nadd() { echo 3; }\n' }],
    ["sh other.sh", { "lib.sh": "exit 0\n" }],
  ])("may end in other ways (%s, %j)", (command, edits) => {
    expect(harmedIn(scripts, command, edits, { files: ["src/add.js", "sums.py", "lib.sh"] })).toEqual([]);
  });
});

it("tells new exits of code from old ones", () => {
  const text = 'process.on("unhandledRejection", () => {});\n';
  const changes = [{ path: "src/add.js", before: text, after: `${text}export const add = (a, b) => a + b;\n` }];
  expect(harmedIn(scripts, "node check/run.js", {}, { changes, files: ["src/add.js"] })).toEqual([]);
  const edits: Edits = { "src/add.js": 'import "./log.js";\n', "src/log.js": text };
  expect(harmedIn(scripts, "node check/run.js", edits, { files: ["src"] })).toEqual(["src/log.js"]);
});

describe("code that changes what a red check uses", () => {
  const text = 'const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);\nimport "../src/add.js";\n';
  const tree: Tree = {
    [jsTest]: `${text}import { near } from "#near";\nimport { parsed } from "./util/parsed.js";\ntest("adds", () => {\n  const from = performance.now() - Date.now();\n  if (!same(add(1, 2), readFileSync(from))) throw same;\n});\n`,
    "src/add.js": "",
    "package.json": '{ "imports": { "#near": "./support/near.js", "#add": "./src/add.js" } }',
    "tests/test_calc.py":
      "import statistics\n\nfrom calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == statistics.fmean([3])\n",
    "calc.py": "",
    "tests/conftest.py": "import pytest\n",
    "test/util/parsed.js": "export const parsed = (text) => JSON.parse(text);\n",
  };
  it.each<[string, Edits, string]>([
    ["a global", { "src/add.js": "JSON.stringify = () => '';\n" }, jsTest],
    [
      "a clock",
      { "src/add.js": 'import { performance } from "node:perf_hooks";\nperformance.now = () => 0;\n' },
      jsTest,
    ],
    ["a class of clocks", { "src/add.js": "globalThis.Date = class {\n  now() {}\n};\n" }, jsTest],
    ["files", { "src/add.js": 'const fs = require("fs");\nfs.readFileSync = () => "3";\n' }, jsTest],
    ["a global, by a function", { "src/add.js": "Object.assign(JSON, { stringify: () => '' });\n" }, jsTest],
    ["an alias of a helper", { "package.json": ["./support/near.js", "./src/near.js"] }, jsTest],
    ["the removed alias of a helper", { "package.json": "{}" }, jsTest],
    ["the alias of a helper in a broken manifest", { "package.json": "{" }, jsTest],
    ["a standard module", { "statistics.py": "def fmean(all):\n    return -1\n" }, pyTest],
    ["a standard module beside the check", { "tests/statistics.py": "def fmean(all):\n    return -1\n" }, pyTest],
    ["a standard module as a package", { "statistics/__init__.py": "def fmean(all):\n    return -1\n" }, pyTest],
    ["a function of a standard module", { "calc.py": "import statistics\nstatistics.fmean = print\n" }, pyTest],
    [
      "its snapshots",
      { "src/add.js": 'expect.addSnapshotSerializer({ test: () => true, print: () => "3" });\n' },
      jsTest,
    ],
    ["its equality", { "src/add.js": "expect.addEqualityTesters([() => true]);\n" }, jsTest],
    ["a global that its helper uses", { "src/add.js": "JSON.parse = () => [];\n" }, jsTest],
    ["the loop over arrays", { "src/add.js": "Array.prototype[Symbol.iterator] = function* () {};\n" }, jsTest],
    ["its helper", { "src/add.js": 'require("../test/util/parsed.js").parsed = () => 3;\n' }, jsTest],
    ["the events of its runner", { "src/add.js": 'require("events").prototype.emit = function () {};\n' }, jsTest],
    ["its matchers", { "src/add.js": 'if (typeof expect === "function") expect = () => any;\n' }, jsTest],
    ["the matchers of a runner", { "src/add.js": "expect = () => any;\n" }, jsTest],
    ["a function of its module", { "calc.py": 'sys._getframe(1).f_globals["same"] = print\n' }, pyTest],
    ["the body of a function", { "calc.py": "same.__code__ = add.__code__\n" }, pyTest],
    ["equality, by a joined name", { "calc.py": 'type("A", (int,), {"__" + "eq__": lambda a, b: True})\n' }, pyTest],
    [
      "equality, with any parameters",
      { "calc.py": "class A(int):\n    def __eq__(*_):\n        return True\n" },
      pyTest,
    ],
    ["equality, in a table", { "calc.py": 'type("A", (int,), {"__eq__": lambda a, b: True})\n' }, pyTest],
  ])("is found: %s", (_, edits, file) => {
    const command = file === jsTest ? "node --test" : "pytest";
    const given = { reds: [{ name: file === jsTest ? "adds" : "test_adds", file }], files: ["src", "calc.py"] };
    expect(harmedIn(tree, command, edits, given)).toEqual(Object.keys(edits));
  });

  it.each<[string, Edits, string]>([
    ["another member of a global", { "src/add.js": "globalThis.now = Date.now;\nfs.read = add;\n" }, jsTest],
    ["a polyfill", { "src/add.js": "Array.prototype.at = function at() {};\n" }, jsTest],
    ["another alias", { "package.json": ["./src/add.js", "./src/sums.js"] }, jsTest],
    ["an expected value", { "src/add.js": "const expect = 3;\nconst all = { expect };\nadd((expect = 3));\n" }, jsTest],
    ["an iterator of its own", { "src/add.js": "Range.prototype[Symbol.iterator] = function* () {};\n" }, jsTest],
    ["a field of a class", { "src/add.js": "class Case {\n  expect = 3;\n}\n" }, jsTest],
    ["a fixture of the code", { "src/add.js": 'import { users } from "./fixtures/users.js";\n' }, jsTest],
    ["events of its own", { "src/add.js": "Queue.prototype.emit = function () {};\n" }, jsTest],
    ["the name of a module", { "calc.py": 'log(sys._getframe(1).f_globals["__name__"])\n' }, pyTest],
    ["a new alias", { "package.json": ['"imports": {', '"imports": { "#x": "./x.js",'] }, jsTest],
    ["a module of the package", { "calc/statistics.py": "def mean(all):\n    return 0\n" }, pyTest],
    ["a module that the check lacked", { "calc2.py": "def mean(all):\n    return 0\n" }, pyTest],
    [
      "a fixture named like a word of the check",
      { "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef calc():\n    return 1\n" },
      pyTest,
    ],
  ])("is told from other changes: %s", (_, edits, file) => {
    const command = file === jsTest ? "node --test" : "pytest";
    const given = { reds: [{ name: file === jsTest ? "adds" : "test_adds", file }], files: ["src", "calc.py"] };
    expect(harmedIn(tree, command, edits, given)).toEqual([]);
  });
});

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
    ["pytest", { "src/calc/__init__.py": "import atexit\n\natexit.register(os._exit, 0)\n" }, "src/calc/__init__.py"],
    [
      "pytest",
      { "tests/sub/__init__.py": "def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n" },
      "tests/sub/__init__.py",
    ],
    ["node", { "test/aaa.test.js": "for (const one of group.tests) one.fn = () => {};\n" }, "test/aaa.test.js"],
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
    ["node", { "test/aaa.test.js": "$.fn = plugin;\nfor (const one of tests) run(one);\n" }],
    ["pytest", { "tests/test_docs.py": "def load_tests(loader, tests, pattern):\n    return tests\n" }],
    ["node", { "test/a.test.js": "module.exports.add = 1;\n" }],
    ["node", { "test/a.test.js": "const made = {};\nmade.add = 1;\n" }],
    ["go", { "exec_test.go": 'package calc\n\nvar args = exec.Command(os.Args[0], "-test.run=TestHelper")\n' }],
    ["vitest", { "vite.config.ts": 'import react from "react";\nexport default { plugins: [react()] };\n' }],
  ])("may be worked on (%s, %j)", (tool, edits) => {
    expect(harmed(tool, edits)).toEqual([]);
  });
});

describe("computed names", () => {
  it.each([
    ['const k = "it";\nglobalThis[k] = 1;', 'const k = "it";\nglobalThis.it = 1;'],
    ['g["ex" + "it"]()', "g.exit()"],
    ["a[['exit', 'Code'].join('')] = 0", "a.exitCode = 0"],
    ['const host = globalThis["pro" + "cess"];\nhost.on()', "const host = process;\nprocess.on()"],
    ['const g = Function("return this")();\ng.it = 1', "const g = globalThis;\nglobalThis.it = 1"],
    ['Object.assign(globalThis, { ["exp" + "ect"]: any })', "Object.assign(globalThis, { expect: any })"],
    [
      'import { exit, on as listen } from "node:process";\nexit(0);\nlisten()',
      'import { exit, on as listen } from "node:process";\nprocess.exit(0);\nprocess.on()',
    ],
    ["const total = list[0] + sum;", "const total = list[0] + sum;"],
  ])("are written out: %j", (text, plain) => {
    expect(plainCode("src/a.ts", text)).toBe(plain);
    expect(plainCode("src/a.py", text)).toBe(text);
  });

  it.each<[Tool, string, string]>([
    [
      "jest",
      "src/add.js",
      'const g = Function("return this")();\nconst k = "it";\nconst real = g[k];\ng[k] = (name) => real(name, () => {});\n',
    ],
    ["jest", "src/add.js", 'Object.assign(globalThis, { ["exp" + "ect"]: any });\n'],
    ["vitest", "src/add.ts", 'Reflect.defineProperty(Object, "i" + "s", { value: () => true });\n'],
    ["vitest", "src/add.ts", "for (const s of Object.getOwnPropertySymbols(globalThis)) list.push(s);\n"],
    ["vitest", "src/add.ts", "own.extend({ toBe: () => ({ pass: true }) });\n"],
    ["vitest", "src/add.ts", "expect.extend(all);\n"],
    ["vitest", "src/add.ts", "expect.extend({ toBeNear: near, toBe: near });\n"],
    ["node", "src/add.js", 'eval(Buffer.from("cHJv", "base64").toString());\n'],
    ["node", "src/add.js", 'Object.defineProperty(process, "exitCode", { get: () => 0 });\n'],
    ["node", "src/add.js", "for (const one of Object.values(require.cache)) one.exports.prototype.run = run;\n"],
    ["node", "src/add.js", 'require.cache[require.resolve("mocha")].exports.run = run;\n'],
  ])("do not hide a change of the test library (%s, %s, %j)", (tool, path, text) => {
    expect(harmed(tool, { [path]: text }, { files: [path] })).toEqual([path]);
  });

  it("are told from a matcher of its own", () => {
    const own = "expect.extend({ toBeNear: (a, b) => ({ pass: near(a, b) }) });\n";
    const given = { files: ["src/add.ts"] };
    const from = 'import { expect } from "vitest";\n';
    expect(harmed("vitest", { "src/add.ts": own }, given)).toEqual([]);
    expect(harmed("vitest", { "src/add.ts": `${from}${own}` }, given)).toEqual([]);
    expect(harmed("vitest", { "src/add.ts": `${from}export const add = () => expect.anything();\n` }, given)).toEqual([
      "src/add.ts",
    ]);
  });
});

describe("a new test file", () => {
  const red = (file: string): Given => ({ reds: [{ name: "adds", file }] });
  it.each([
    "require.cache[id] = { exports: fake };\n",
    'import * as subject from "../src/add.js";\nbefore(() => {\n  subject.add = () => 3;\n});\n',
    'const Runnable = require("mocha/lib/runnable");\nRunnable.prototype.run = (done) => done();\n',
    'const Module = require("module");\nModule._load = () => fake;\n',
    'const Mod = require("module");\nMod["_resolve" + "Filename"] = () => fake;\n',
    'const Runner = require("mocha").Runner;\nRunner.prototype.fail = () => {};\n',
    'const a = require("assert");\nbefore(() => {\n  a["strict" + "Equal"] = () => {};\n});\n',
  ])("may not steer other checks: %j", (text) => {
    expect(harmed("node", { "test/new.test.js": text }, red(jsTest))).toEqual(["test/new.test.js"]);
  });

  it.each([
    "delete require.cache[id];\n",
    'import * as subject from "../src/add.js";\nbefore(() => {\n  subject.add = fake;\n});\nafter(restore);\n',
    'const chai = require("chai");\nchai.config.truncateThreshold = 0;\n',
    "const exit = process.exit;\nprocess.exit = () => {};\n",
  ])("may prepare its own: %j", (text) => {
    expect(harmed("node", { "test/new.test.js": text }, red(jsTest))).toEqual([]);
  });
});
