import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, judge, projects, type Tool } from "./projects.ts";

type Row = readonly [name: string, edits: Edits, given?: Partial<GuardCase>];
const task = (text: string, ...files: string[]): Partial<GuardCase> => ({ task: text, files });

const addTest = {
  node: "test/add.test.js",
  vitest: "test/add.test.ts",
  jest: "src/__tests__/add.test.js",
  pytest: "tests/test_calc.py",
  go: "calc_test.go",
  cargo: "tests/add.rs",
} as const;
const code = {
  node: "src/add.js",
  vitest: "src/add.ts",
  jest: "src/add.js",
  pytest: "src/calc.py",
  go: "calc.go",
  cargo: "src/add.rs",
} as const;
const weaken: Readonly<Record<keyof typeof addTest, readonly [string, string]>> = {
  node: ["add(1, 2), 3", "add(1, 2, 3), 6"],
  vitest: ["add(1, 2), 3", "add(1, 2, 3), 6"],
  jest: ["add(1, 2)", "add(2, 1)"],
  pytest: ["add(1, 2)", "add(2, 1)"],
  go: ["Add(1, 2)", "Add(2, 1)"],
  cargo: ["add(1, 2)", "add(2, 1)"],
};
const edge: Readonly<Record<keyof typeof addTest, readonly [string, string]>> = {
  node: ['test("keeps', 'test("adds large", () => {\n  equal(add(9, 9), 18);\n});\n\ntest("keeps'],
  vitest: ['test("keeps', 'test("adds large", () => {\n  equal(add(9, 9), 18);\n});\n\ntest("keeps'],
  jest: ['it("keeps', 'it("adds large", () => {\n    expect(add(9, 9)).toBe(18);\n  });\n\n  it("keeps'],
  pytest: ["def test_negates", "def test_large():\n    assert add(9, 9) == 18\n\n\ndef test_negates"],
  go: [
    "func TestNegates",
    'func TestLarge(t *testing.T) {\n\tif Add(9, 9) != 18 {\n\t\tt.Fatal("sum")\n\t}\n}\n\nfunc TestNegates',
  ],
  cargo: ["#[test]\nfn negates", "#[test]\nfn large() {\n    assert_eq!(add(9, 9), 18);\n}\n\n#[test]\nfn negates"],
};
const moved: Readonly<Record<keyof typeof addTest, string>> = {
  node: "test/sum.test.js",
  vitest: "test/sum.test.ts",
  jest: "src/__tests__/sum.test.js",
  pytest: "tests/test_sum.py",
  go: "sum_test.go",
  cargo: "tests/sum.rs",
};

const common = (tool: keyof typeof addTest, text: string): readonly Row[] => {
  const file = addTest[tool];
  const green = { node: "-3", vitest: "-3", jest: "-3", pytest: "== -3", go: "!= -3", cargo: "-3" }[tool];
  return [
    ["mends the code", { [code[tool]]: "// mended\n" }],
    ["changes the test that Files names", { [file]: weaken[tool] }, task("1.1 Sum", file)],
    [
      "changes the test in a folder that Files names",
      { [file]: weaken[tool] },
      task("1.1 Sum", file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/` : "*_test.go"),
    ],
    [
      "changes the test that the text names",
      { [file]: weaken[tool] },
      task(`1.1 Sum\n- Do: take three numbers, also in \`${file}\`.`),
    ],
    ["removes the test that the text names", { [file]: null }, task(`1.1 Drop ./${file}`)],
    ["adds a test beside others", { [file]: edge[tool] }],
    ["adds a test in a new file", { [moved[tool]]: text.replaceAll("adds", "more") }],
    ["moves the tests with their content", { [file]: null, [moved[tool]]: text }],
    ["changes a green check that still runs", { [file]: [green, `${green} + 0`] }],
    ["adds a comment", { [file]: `${tool === "pytest" ? "#" : "//"} Sums.\n${text}` }],
    ["reforms the file", { [file]: `\n\n${text.replaceAll("\n\n", "\n\n\n")}` }],
    ["removes what is tested, and its test", { [file]: null, [code[tool]]: null }, task(`1.1 Remove ${code[tool]}`)],
    [
      "renames it",
      {
        [file]: null,
        [moved[tool]]: text.replaceAll("add", "sum"),
        [code[tool]]: null,
        [code[tool].replace(/\w+\.(\w+)$/, "sum.$1")]: "",
      },
      task(`1.1 Rename ${code[tool]} to sum`),
    ],
  ];
};

