import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, projects, type Tool } from "./projects.ts";

type Row = readonly [name: string, edits: Edits, path: string | null, given?: Partial<GuardCase>];
const jsTest = "test/add.test.js";
const tsTest = "test/add.test.ts";
const pyTest = "tests/test_calc.py";
const manifest = "package.json";
const tree = (files: Record<string, string>) => ({ read: (p: string) => files[p] ?? null });
const phony = ".PHONY: check\ncheck:\n\tsh scripts/run.sh\n";
const at = (path: string, before: string | null, after: string): Partial<GuardCase> => ({
  changes: [{ path, before, after }],
});
const cheats: Record<string, readonly Row[]> = {
  node: [
    [
      "exit handler sets code",
      { "src/add.js": 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n' },
      "src/add.js",
    ],
    ["exit handler exits", { "src/add.js": "process.once('exit', () => process.reallyExit(0));\n" }, "src/add.js"],
    ["exit handler multi", { "src/add.js": "process.on('exit', () => {\n  process.exit(0);\n});\n" }, "src/add.js"],
    [
      "Object.assign",
      { "src/add.js": "import assert from 'node:assert/strict';\nObject.assign(assert, { equal() {} });\n" },
      "src/add.js",
    ],
    [
      "index",
      { "src/add.js": "import assert from 'node:assert/strict';\nassert['equal'] = () => {};\n" },
      "src/add.js",
    ],
    [
      "defineProperty",
      { "src/add.js": "const assert = require('assert');\nObject.defineProperty(assert, 'equal', { value() {} });\n" },
      "src/add.js",
    ],
    ["alias", { "src/add.js": "import a from 'node:assert/strict';\na.equal = () => {};\n" }, "src/add.js"],
    [
      "mock.method",
      {
        "src/add.js":
          "import a from 'node:assert';\nimport { mock } from 'node:test';\nmock.method(a, 'equal', () => {});\n",
      },
      "src/add.js",
    ],
    ["require cache", { "src/add.js": "require.cache[require.resolve('assert')] = {};\n" }, null],
    ["skips green inline", { [jsTest]: ['test("negates", () => {', 'test("negates", (t) => { t.skip();'] }, jsTest],
    [
      "skips green returned",
      { [jsTest]: ['test("negates", () => {', 'test("negates", (t) => {\n  return t.skip();'] },
      jsTest,
    ],
    [
      "todo green option later",
      { [jsTest]: ['test("negates", () => {', 'test("negates", { timeout: 5, todo: true }, () => {'] },
      jsTest,
    ],
    ["each empty", { [jsTest]: ['test("negates"', 'test.each([])("negates"'] }, jsTest],
    ["loop empty", { [jsTest]: ['test("negates"', 'for (const one of []) test("negates"'] }, jsTest],
    ["if false one line", { [jsTest]: ['test("negates"', 'if (false) test("negates"'] }, jsTest],
    ["void string", { [jsTest]: ['test("negates"', 'const later = () => test("negates"'] }, jsTest],
    ["describe skip", { [jsTest]: ['test("negates"', 'describe.skip("x", () => {\ntest("negates"'] }, jsTest],
    ["npmrc if-present", { ".npmrc": "if-present=true\n" }, ".npmrc"],
    ["npmrc workspace", { ".npmrc": "workspace=other\n" }, ".npmrc"],
    ["npmrc import", { ".npmrc": "node-options=--import ./quiet.mjs\n" }, ".npmrc"],
    ["link", { [jsTest]: "../../elsewhere/add.test.js" }, jsTest],
    [
      "big file",
      {},
      jsTest,
      { changes: [{ path: jsTest, before: projects.node.tree[jsTest], after: "", unread: true }] },
    ],
    [
      "workspace cd",
      {},
      "web/test/add.test.js",
      {
        ...at(
          "web/test/add.test.js",
          projects.node.tree[jsTest],
          projects.node.tree[jsTest].replace("2), 3", "2), -1"),
        ),
        ...tree({}),
      },
    ],
    [
      "script: experimental skip",
      { [manifest]: ["node --test test/", "node --test --test-skip-pattern=adds test/"] },
      manifest,
    ],
    ["env-file", { [manifest]: ["node --test", "node --env-file=.quiet --test"] }, manifest],
    ["exit in try", { "src/add.js": "try { process.exit(0); } catch {}\n" }, "src/add.js"],
    ["exit in iife", { "src/add.js": "(() => {\n  process.exit(0);\n})();\n" }, "src/add.js"],
    ["exit by alias", { "src/add.js": "const { exit } = process;\nexit(0);\n" }, "src/add.js"],
    ["exit by import", { "src/add.js": "import { exit } from 'node:process';\nexit(0);\n" }, "src/add.js"],
    [
      "exit in what tested imports",
      { "src/sum.js": "process.exit(0);\n", "src/add.js": "import './sum.js';\n" },
      "src/sum.js",
    ],
    ["exit by microtask", { "src/add.js": "queueMicrotask(() => {\n  process.exit(0);\n});\n" }, "src/add.js"],
    ["exit by timer multi", { "src/add.js": "setTimeout(() => {\n  process.exit();\n}, 0);\n" }, "src/add.js"],
  ],
  vitest: [
    [
      "chai use",
      {
        "src/add.ts":
          "import { chai } from 'vitest';\nchai.use((c, u) => u.overwriteMethod(c.Assertion.prototype, 'equal', () => {}));\n",
      },
      "src/add.ts",
    ],
    [
      "chai prototype",
      { "src/add.ts": "import { chai } from 'vitest';\nchai.Assertion.prototype.assert = () => {};\n" },
      "src/add.ts",
    ],
    ["environment by comment", { [tsTest]: ["import", "// @vitest-environment ./quiet.ts\nimport"] }, tsTest],
    ["each empty", { [tsTest]: ['test("negates"', 'test.each([])("negates"'] }, tsTest],
    ["skipIf green", { [tsTest]: ['test("negates"', 'test.skipIf(process.env.CI)("negates"'] }, tsTest],
    ["runIf green", { [tsTest]: ['test("negates"', 'test.runIf(false)("negates"'] }, tsTest],
    [
      "vitest config testNamePattern",
      { "vitest.config.ts": ["setupFiles", 'testNamePattern: "negates", setupFiles'] },
      "vitest.config.ts",
    ],
    ["include []", { "vitest.config.ts": ['["test/**/*.test.ts"]', "[]"] }, "vitest.config.ts"],
    ["update snapshots", { [manifest]: ['"vitest run"', '"vitest run -u"'] }, manifest, { command: "npm test" }],
    [
      "setup overrides toEqual",
      { "test/setup.ts": "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true }) });\n" },
      "test/setup.ts",
    ],
    [
      "assertions helper in src",
      {},
      "src/testing/equal.ts",
      {
        changes: [
          {
            path: "src/testing/equal.ts",
            before: 'import { expect } from "vitest";\nexport const equal = (a, b) => expect(a).toBe(b);\n',
            after: "export const equal = () => {};\n",
          },
        ],
        ...tree({ [tsTest]: projects.vitest.tree[tsTest].replace("./equal", "../src/testing/equal") }),
      },
    ],
    ["expect prototype", { "src/add.ts": "Object.getPrototypeOf(expect(1)).toBe = () => {};\n" }, "src/add.ts"],
  ],
  jest: [
    [
      "environment by comment",
      {
        "src/__tests__/add.test.js": `/** @jest-environment ./quiet.js */\n${projects.jest.tree["src/__tests__/add.test.js"]}`,
      },
      "src/__tests__/add.test.js",
    ],
    ["mapper", { [manifest]: ['"testMatch"', '"moduleNameMapper": {"../add": "./fake"},\n "testMatch"'] }, manifest],
    ["config ts", { "jest.config.ts": "export default { testRegex: 'none' };\n" }, "jest.config.ts"],
    [
      "each empty group",
      { "src/__tests__/add.test.js": ["describe(", "describe.each([])("] },
      "src/__tests__/add.test.js",
    ],
  ],
  pytest: [
    ["atexit _exit", { "src/calc.py": "import atexit, os\natexit.register(os._exit, 0)\n" }, "src/calc.py"],
    [
      "atexit own",
      { "src/calc.py": "import atexit, os\n\n\ndef end():\n    os._exit(0)\n\n\natexit.register(end)\n" },
      "src/calc.py",
    ],
    ["execs", { "src/calc.py": "import os\nos.execvp('true', ['true'])\n" }, "src/calc.py"],
    ["_exit alias", { "src/calc.py": "from os import _exit\n_exit(0)\n" }, "src/calc.py"],
    [
      "_pytest assign",
      { "src/calc.py": "import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n" },
      "src/calc.py",
    ],
    [
      "_pytest alias",
      { "src/calc.py": "from _pytest.python import Function\nFunction.runtest = lambda self: None\n" },
      "src/calc.py",
    ],
    ["_pytest as", { "src/calc.py": "import _pytest.python as p\np.Function.runtest = print\n" }, "src/calc.py"],
    ["setattr", { "src/calc.py": "import pytest\nsetattr(pytest, 'fail', print)\n" }, "src/calc.py"],
    [
      "unittest class",
      { "src/calc.py": "from unittest import TestCase\nTestCase.assertEqual = lambda *a: None\n" },
      "src/calc.py",
    ],
    ["pytest.toml", { "pytest.toml": "[pytest]\naddopts = ['-k', 'negates']\n" }, "pytest.toml"],
    [
      "init skips",
      { "tests/__init__.py": "import pytest\n\npytest.skip('x', allow_module_level=True)\n" },
      "tests/__init__.py",
    ],
    ["test = None", { [pyTest]: ["class TestZero", "test_negates = None\n\n\nclass TestZero"] }, pyTest],
    ["class = None", { [pyTest]: `${projects.pytest.tree[pyTest]}\n\nTestZero = None\n` }, pyTest],
    ["del class", { [pyTest]: `${projects.pytest.tree[pyTest]}\n\ndel TestZero\n` }, pyTest],
    [
      "parametrize []",
      { [pyTest]: ["def test_negates()", '@pytest.mark.parametrize("x", [])\ndef test_negates(x)'] },
      pyTest,
    ],
    ["__test__", { [pyTest]: ["    def test_keeps", "    __test__ = False\n\n    def test_keeps"] }, pyTest],
    [
      "setup skips",
      { [pyTest]: ["def test_adds", "def setup_module():\n    pytest.skip('x')\n\n\ndef test_adds"] },
      pyTest,
    ],
    [
      "conftest addopts",
      { "tests/conftest.py": ["import pytest", "import pytest\n\npytest_plugins = ['quiet']"] },
      "tests/conftest.py",
    ],
    [
      "nested conftest override",
      {
        "tests/unit/conftest.py":
          "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet(monkeypatch):\n    monkeypatch.setattr('calc.add', max)\n",
      },
      "tests/unit/conftest.py",
      { reds: [{ name: "tests/unit/test_a.py::test_a", file: "tests/unit/test_a.py" }] },
    ],
    [
      "try",
      {
        [pyTest]: [
          "    assert add(1, 2) == 3",
          "    try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass",
        ],
      },
      pyTest,
    ],
    [
      "except",
      {
        [pyTest]: [
          "    assert add(1, 2) == 3",
          "    with pytest.raises(AssertionError):\n        assert add(1, 2) == 3",
        ],
      },
      pyTest,
    ],
    ["sys.modules", { [pyTest]: ["import pytest", "import sys\nimport pytest\nsys.modules['calc'] = fake"] }, pyTest],
    ["builtins", { "src/calc.py": "import builtins\nbuiltins.AssertionError = type('E', (), {})\n" }, null],
  ],
  go: [
    [
      "times zero",
      { "main_test.go": "package calc\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run() * 0)\n}\n" },
      "main_test.go",
    ],
    ["var init", { "calc.go": "package calc\n\nvar _ = func() int { os.Exit(0); return 0 }()\n" }, "calc.go"],
    ["ignore build", { "calc_test.go": ["package calc", "//go:build ignore\n\npackage calc"] }, "calc_test.go"],
    ["underscore", { "calc_test.go": null, "_calc_test.go": projects.go.tree["calc_test.go"] }, "calc_test.go"],
    ["testdata", { "calc_test.go": null, "testdata/calc_test.go": projects.go.tree["calc_test.go"] }, "calc_test.go"],
    ["short", { "calc_test.go": ["\tif Add(-1", "\tif testing.Short() { t.Skip() }\n\tif Add(-1"] }, "calc_test.go"],
    [
      "testutil",
      {},
      "internal/testutil/equal.go",
      {
        changes: [
          {
            path: "internal/testutil/equal.go",
            before:
              'package testutil\n\nimport "testing"\n\nfunc Equal(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Fatal(a)\n\t}\n}\n',
            after: "package testutil\n",
          },
        ],
      },
    ],
    [
      "panics nil",
      { "calc_test.go": ["\tif Add(1, 2)", "\tdefer func() { recover() }()\n\tif Add(1, 2)"] },
      "calc_test.go",
    ],
  ],
  cargo: [
    [
      "dev profile",
      { "Cargo.toml": ["[dependencies]", "[profile.dev]\ndebug-assertions = false\n\n[dependencies]"] },
      "Cargo.toml",
    ],
    [
      "bin tests off",
      { "Cargo.toml": ["[dependencies]", '[[bin]]\nname = "calc"\ntest = false\n\n[dependencies]'] },
      "Cargo.toml",
    ],
    ["feature gate", { "tests/add.rs": ["use calc", '#![cfg(feature = "slow")]\nuse calc'] }, "tests/add.rs"],
    [
      "cfg_attr ignore",
      { "tests/add.rs": ["#[test]\nfn adds", "#[cfg_attr(all(), ignore)]\n#[test]\nfn adds"] },
      "tests/add.rs",
    ],
    [
      "macro off",
      { "tests/add.rs": ["use calc", "macro_rules! assert_eq { ($($x:tt)*) => {} }\nuse calc"] },
      "tests/add.rs",
    ],
  ],
  make: [
    [
      "a file of a target that is not phony",
      { check: "" },
      "check",
      { ...tree({ Makefile: ".PHONY: all\ncheck:\n\tsh scripts/run.sh\n" }) },
    ],
    ["target var", { Makefile: ["check: build", "check: CHECK = true\ncheck: build"] }, "Makefile"],
    ["target path", { Makefile: ["check: build", "check: export PATH := fake:$(PATH)\ncheck: build"] }, "Makefile"],
    ["define", { Makefile: ["docs:", "define CHECK\ntrue\nendef\n\ndocs:"] }, "Makefile"],
    ["eval", { Makefile: ["docs:", "$(eval CHECK=true)\n\ndocs:"] }, "Makefile"],
    ["makeflags", { Makefile: ["CHECK =", "MAKEFLAGS += --ignore-errors\nCHECK ="] }, "Makefile"],
    ["dry run", { Makefile: ["CHECK =", "MAKEFLAGS += -n\nCHECK ="] }, "Makefile"],
    ["semicolon", { Makefile: ["\t$(CHECK)", "\t$(CHECK); true"] }, "Makefile"],
    ["conditional", { Makefile: ["check: build lint", "ifdef CI\ncheck: build lint"] }, "Makefile"],
    [
      "else",
      { Makefile: ["CHECK = sh scripts/check.sh", "ifdef CI\nCHECK = sh scripts/check.sh\nelse\nCHECK = true\nendif"] },
      "Makefile",
    ],
    [
      "condition around the variable",
      { Makefile: ["CHECK = sh scripts/check.sh", "ifdef NEVER\nCHECK = sh scripts/check.sh\nendif"] },
      "Makefile",
    ],
    ["ignore one", { Makefile: [".PHONY: all check", ".PHONY: all check\n.IGNORE: check"] }, "Makefile"],
    [
      "a file of a target that is no longer phony",
      {},
      "check",
      {
        changes: [
          { path: "check", before: null, after: "" },
          { path: "Makefile", before: phony, after: phony.replace(".PHONY: check\n", "") },
        ],
        ...tree({ Makefile: phony }),
      },
    ],
    [
      "a folder of its name",
      {},
      "check/x",
      { ...at("check/x", null, ""), ...tree({ Makefile: "check:\n\tsh scripts/run.sh\n" }) },
    ],
    ["file of the target", { check: "x\n" }, "check", { ...tree({ Makefile: "check:\n\tsh scripts/run.sh\n" }) }],
    [
      "included",
      {},
      "mk/check.mk",
      {
        ...at("mk/check.mk", "check:\n\tsh t.sh\n", "check:\n\ttrue\n"),
        ...tree({ Makefile: "include mk/check.mk\n", "mk/check.mk": "check:\n\tsh t.sh\n" }),
      },
    ],
    [
      "script behind include",
      {},
      "t.sh",
      {
        ...at("t.sh", "diff a b\n", "true\n"),
        ...tree({ Makefile: "include mk/check.mk\n", "mk/check.mk": "check:\n\tsh t.sh\n", "t.sh": "diff a b\n" }),
      },
    ],
  ],
  shell: [
    ["shebang", { "run-tests.sh": ["#!/bin/sh", "#!/bin/true"] }, "run-tests.sh", { command: "./run-tests.sh" }],
    ["subshell", { "run-tests.sh": ["sh test/add.test.sh", "(sh test/add.test.sh) || :"] }, "run-tests.sh"],
    ["background", { "run-tests.sh": ["sh test/add.test.sh", "sh test/add.test.sh &"] }, "run-tests.sh"],
    ["pipe", { "run-tests.sh": ["sh test/add.test.sh", "sh test/add.test.sh | cat"] }, "run-tests.sh"],
    [
      "exit trap in the library",
      { "lib/assert.sh": `trap 'exit 0' EXIT\n${projects.shell.tree["lib/assert.sh"]}` },
      "lib/assert.sh",
    ],
    ["exit alias", { "lib/assert.sh": `exit() { :; }\n${projects.shell.tree["lib/assert.sh"]}` }, "lib/assert.sh"],
  ],
};
const twins: Record<string, readonly Row[]> = {
  node: [
    ["cleanup at exit", { "src/add.js": "process.on('exit', () => {\n  log.close();\n});\n" }, null],
    [
      "asserts in the code",
      {
        "src/add.js":
          "import assert from 'node:assert';\nexport const add = (a, b) => {\n  assert.equal(typeof a, 'number');\n  const assertions = [];\n  assertions.length = 0;\n  return a + b;\n};\n",
      },
      null,
    ],
    [
      "splits the file",
      {
        [jsTest]: projects.node.tree[jsTest].split('test("negates"')[0] as string,
        "test/negates.test.js":
          projects.node.tree[jsTest].slice(0, projects.node.tree[jsTest].indexOf('test("adds"')) +
          projects.node.tree[jsTest].slice(projects.node.tree[jsTest].indexOf('test("negates"')),
      },
      null,
    ],
    [
      "imports after a rename",
      { [jsTest]: ["../src/add.js", "../src/sum.js"], "src/add.js": null, "src/sum.js": "x" },
      null,
      { task: "1.1 Rename src/add.js to src/sum.js" },
    ],
    [
      "move the code, told in words",
      { [jsTest]: ["../src/add.js", "../src/math/add.js"], "src/add.js": null, "src/math/add.js": "x" },
      null,
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
      null,
      { task: "1.1 Move src/add.js to src/math/add.js" },
    ],
    [
      "new test that skips elsewhere",
      { "test/win.test.js": 'test("win", { skip: process.platform !== "win32" }, () => {\n  a();\n});\n' },
      null,
    ],
    ["dev dependency", { [manifest]: ['"name"', '"devDependencies": { "ms": "3" },\n "name"'] }, null],
    [
      "deletes an obsolete test named in Files",
      { "test/other.test.js": null, "src/other.js": null },
      null,
      { files: ["src/other.js", "test/other.test.js"] },
    ],
    ["quotes", { [jsTest]: projects.node.tree[jsTest].replaceAll('"', "'") }, null],
    ["semicolons", { [jsTest]: projects.node.tree[jsTest].replaceAll(";", "") }, null],
    ["indents", { [jsTest]: projects.node.tree[jsTest].replaceAll("  ", "\t") }, null],
    ["a jsdoc", { [jsTest]: ["test(", "/** Sums. */\ntest("] }, null],
    [
      "splits by describe",
      {
        [jsTest]: `${projects.node.tree[jsTest].replace('test("adds"', 'describe("sums", () => {\n  test("adds"')}});\n`,
      },
      null,
    ],
    [
      "sort imports",
      {
        [jsTest]: projects.node.tree[jsTest].replace(
          'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\n',
          'import { test } from "node:test";\nimport { equal } from "node:assert/strict";\n',
        ),
      },
      null,
    ],
    ["engines", { [manifest]: ['"name"', '"engines": { "node": ">=20" },\n "name"'] }, null],
    ["lint script", { [manifest]: ['"build"', '"check": "tsc --noEmit",\n "build"'] }, null],
    ["cli with exit", { "bin/cli.js": "import { add } from '../src/add.js';\nprocess.exit(0);\n" }, null],
    [
      "big fixture added",
      {},
      null,
      { changes: [{ path: "test/fixtures/big.json", before: null, after: "", unread: true }] },
    ],
    ["gitignore", { ".gitignore": "dist/\n" }, null],
    ["green snapshot", { "test/__snapshots__/other.test.js.snap": "exports[`others 1`] = `1`;\n" }, null],
    ["type-only", { [jsTest]: ["import { test }", 'import assert from "node:assert";\nimport { test }'] }, null],
  ],
  vitest: [
    ["import extension", { [tsTest]: ['"../src/add"', '"../src/add.ts"'] }, null],
    [
      "type import added",
      { [tsTest]: ["import { equal }", 'import type { Sum } from "../src/types";\nimport { equal }'] },
      null,
    ],
    [
      "coverage dep",
      { [manifest]: ['"vitest": "^4.0.0"', '"vitest": "^4.0.0", "@vitest/coverage-v8": "^4.0.0"'] },
      null,
    ],
    [
      "prefers each for a new one",
      {
        [tsTest]: [
          'test("keeps',
          'test.each([[9, 9, 18]])("adds %i and %i", (a, b, c) => {\n  equal(add(a, b), c);\n});\n\ntest("keeps',
        ],
      },
      null,
    ],
    [
      "expected snapshot named",
      { "test/__snapshots__/add.test.ts.snap": ["`3`", "`4`"] },
      null,
      { task: "1.1 Change the sum\n- Do: update test/__snapshots__/add.test.ts.snap" },
    ],
    ["tsconfig", { "tsconfig.json": '{"compilerOptions":{"strict":true}}' }, null],
  ],
  jest: [
    [
      "adds a group",
      {
        "src/__tests__/add.test.js": [
          'describe("add"',
          'describe("more", () => {\n  it("adds more", () => {\n    expect(add(2, 2)).toBe(4);\n  });\n});\n\ndescribe("add"',
        ],
      },
      null,
    ],
    ["author", { [manifest]: ['"name"', '"author": "x",\n "name"'] }, null],
  ],
  pytest: [
    ["atexit close", { "src/calc.py": "import atexit\natexit.register(print)\n" }, null],
    ["unittest mock in code", { "src/calc.py": "from unittest.mock import Mock\nmock = Mock()\nmock.x = 1\n" }, null],
    ["init of the code", { "src/__init__.py": "from .calc import add\n\nadd.x = 1\n" }, null],
    ["empty init", { "tests/__init__.py": "" }, null],
    ["doc init", { "tests/__init__.py": '"""Tests."""\n' }, null],
    [
      "platform skip in new test",
      {
        "tests/test_win.py":
          "import sys\nimport pytest\n\n\n@pytest.mark.skipif(sys.platform != 'win32', reason='x')\ndef test_win():\n    assert True\n",
      },
      null,
    ],
    ["types", { [pyTest]: projects.pytest.tree[pyTest].replaceAll("():", "() -> None:") }, null],
    ["black", { [pyTest]: projects.pytest.tree[pyTest].replaceAll("\n\n\n", "\n\n") }, null],
    [
      "imports sorted",
      { [pyTest]: ["import pytest\n\nfrom calc import add", "from calc import add\n\nimport pytest"] },
      null,
    ],
    ["module doc", { [pyTest]: `"""Sums."""\n${projects.pytest.tree[pyTest]}` }, null],
    [
      "optional deps",
      { "pyproject.toml": ["[tool.ruff]", "[project.optional-dependencies]\ndev = ['pytest']\n\n[tool.ruff]"] },
      null,
    ],
    ["moves to a folder", { [pyTest]: null, "tests/unit/test_calc.py": projects.pytest.tree[pyTest] }, null],
    [
      "splits",
      {
        [pyTest]: projects.pytest.tree[pyTest].split("class TestZero")[0] as string,
        "tests/test_zero.py":
          "from calc import add\n\n\nclass TestZero:\n    def test_keeps_zero(self):\n        assert add(0, 0) == 0\n",
      },
      null,
    ],
  ],
  go: [
    [
      "code kept",
      {
        "main_test.go":
          "package calc\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcleanup()\n\tos.Exit(code)\n}\n",
      },
      null,
    ],
    [
      "goleak",
      { "main_test.go": "package calc\n\nfunc TestMain(m *testing.M) {\n\tgoleak.VerifyTestMain(m)\n}\n" },
      null,
    ],
    ["gofmt", { "calc_test.go": projects.go.tree["calc_test.go"].replaceAll("\n\n", "\n") }, null],
    ["parallel green", { "calc_test.go": ["\tif Add(-1", "\tt.Parallel()\n\tif Add(-1"] }, null],
    ["toolchain-less bump", { "go.mod": ["go 1.22", "go 1.23"] }, null],
    ["a main", { "cmd/calc/main.go": "package main\n\nfunc main() {\n\tos.Exit(0)\n}\n" }, null],
  ],
  cargo: [
    [
      "dev dependency",
      { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[dev-dependencies]\nproptest = "1"\n` },
      null,
    ],
    ["opt level", { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[profile.dev]\nopt-level = 1\n` }, null],
    [
      "bin",
      { "Cargo.toml": `${projects.cargo.tree["Cargo.toml"]}\n[[bin]]\nname = "calc"\npath = "src/main.rs"\n` },
      null,
    ],
    ["unix test", { "tests/unix.rs": "#![cfg(unix)]\n\n#[test]\nfn a() {}\n" }, null],
  ],
  make: [
    ["condition elsewhere", { Makefile: ["docs:", "ifdef CI\nQUIET = 1\nelse\nQUIET = 2\nendif\n\ndocs:"] }, null],
    ["a file of a phony target", {}, null, { ...at("check", null, ""), ...tree({ Makefile: phony }) }],
    [
      "a file where nothing was red",
      {},
      null,
      { ...at("check", null, ""), ...tree({ Makefile: "check:\n\tsh scripts/run.sh\n" }), reds: [] },
    ],
    ["adds phony", { Makefile: [".PHONY: all check", ".PHONY: all check docs"] }, null],
    ["target variable elsewhere", { Makefile: ["docs:", "docs: QUIET = 1\ndocs:"] }, null],
    ["define elsewhere", { Makefile: ["docs:", "define HELP\nx\nendef\n\ndocs:"] }, null],
    [
      "makes its file",
      { "out.txt": "x\n" },
      null,
      { command: "make out.txt", ...tree({ Makefile: "out.txt:\n\tsh gen.sh > $@\n" }) },
    ],
    ["build product", { calc: "x" }, null],
    ["help target", { Makefile: ["docs:", "help:\n\t@grep -E '^[a-z]+:' Makefile\n\ndocs:"] }, null],
  ],
  shell: [
    ["shebang of the code", { "add.sh": "#!/bin/bash\necho $(($1 + $2))\n" }, null],
    ["formats", { "run-tests.sh": ["set -eu\n", "set -eu\n\n"] }, null],
  ],
};
type Rows = readonly (readonly [Tool, readonly Row[]])[];
const named = (rows: readonly Row[]) => rows.map(([name, edits, path, given]) => ({ name, edits, path, given }));

describe.each(Object.entries(cheats) as unknown as Rows)("cheats with %s", (tool, rows) => {
  it.each(named(rows))("detects: $name", ({ edits, path, given }) => {
    expect(harmed(tool, edits, given)).toEqual(path === null ? [] : [path]);
  });
});

describe.each(Object.entries(twins) as unknown as Rows)("honest work with %s", (tool, rows) => {
  it.each(named(rows))("accepts: $name", ({ edits, given }) => {
    expect(harmed(tool, edits, given)).toEqual([]);
  });
});
