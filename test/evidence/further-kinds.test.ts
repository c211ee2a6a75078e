import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, harmedIn, projects, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const jsTest = "test/add.test.js";
const pyTest = "tests/test_calc.py";
const red = (file: string): Given => ({ reds: [{ name: file, file }] });

describe("a check that its tool formats", () => {
  const js = (before: string, after: string): readonly string[] => {
    const [head = ""] = projects.node.tree[jsTest].split("test(");
    const text = (body: string) => `${head}test("adds", () => {\n${body}\n});\n`;
    return harmed("node", {}, { changes: [{ path: jsTest, before: text(before), after: text(after) }] });
  };
  const python = (before: string, after: string): readonly string[] => {
    const text = (body: string) => `from calc import add\n\n\ndef test_adds():\n${body}\n`;
    return harmed("pytest", {}, { changes: [{ path: pyTest, before: text(before), after: text(after) }] });
  };

  it.each([
    ['  equal({ "sum": add(1, 2) }, { "sum": 3 });', "  equal({ sum: add(1, 2) }, { sum: 3 });"],
    ["  equal([add(1, 2)], [3]);", "  equal(\n    [add(1, 2)],\n    [\n      3,\n    ],\n  );"],
  ])("is the same: %j, %j", (before, after) => {
    expect(js(before, after)).toEqual([]);
  });

  it.each([
    ["    assert add(1, 2) == 3, 'sum'", '    assert (\n        add(1, 2) == 3\n    ), "sum"'],
    ["    assert (add(1, 2) == 3)", "    assert add(1, 2) == 3"],
    ["    assert add(1, 2) in (3, 4)", "    assert add(1, 2) in (\n        3,\n        4,\n    )"],
    ["    assert add(1, 2) == int(3)", "    assert add(1, 2) == int(\n        3,\n    )"],
    ["    assert (add(1, 2)) == (3)", "    assert (add(1, 2)) == (\n        3\n    )"],
  ])("is the same in Python: %j, %j", (before, after) => {
    expect(python(before, after)).toEqual([]);
  });

  it.each([
    ["    assert (add(1, 2) == 3)", "    assert (add(1, 2) == 3,)"],
    ["    assert (add(1, 2), 3)", "    assert add(1, 2), 3"],
    ["    assert add(1, 2) == (3,)", "    assert add(1, 2) == (3)"],
  ])("is another one in Python: %j, %j", (before, after) => {
    expect(python(before, after)).toEqual([pyTest]);
  });

  it("is another one if it returns before its assertion", () => {
    expect(js("  return equal(add(1, 2), 3);", "  return\n    equal(add(1, 2), 3);")).toEqual([jsTest]);
  });

  it.each(["/^https?:\\/\\//", "/`/", "/[\"'/]/", "/\\(/g"])("may stand beside the pattern %s", (pattern) => {
    const more = `test("matches", () => {\n  equal(${pattern}.test("a"), false);\n});\n\ntest("negates"`;
    expect(harmed("node", { [jsTest]: ['test("negates"', more] })).toEqual([]);
  });
});

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