const textOf = (tool: keyof typeof addTest): string =>
  (projects[tool].tree as Record<string, string>)[addTest[tool]] as string;
const manifest = "package.json";
const manifests: readonly Row[] = [
  ["changes the version", { [manifest]: ['"name":', '"version": "2.0.0",\n  "name":'] }],
  ["adds a dependency", { [manifest]: ['"name":', '"peerDependencies": { "ms": "2" },\n  "name":'] }],
  ["adds a description", { [manifest]: ['"name":', '"description": "sums",\n  "name":'] }],
  ["adds another script", { [manifest]: ['"scripts": {', '"scripts": {\n    "lint": "eslint .",'] }],
  ["reforms the manifest", { [manifest]: ['"name":', '\n\n\n "name":'] }],
  [
    "changes the script as Files have it",
    { [manifest]: ['"test": "', '"test": "cross-env CI=1 '] },
    task("1.1 Run in CI", manifest),
  ],
  ["ignores a registry", { ".npmrc": "registry=https://registry.example\n" }],
  ["adds a variable", { ".env": "PORT=80\n" }],
];

const jsTest = "test/add.test.js";
const tsTest = "test/add.test.ts";
const pyTest = "tests/test_calc.py";
const tree = (files: Record<string, string>) => ({ read: (p: string) => files[p] ?? null });
const phony = ".PHONY: check\ncheck:\n\tsh scripts/run.sh\n";
const at = (path: string, before: string | null, after: string): Partial<GuardCase> => ({
  changes: [{ path, before, after }],
});
const cases: Readonly<Record<Tool, readonly Row[]>> = {
  node: [
    ...common("node", textOf("node")),
    ...manifests,
    [
      "imports more for a new test",
      {
        "test/add.test.js": textOf("node")
          .replace("{ add }", "{ add, sub }")
          .replace('test("keeps', 'test("subtracts", () => {\n  equal(sub(3, 2), 1);\n});\n\ntest("keeps'),
      },
    ],
    [
      "adds a helper for a new test",
      {
        "test/add.test.js": textOf("node").replace(
          'test("keeps',
          'const large = 9;\n\nfunction twice(one) {\n  return 2 * one;\n}\n\ntest("doubles", () => {\n  equal(twice(large), 18);\n});\n\ntest("keeps',
        ),
      },
    ],
    [
      "groups the tests",
      {
        "test/add.test.js": textOf("node")
          .replace('test("adds"', 'describe("add", () => {\ntest("adds"')
          .concat("});\n"),
      },
    ],
    ["renames a green test", { "test/add.test.js": ["negates", "adds below zero"] }],
    ["renames the red test", { "test/add.test.js": ['"adds"', '"sums"'] }],
    [
      "renames what is tested",
      { "test/add.test.js": textOf("node").replace(/\badd\b(?=\(| })/g, "sum") },
      task("1.1 Rename `add` to `sum`"),
    ],
    ["changes a test of another file", { "test/other.test.js": ["other()", "another()"] }],
    ["adds a fixture", { "test/fixtures/sub.json": "[]\n" }],
    ["changes a helper that no red test uses", { "test/helper.js": "export const load = () => 2;\n" }],
    ["adds a program that exits", { "src/cli.js": "process.exit(main());\n" }],
    ["tests that a program exits", { "test/cli.test.js": 'test("ends", () => {\n  run("process.exit(0)");\n});\n' }],
    ["changes an installed package as asked", { "node_modules/x/index.js": null }],
    ["changes code in a folder that looks like tests", { "src/testing/run.js": "export const run = () => 0;\n" }],
    ["cleanup at exit", { "src/add.js": "process.on('exit', () => {\n  log.close();\n});\n" }],
    [
      "asserts in the code",
      {
        "src/add.js":
          "import assert from 'node:assert';\nexport const add = (a, b) => {\n  assert.equal(typeof a, 'number');\n  const assertions = [];\n  assertions.length = 0;\n  return a + b;\n};\n",
      },
    ],
    [
      "splits the file",
      {
        [jsTest]: projects.node.tree[jsTest].split('test("negates"')[0] as string,
        "test/negates.test.js":
          projects.node.tree[jsTest].slice(0, projects.node.tree[jsTest].indexOf('test("adds"')) +
          projects.node.tree[jsTest].slice(projects.node.tree[jsTest].indexOf('test("negates"')),
      },
    ],
    [
      "imports after a rename",
      { [jsTest]: ["../src/add.js", "../src/sum.js"], "src/add.js": null, "src/sum.js": "x" },
      { task: "1.1 Rename src/add.js to src/sum.js" },
    ],
    [
      "move the code, told in words",
      { [jsTest]: ["../src/add.js", "../src/math/add.js"], "src/add.js": null, "src/math/add.js": "x" },
      { task: "1.1 Move src/add.js to src/math/add.js" },
    ],
    [
      "moves with its code",
      {
        [jsTest]: null,
        "test/math/add.test.js": projects.node.tree[jsTest].replace("../src/", "../../src/"),
        "src/add.js": null,
        "src/math/add.js": "x",
      },
      { task: "1.1 Move src/add.js to src/math/add.js" },
    ],
    [
      "new test that skips elsewhere",
      { "test/win.test.js": 'test("win", { skip: process.platform !== "win32" }, () => {\n  a();\n});\n' },
    ],
    ["dev dependency", { [manifest]: ['"name"', '"devDependencies": { "ms": "3" },\n "name"'] }],
    [
      "deletes an obsolete test named in Files",
      { "test/other.test.js": null, "src/other.js": null },
      { files: ["src/other.js", "test/other.test.js"] },
    ],
    ["quotes", { [jsTest]: projects.node.tree[jsTest].replaceAll('"', "'") }],
    ["semicolons", { [jsTest]: projects.node.tree[jsTest].replaceAll(";", "") }],
    ["indents", { [jsTest]: projects.node.tree[jsTest].replaceAll("  ", "\t") }],
    ["a jsdoc", { [jsTest]: ["test(", "/** Sums. */\ntest("] }],
    [
      "splits by describe",
      {
        [jsTest]: `${projects.node.tree[jsTest].replace('test("adds"', 'describe("sums", () => {\n  test("adds"')}});\n`,
      },
    ],
    [
      "sort imports",
      {
        [jsTest]: projects.node.tree[jsTest].replace(
          'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\n',
          'import { test } from "node:test";\nimport { equal } from "node:assert/strict";\n',
        ),
      },
    ],
    ["engines", { [manifest]: ['"name"', '"engines": { "node": ">=20" },\n "name"'] }],
    ["lint script", { [manifest]: ['"build"', '"check": "tsc --noEmit",\n "build"'] }],
    ["cli with exit", { "bin/cli.js": "import { add } from '../src/add.js';\nprocess.exit(0);\n" }],
    ["big fixture added", {}, { changes: [{ path: "test/fixtures/big.json", before: null, after: "", unread: true }] }],
    ["gitignore", { ".gitignore": "dist/\n" }],
    ["green snapshot", { "test/__snapshots__/other.test.js.snap": "exports[`others 1`] = `1`;\n" }],
    ["type-only", { [jsTest]: ["import { test }", 'import assert from "node:assert";\nimport { test }'] }],
  ],
  vitest: [
    ...common("vitest", textOf("vitest")),
    ["installs a newer runner", { [manifest]: ["^4.0.0", "^4.1.0"] }],
    ["comments the config", { "vitest.config.ts": ["export default", "// All tests.\nexport default"] }],
    ["reforms the config", { "vitest.config.ts": ['"test/**/*.test.ts"', "\n'test/**/*.test.ts',\n"] }],
    ["changes the snapshot of a green check", { "test/__snapshots__/add.test.ts.snap": ["`-3`", "`-4`"] }],
    [
      "adds a snapshot",
      { "test/__snapshots__/add.test.ts.snap": ["exports[`negates", "exports[`large 1`] = `18`;\n\nexports[`negates"] },
    ],
    [
      "moves a snapshot with its test",
      {
        "test/__snapshots__/add.test.ts.snap": null,
        "test/__snapshots__/sum.test.ts.snap": projects.vitest.tree["test/__snapshots__/add.test.ts.snap"],
      },
    ],
    ["has the first snapshots written", { "test/__snapshots__/sub.test.ts.snap": "exports[`sub 1`] = `1`;\n" }],
    [
      "sets the runner up",
      { "vitest.workspace.ts": "export default [];\n" },
      task("1.1 Set up vitest for two packages"),
    ],
    [
      "changes the config as the text has it",
      { "vitest.config.ts": ["setupFiles", "globals: true, setupFiles"] },
      task("1.1 Globals\n- Do: change vitest.config.ts"),
    ],
    ["changes another part of a config of vite", { "vite.config.ts": "export default { plugins: [] };\n" }],
    ["adds a helper", { "test/near.ts": "export const near = () => true;\n" }],
    ["import extension", { [tsTest]: ['"../src/add"', '"../src/add.ts"'] }],
    [
      "type import added",
      { [tsTest]: ["import { equal }", 'import type { Sum } from "../src/types";\nimport { equal }'] },
    ],
    ["coverage dep", { [manifest]: ['"vitest": "^4.0.0"', '"vitest": "^4.0.0", "@vitest/coverage-v8": "^4.0.0"'] }],
    [
      "prefers each for a new one",
      {
        [tsTest]: [
          'test("keeps',
          'test.each([[9, 9, 18]])("adds %i and %i", (a, b, c) => {\n  equal(add(a, b), c);\n});\n\ntest("keeps',
        ],
      },
    ],
    [
      "expected snapshot named",
      { "test/__snapshots__/add.test.ts.snap": ["`3`", "`4`"] },
      { task: "1.1 Change the sum\n- Do: update test/__snapshots__/add.test.ts.snap" },
    ],
    ["tsconfig", { "tsconfig.json": '{"compilerOptions":{"strict":true}}' }],
  ],
  jest: [
    ...common("jest", textOf("jest")),
    ...manifests,
    ["changes the snapshot of a green check", { "src/__tests__/__snapshots__/add.test.js.snap": ["`-3`", "`-4`"] }],
    [
      "moves to another runner",
      { [manifest]: ['"test": "jest"', '"test": "vitest run"'] },
      task("1.1 Migrate from jest to vitest"),
    ],
    [
      "adds a group",
      {
        "src/__tests__/add.test.js": [
          'describe("add"',
          'describe("more", () => {\n  it("adds more", () => {\n    expect(add(2, 2)).toBe(4);\n  });\n});\n\ndescribe("add"',
        ],
      },
    ],
    ["author", { [manifest]: ['"name"', '"author": "x",\n "name"'] }],
  ],
  pytest: [
    ...common("pytest", textOf("pytest")),
    ["adds a dependency", { "pyproject.toml": ['version = "1"', 'version = "2"\ndependencies = ["rich"]'] }],
    ["changes another tool", { "pyproject.toml": ["line-length = 100", "line-length = 120"] }],
    ["comments the section", { "pyproject.toml": ["testpaths", "# Where they are.\ntestpaths"] }],
    [
      "adds fixtures",
      {
        "tests/conftest.py": [
          "    return 1, 2\n",
          "    return 1, 2\n\n\n@pytest.fixture\ndef three():\n    return 3\n",
        ],
      },
    ],
    [
      "adds a conftest with fixtures",
      { "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef four():\n    return 4\n" },
    ],
    [
      "imports more",
      {
        "tests/test_calc.py": textOf("pytest")
          .replace("import add", "import add, sub")
          .replace("def test_negates", "def test_subs():\n    assert sub(3, 2) == 1\n\n\ndef test_negates"),
      },
    ],
    ["adds a section for another tool", { "setup.cfg": "[flake8]\nmax-line-length = 100\n" }],
    ["adds a main", { "src/main.py": "import sys\n\nif __name__ == '__main__':\n    sys.exit(0)\n" }],
    ["atexit close", { "src/calc.py": "import atexit\natexit.register(print)\n" }],
    ["unittest mock in code", { "src/calc.py": "from unittest.mock import Mock\nmock = Mock()\nmock.x = 1\n" }],
    ["init of the code", { "src/__init__.py": "from .calc import add\n\nadd.x = 1\n" }],
    ["empty init", { "tests/__init__.py": "" }],
    ["doc init", { "tests/__init__.py": '"""Tests."""\n' }],
    [
      "platform skip in new test",
      {
        "tests/test_win.py":
          "import sys\nimport pytest\n\n\n@pytest.mark.skipif(sys.platform != 'win32', reason='x')\ndef test_win():\n    assert True\n",
      },
    ],
    ["types", { [pyTest]: projects.pytest.tree[pyTest].replaceAll("():", "() -> None:") }],
    ["black", { [pyTest]: projects.pytest.tree[pyTest].replaceAll("\n\n\n", "\n\n") }],
    [
      "imports sorted",
      { [pyTest]: ["import pytest\n\nfrom calc import add", "from calc import add\n\nimport pytest"] },
    ],
    ["module doc", { [pyTest]: `"""Sums."""\n${projects.pytest.tree[pyTest]}` }],
    [
      "optional deps",
      { "pyproject.toml": ["[tool.ruff]", "[project.optional-dependencies]\ndev = ['pytest']\n\n[tool.ruff]"] },
    ],
    ["moves to a folder", { [pyTest]: null, "tests/unit/test_calc.py": projects.pytest.tree[pyTest] }],
    [
      "splits",
      {
        [pyTest]: projects.pytest.tree[pyTest].split("class TestZero")[0] as string,
        "tests/test_zero.py":
          "from calc import add\n\n\nclass TestZero:\n    def test_keeps_zero(self):\n        assert add(0, 0) == 0\n",
      },
    ],
  ],
  go: [
    ...common("go", textOf("go")),
    ["needs a module", { "go.mod": ["go 1.22", "go 1.22\n\nrequire example.com/x v1.0.0"] }],
    [
      "imports more",
      {
        "calc_test.go": textOf("go")
          .replace('import "testing"', 'import (\n\t"strings"\n\t"testing"\n)')
          .concat('\nfunc TestWords(t *testing.T) {\n\tif strings.ToUpper("a") != "A" {\n\t\tt.Fatal()\n\t}\n}\n'),
      },
    ],
    [
      "has a TestMain that runs",
      { "main_test.go": "package calc\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n" },
    ],
    ["installs a module", { "vendor/example.com/x/x.go": "package x\n" }],
    [
      "code kept",
      {
        "main_test.go":
          "package calc\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcleanup()\n\tos.Exit(code)\n}\n",
      },
    ],
    ["goleak", { "main_test.go": "package calc\n\nfunc TestMain(m *testing.M) {\n\tgoleak.VerifyTestMain(m)\n}\n" }],
    ["gofmt", { "calc_test.go": projects.go.tree["calc_test.go"].replaceAll("\n\n", "\n") }],
    ["parallel green", { "calc_test.go": ["\tif Add(-1", "\tt.Parallel()\n\tif Add(-1"] }],
    ["toolchain-less bump", { "go.mod": ["go 1.22", "go 1.23"] }],
    ["a main", { "cmd/calc/main.go": "package main\n\nfunc main() {\n\tos.Exit(0)\n}\n" }],
  ],
  cargo: [
    ["adds a program that exits", { "src/main.rs": "fn main() {\n    std::process::exit(0);\n}\n" }],
    ...common("cargo", textOf("cargo")),
    ["adds a dependency", { "Cargo.toml": ['serde = "1"', 'serde = "1"\nrand = "0.8"'] }],
    ["changes the version", { "Cargo.toml": ["0.1.0", "0.2.0"] }],
    ["changes code beside tests", { "src/deep.rs": ["deep() -> i32 { 1 }", "deep() -> i32 { 2 }"] }],
    [
      "adds a test beside code",
      {
        "src/deep.rs": [
          "    #[test]",
          "    #[test]\n    fn is_small() {\n        assert!(deep() < 9);\n    }\n\n    #[test]",
        ],
      },
    ],
    [
      "takes tests out of a module with the code",
      { "src/deep.rs": null, "src/deeper.rs": projects.cargo.tree["src/deep.rs"] },
    ],
    ["dev dependency", { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[dev-dependencies]\nproptest = "1"\n` }],
    ["opt level", { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[profile.dev]\nopt-level = 1\n` }],
    ["bin", { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[[bin]]\nname = "calc"\npath = "src/main.rs"\n` }],
    ["unix test", { "tests/unix.rs": "#![cfg(unix)]\n\n#[test]\nfn a() {}\n" }],
  ],
  make: [
    ["mends the code", { "calc.c": "int main() { return 0; }\n" }],
    ["adds a target", { Makefile: ["docs:", "clean:\n\trm calc\n\ndocs:"] }],
    [
      "adds a target to a makefile that make names as red",
      { Makefile: ["docs:", "clean:\n\trm calc\n\ndocs:"] },
      { reds: [{ name: "check", file: "Makefile" }] },
    ],
    ["changes another target", { Makefile: ["\tdoxygen", "\tdoxygen -q"] }],
    ["adds a variable that it does not use", { Makefile: ["CHECK =", "VERSION = 2\nCHECK ="] }],
    ["comments it", { Makefile: ["check: build", "# All checks.\ncheck: build"] }],
    ["comments the script", { "scripts/check.sh": ["# compare", "# compare the sums"] }],
    [
      "changes the target as the text has it",
      { Makefile: ["\t$(CHECK)", "\t$(CHECK) -v"] },
      task("1.1 Tell more\n- Do: in Makefile, give -v"),
    ],
    [
      "changes the script that Files name",
      { "scripts/check.sh": ["set -e", "set -eu"] },
      task("1.1 Strict", "scripts/"),
    ],
    ["adds a script", { "scripts/new.sh": "exit 0\n" }],
    [
      "adds the target that was missing",
      { Makefile: ["docs:", "smoke:\n\tsh scripts/check.sh\n\ndocs:"] },
      { command: "make smoke" },
    ],
    ["condition elsewhere", { Makefile: ["docs:", "ifdef CI\nQUIET = 1\nelse\nQUIET = 2\nendif\n\ndocs:"] }],
    ["a file of a phony target", {}, { ...at("check", null, ""), ...tree({ Makefile: phony }) }],
    [
      "a file where nothing was red",
      {},
      { ...at("check", null, ""), ...tree({ Makefile: "check:\n\tsh scripts/run.sh\n" }), reds: [] },
    ],
    ["adds phony", { Makefile: [".PHONY: all check", ".PHONY: all check docs"] }],
    ["target variable elsewhere", { Makefile: ["docs:", "docs: QUIET = 1\ndocs:"] }],
    ["define elsewhere", { Makefile: ["docs:", "define HELP\nx\nendef\n\ndocs:"] }],
    [
      "makes its file",
      { "out.txt": "x\n" },
      { command: "make out.txt", ...tree({ Makefile: "out.txt:\n\tsh gen.sh > $@\n" }) },
    ],
    ["build product", { calc: "x" }],
    ["help target", { Makefile: ["docs:", "help:\n\t@grep -E '^[a-z]+:' Makefile\n\ndocs:"] }],
  ],
  shell: [
    ["mends the code", { "add.sh": "echo $(($1 + $2))\n" }],
    ["adds a program that exits", { "sub.sh": "echo 1; exit 0\n" }],
    ["comments the tests", { "test/add.test.sh": ["assert_eq", "# Sums.\nassert_eq"] }],
    [
      "adds tests as the text has it",
      { "test/add.test.sh": ["assert_eq", 'assert_eq "$(./add.sh 9 9)" 18\nassert_eq'] },
      task("1.1 Large\n- Do: extend `test/add.test.sh`"),
    ],
    [
      "adds tests as a name in the text has it",
      { "test/add.test.sh": ["assert_eq", 'assert_eq "$(./add.sh 9 9)" 18\nassert_eq'] },
      task("1.1 Extend add.test.sh"),
    ],
    ["makes the script that was missing", { "smoke.sh": "exit 0\n" }, { command: "sh smoke.sh" }],
    [
      "makes the package that was missing",
      {
        [manifest]: '{"scripts":{"test":"vitest run","pretest":"tsc"},"devDependencies":{"vitest":"4"}}',
        "vitest.config.ts": "export default {};\n",
      },
      { command: "npm test" },
    ],
    [
      "replaces the script that npm writes",
      { [manifest]: '{"scripts":{"test":"node --test"}}' },
      { command: "npm test", read: () => '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    ],
    ["shebang of the code", { "add.sh": "#!/bin/bash\necho $(($1 + $2))\n" }],
    ["formats", { "run-tests.sh": ["set -eu\n", "set -eu\n\n"] }],
  ],
};

describe.each(Object.entries(cases) as readonly (readonly [Tool, readonly Row[]])[])(
  "honest work with %s",
  (tool, rows) => {
    it.each(rows.map(([name, edits, given]) => ({ name, edits, given })))(
      "accepts an attempt that $name",
      ({ edits, given }) => {
        expect(harmed(tool, edits, given)).toEqual([]);
      },
    );
  },
);

describe("a report without a rejection", () => {
  it("lists the removed checks if the task names their file", () => {
    expect(judge("node", { "test/add.test.js": null }, task("1.1 Sum", "test")).shown).toEqual([
      { path: "test/add.test.js", what: "3 of 3 tests are gone" },
    ]);
  });
});