describe("what a command runs and reads", () => {
  it.each<[string, string, Edits]>([
    ["a search path of make", "make check", { Makefile: ["VERSION = 1", "VPATH = out"] }],
    ["a search path of make for a pattern", "make check", { Makefile: ["VERSION = 1", "vpath % out"] }],
    ["a variable that make exports", "make check", { Makefile: ["VERSION = 1", "export PYTHONOPTIMIZE = 1"] }],
    ["all variables that make exports", "make check", { Makefile: ["VERSION = 1", "export"] }],
    ["the input of the code", "sh check/sum.sh", { "data/orders.txt": "6\n" }],
    ["the input of the code, in the command", "sh sum.sh <data/orders.txt | grep -x 6", { "data/orders.txt": "6\n" }],
    ["a list of checks", "sh check/all.sh", { "suite.list": "" }],
    ["a list of checks, printed", "sh check/each.sh", { "suite.list": "" }],
    ["a helper of the check", "node check/run.js", { "support/same.js": "export function same() {}\n" }],
    ["an own configuration that git ignores", "make check", { ".gitignore": "dist/\n/GNUmakefile\n" }],
    ["a file of a target that git ignores", "make check", { ".gitignore": "dist/\ncheck\n" }],
    ["an own configuration of pytest that git ignores", "pytest", { ".gitignore": "conftest.*\n" }],
    ["a configuration of a folder that git ignores", "pytest", { ".gitignore": "dist/\ntests/conftest.py\n" }],
    ["an example in a document", "python3 -m doctest README.md", { "README.md": ["    3\n", "    -1\n"] }],
    ["all examples in a document", "python3 -m doctest README.md", { "README.md": "# Sums\n" }],
    ["all examples in a removed document", "python3 -m doctest README.md", { "README.md": null }],
    ["format rules", "cargo fmt --check", { "rustfmt.toml": "disable_all_formatting = true\n" }],
    ["thresholds", "cargo clippy", { "clippy.toml": "too-many-arguments-threshold = 99\n" }],
    ["lints in the manifest", "cargo clippy", { "Cargo.toml": '[package]\nname = "sums"\n\n[lints.clippy]\n' }],
    ["omitted files of the coverage", "pytest --cov=src", { ".coveragerc": "[run]\nomit = src/*\n" }],
    ["rules of shellcheck", "shellcheck lib.sh", { ".shellcheckrc": "disable=all\n" }],
    ["a skipped format", "cargo fmt --check", { "src/lib.rs": ["pub fn", "#[rustfmt::skip]\npub fn"] }],
    ["a skipped format in Python", "black --check src", { "src/add.py": ["def", "# fmt: off\ndef"] }],
    ["an allowed warning", "RUSTFLAGS='-D warnings' cargo check", { "src/lib.rs": ["pub", "#[allow(x)]\npub"] }],
  ])("is guarded: %s", (_, command, edits) => {
    expect(harmedIn(scripts, command, edits, { files: ["src/add.js"] })).toEqual(Object.keys(edits));
  });

  it.each<[string, string, Edits, Given?]>([
    ["another variable of make", "make check", { Makefile: ["VERSION = 1", "VERSION = 2"] }],
    ["what a search looks at", "grep -q 6 < want.txt", { "want.txt": "6 6\n" }],
    ["an input that the task names", "sh check/sum.sh", { "data/orders.txt": "6\n" }, { files: ["data/orders.txt"] }],
    ["a helper that the task names", "node check/run.js", { "support/same.js": "" }, { files: ["support/same.js"] }],
    ["code that a check imports", "node check/run.js", { "src/add.js": "export const add = (a, b) => a + b;\n" }],
    ["usual ignore rules", "make check", { ".gitignore": "dist/\n.env\n.env.*\n*.log\ncoverage/\n.npmrc\n" }],
    ["usual ignore rules of Python", "pytest", { ".gitignore": "__pycache__/\n*.py[cod]\n.pytest_cache/\n.venv/\n" }],
    ["the text around an example", "python3 -m doctest README.md", { "README.md": ["# Sums", "# All sums"] }],
    ["a document that the command greps", "grep -q add README.md", { "README.md": ["# Sums\n", "# The sums\n"] }],
    ["lints that no command runs", "cargo test", { "Cargo.toml": '[package]\nname = "sums"\n\n[lints.rust]\n' }],
    ["an allowed warning that no command counts", "cargo test", { "src/lib.rs": ["pub", "#[allow(x)]\npub"] }],
  ])("may be changed: %s", (_, command, edits, given) => {
    expect(harmedIn(scripts, command, edits, { files: ["src/add.js"], ...given })).toEqual([]);
  });
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
    [jsTest]: `${text}import { near } from "#near";\ntest("adds", () => {\n  const from = performance.now() - Date.now();\n  if (!same(add(1, 2), readFileSync(from))) throw same;\n});\n`,
    "src/add.js": "",
    "package.json": '{ "imports": { "#near": "./support/near.js", "#add": "./src/add.js" } }',
    "tests/test_calc.py":
      "import statistics\n\nfrom calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == statistics.fmean([3])\n",
    "calc.py": "",
    "tests/conftest.py": "import pytest\n",
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
  ])("is found: %s", (_, edits, file) => {
    const command = file === jsTest ? "node --test" : "pytest";
    const given = { reds: [{ name: file === jsTest ? "adds" : "test_adds", file }], files: ["src", "calc.py"] };
    expect(harmedIn(tree, command, edits, given)).toEqual(Object.keys(edits));
  });

  it.each<[string, Edits, string]>([
    ["another member of a global", { "src/add.js": "globalThis.now = Date.now;\nfs.read = add;\n" }, jsTest],
    ["a polyfill", { "src/add.js": "Array.prototype.at = function at() {};\n" }, jsTest],
    ["another alias", { "package.json": ["./src/add.js", "./src/sums.js"] }, jsTest],
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

describe("a repository of its own", () => {
  it("does not hide a program of the command", () => {
    const given = (path: string): Given => ({ changes: [{ path, before: null, after: "", unread: true }] });
    expect(harmed("pytest", {}, { ...given("pytest"), command: "python3 -m pytest" })).toEqual(["pytest"]);
    expect(harmed("pytest", {}, given("vendored"))).toEqual([]);
  });
});

describe("a check that is no longer executable", () => {
  const text = projects.shell.tree["test/add.test.sh"];
  const given = (path: string, before = text): Given => ({
    changes: [{ path, before, after: before, isNoProgram: true }],
  });
  it("is guarded", () => {
    expect(harmed("shell", {}, given("test/add.test.sh"))).toEqual(["test/add.test.sh"]);
    expect(harmed("shell", {}, { ...given("test/add.test.sh"), files: ["test/"] })).toEqual([]);
    expect(harmed("shell", {}, given("add.sh"))).toEqual([]);
  });
});

describe("a request of a task to change scripts", () => {
  const edits: Edits = { "package.json": ["node --test test/", "node --test"] };
  it.each([
    ["1.1 Mend the sum, and change the test script to run all files", []],
    ["1.1 Mend the sum\n- Do: update the npm scripts", []],
    ["1.1 Mend the sum so that the test script passes", ["package.json"]],
  ])("is read from %j", (task, paths) => {
    expect(harmed("node", edits, { task })).toEqual(paths);
  });
});

it("keeps the fixtures of red checks", () => {
  const tree: Tree = { [pyTest]: "def test_a(one):\n    assert one\n", "tests/conftest.py": "import pytest\n" };
  const edits: Edits = { "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n" };
  expect(harmedIn(tree, "pytest", edits, red(pyTest))).toEqual(["tests/conftest.py"]);
});
