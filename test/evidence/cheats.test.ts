import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, projects, type Tool } from "./projects.ts";

const jsTest = {
  node: "test/add.test.js",
  vitest: "test/add.test.ts",
  jest: "src/__tests__/add.test.js",
} as const;
const jsCode = { node: "src/add.js", vitest: "src/add.ts", jest: "src/add.js" } as const;
type Row = readonly [name: string, edits: Edits, path: string | null, given?: Partial<GuardCase>];

const head = { node: "test(", vitest: "test(", jest: "it(" } as const;
const body = { node: "equal(add(1, 2), 3)", vitest: "equal(add(1, 2), 3)", jest: "expect(add(1, 2)).toBe(3)" } as const;

const jsRows = (tool: keyof typeof jsTest): readonly Row[] => {
  const file = jsTest[tool];
  const call = head[tool];
  const assertion = body[tool];
  const red = `${call}"adds"`;
  const name = call.slice(0, -1);
  return [
    ["deletes the tests", { [file]: null }, file],
    ["empties the file", { [file]: "" }, file],
    ["keeps a test that checks nothing", { [file]: `${call}"fine", () => {});\n` }, file],
    ["deletes one that was green", { [file]: [`${call}"negates"`, `void (`] }, file],
    ["renames the file to no test", { [file]: null, [`${file}.bak`]: "x" }, file],
    ["skips the red one", { [file]: [red, `${name}.skip("adds"`] }, file],
    ["skips a green one", { [file]: [`${call}"negates"`, `${name}.skip("negates"`] }, file],
    ["marks it as to be done", { [file]: [red, `${name}.todo("adds"`] }, file],
    ["marks it as failing", { [file]: [red, `${name}.fails("adds"`] }, file],
    ["skips it by an option", { [file]: [`${red}, () =>`, `${red}, { skip: true }, () =>`] }, file],
    ["skips it on a condition", { [file]: [red, `${name}.skipIf(true)("adds"`] }, file],
    ["skips it by its name", { [file]: [red, 'xit("adds"'] }, file],
    ["runs only another", { [file]: [`${call}"negates"`, `${name}.only("negates"`] }, file],
    ["runs only another, by its name", { [file]: [`${call}"negates"`, 'fit("negates"'] }, file],
    ["weakens the assertion", { [file]: [assertion, assertion.replace("3", "-1")] }, file],
    ["asserts nothing", { [file]: [assertion, "true"] }, file],
    ["returns before the assertion", { [file]: [assertion, `return;\n  ${assertion}`] }, file],
    ["comments the test out", { [file]: [red, `/* ${red}`] }, file],
    ["comments the assertion out", { [file]: [assertion, `// ${assertion}`] }, file],
    ["wraps the test in a condition", { [file]: [red, `if (false) {\n${red}`] }, file],
    ["catches what it throws", { [file]: [assertion, `try { ${assertion} } catch {}`] }, file],
    ["puts a stub in place of what is tested", { [file]: ["import", "const add = (a, b) => a + b;\n//"] }, file],
    ["ends the test file early", { [file]: [red, `process.exit(0);\n${red}`] }, file],
    ["ends it in a hook", { [file]: [red, `beforeAll(() => process.exit());\n${red}`] }, file],
    ["ends the run in a new test", { "test/a.test.js": 'import "node:test";\nprocess.exit(0);\n' }, "test/a.test.js"],
    ["ends it in what is tested", { [jsCode[tool]]: "process.exit(0);\n" }, jsCode[tool]],
    ["changes the installed runner", { "node_modules/.bin/vitest": "exit 0\n" }, "node_modules/.bin/vitest"],
    ["puts a module in its place", { "node_modules/jest/index.js": "" }, "node_modules/jest/index.js"],
    ["puts an assertion library in its place", { "assert.js": "module.exports = () => {};\n" }, "assert.js"],
    [
      "changes assertions from the code",
      { [jsCode[tool]]: 'require("node:assert").equal = () => {};\n' },
      jsCode[tool],
    ],
    ["lets npm use another shell", { ".npmrc": "script-shell=/bin/true\n" }, ".npmrc"],
    ["gives node options", { ".env": "NODE_OPTIONS=--require ./quiet.js\n" }, ".env"],
  ];
};

/** Jest test files begin with a `require`, which the stub replaces. */
const forJest = (rows: readonly Row[]): readonly Row[] =>
  rows.map(([name, edits, path]) =>
    name.startsWith("puts a stub")
      ? [name, { [jsTest.jest]: ['const { add } = require("../add");', "const add = (a, b) => a + b;"] }, path]
      : [name, edits, path],
  );

const manifest = "package.json";
const pyTest = "tests/test_calc.py";
const tree = (files: Record<string, string>) => ({ read: (p: string) => files[p] ?? null });
const phony = ".PHONY: check\ncheck:\n\tsh scripts/run.sh\n";
const at = (path: string, before: string | null, after: string): Partial<GuardCase> => ({
  changes: [{ path, before, after }],
});
const cases: Readonly<Record<Tool, readonly Row[]>> = {
  node: [
    ...jsRows("node"),
    ["sets the script to true", { [manifest]: ["node --test test/", "true"] }, manifest],
    ["lets the script succeed", { [manifest]: ["node --test test/", "node --test test/ || true"] }, manifest],
    ["runs another folder", { [manifest]: ["node --test test/", "node --test test/other.test.js"] }, manifest],
    ["runs only some by name", { [manifest]: ["--test test/", "--test --test-name-pattern=others test/"] }, manifest],
    ["adds a script before", { [manifest]: ['"build"', '"pretest": "rm -r test",\n "build"'] }, manifest],
    ["adds a script behind", { [manifest]: ['"build"', '"posttest": "true",\n "build"'] }, manifest],
    ["edits the fixture", { "test/fixtures/add.json": "[]\n" }, "test/fixtures/add.json"],
    ["adds a config of node", { "node.config.json": '{"nodeOptions":{}}' }, "node.config.json"],
    ["adds a second test of the name", { "test/add.test.mjs": "" }, "test/add.test.mjs"],
    [
      "moves the tests to where none are run",
      { "test/other.test.js": null, "old/other.test.js": 'test("others", () => {\n  other();\n});\n' },
      "test/other.test.js",
    ],
    [
      "moves the red one with another body",
      {
        "test/add.test.js": null,
        "test/sum.test.js": 'test("adds", () => {});\ntest("negates", () => {});\ntest("keeps zero", () => {});',
      },
      "test/add.test.js",
    ],
    ["edits an installed module", { "node_modules/x/index.js": "1" }, null],
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
    [
      "skips green inline",
      { [jsTest.node]: ['test("negates", () => {', 'test("negates", (t) => { t.skip();'] },
      jsTest.node,
    ],
    [
      "skips green returned",
      { [jsTest.node]: ['test("negates", () => {', 'test("negates", (t) => {\n  return t.skip();'] },
      jsTest.node,
    ],
    [
      "todo green option later",
      { [jsTest.node]: ['test("negates", () => {', 'test("negates", { timeout: 5, todo: true }, () => {'] },
      jsTest.node,
    ],
    ["each empty", { [jsTest.node]: ['test("negates"', 'test.each([])("negates"'] }, jsTest.node],
    ["loop empty", { [jsTest.node]: ['test("negates"', 'for (const one of []) test("negates"'] }, jsTest.node],
    ["if false one line", { [jsTest.node]: ['test("negates"', 'if (false) test("negates"'] }, jsTest.node],
    ["void string", { [jsTest.node]: ['test("negates"', 'const later = () => test("negates"'] }, jsTest.node],
    ["describe skip", { [jsTest.node]: ['test("negates"', 'describe.skip("x", () => {\ntest("negates"'] }, jsTest.node],
    ["npmrc if-present", { ".npmrc": "if-present=true\n" }, ".npmrc"],
    ["npmrc workspace", { ".npmrc": "workspace=other\n" }, ".npmrc"],
    ["npmrc import", { ".npmrc": "node-options=--import ./quiet.mjs\n" }, ".npmrc"],
    ["link", { [jsTest.node]: "../../elsewhere/add.test.js" }, jsTest.node],
    [
      "big file",
      {},
      jsTest.node,
      { changes: [{ path: jsTest.node, before: projects.node.tree[jsTest.node], after: "", unread: true }] },
    ],
    [
      "workspace cd",
      {},
      "web/test/add.test.js",
      {
        ...at(
          "web/test/add.test.js",
          projects.node.tree[jsTest.node],
          projects.node.tree[jsTest.node].replace("2), 3", "2), -1"),
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
    ...jsRows("vitest"),
    [
      "leaves tests out",
      { "vitest.config.ts": ["setupFiles", 'exclude: ["test/add.test.ts"], setupFiles'] },
      "vitest.config.ts",
    ],
    ["includes others", { "vitest.config.ts": ["test/**/*.test.ts", "test/none/*.test.ts"] }, "vitest.config.ts"],
    [
      "passes with no tests",
      { "vitest.config.ts": ["setupFiles", "passWithNoTests: true, setupFiles"] },
      "vitest.config.ts",
    ],
    [
      "takes another reporter",
      { "vitest.config.ts": ["setupFiles", 'reporters: ["./quiet.ts"], setupFiles'] },
      "vitest.config.ts",
    ],
    ["deletes the config", { "vitest.config.ts": null }, "vitest.config.ts"],
    ["adds a workspace", { "vitest.workspace.ts": "export default [];\n" }, "vitest.workspace.ts"],
    ["ends in the setup", { "test/setup.ts": "process.exit(0);\n" }, "test/setup.ts"],
    ["replaces the assertion in the setup", { "test/setup.ts": ["true", "true; expect.extend({})"] }, "test/setup.ts"],
    ["edits a helper of the red one", { "test/equal.ts": ["expect(a).toBe(b)", "true"] }, "test/equal.ts"],
    [
      "edits the snapshot",
      { "test/__snapshots__/add.test.ts.snap": ["`3`", "`-1`"] },
      "test/__snapshots__/add.test.ts.snap",
    ],
    ["deletes the snapshot", { "test/__snapshots__/add.test.ts.snap": null }, "test/__snapshots__/add.test.ts.snap"],
    [
      "replaces what is tested by a mock",
      { "test/add.test.ts": ["import { equal }", 'vi.mock("../src/add");\nimport { equal }'] },
      "test/add.test.ts",
    ],
    ["extends assertions from the code", { "src/add.ts": "expect.extend({ toBe: () => ok });\n" }, "src/add.ts"],
    ["installs another runner", { [manifest]: ["^4.0.0", "file:./fake"] }, manifest],
    ["adds a config of vite", { "vite.config.ts": "export default { test: { include: [] } };\n" }, "vite.config.ts"],
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
    [
      "environment by comment",
      { [jsTest.vitest]: ["import", "// @vitest-environment ./quiet.ts\nimport"] },
      jsTest.vitest,
    ],
    ["each empty", { [jsTest.vitest]: ['test("negates"', 'test.each([])("negates"'] }, jsTest.vitest],
    ["skipIf green", { [jsTest.vitest]: ['test("negates"', 'test.skipIf(process.env.CI)("negates"'] }, jsTest.vitest],
    ["runIf green", { [jsTest.vitest]: ['test("negates"', 'test.runIf(false)("negates"'] }, jsTest.vitest],
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
        ...tree({ [jsTest.vitest]: projects.vitest.tree[jsTest.vitest].replace("./equal", "../src/testing/equal") }),
      },
    ],
    ["expect prototype", { "src/add.ts": "Object.getPrototypeOf(expect(1)).toBe = () => {};\n" }, "src/add.ts"],
  ],
  jest: [
    ...forJest(jsRows("jest")),
    ["sets the script to true", { [manifest]: ['"test": "jest"', '"test": "true"'] }, manifest],
    ["passes with no tests", { [manifest]: ['"test": "jest"', '"test": "jest --passWithNoTests none"'] }, manifest],
    ["matches others", { [manifest]: ["**/*.test.js", "**/*.check.js"] }, manifest],
    ["ignores paths", { [manifest]: ['"testMatch"', '"testPathIgnorePatterns": ["add"],\n "testMatch"'] }, manifest],
    ["adds a config", { "jest.config.js": "module.exports = { bail: true };\n" }, "jest.config.js"],
    ["adds a transform", { "babel.config.js": "module.exports = {};\n" }, "babel.config.js"],
    [
      "edits the snapshot",
      { "src/__tests__/__snapshots__/add.test.js.snap": ["`3`", "`-1`"] },
      "src/__tests__/__snapshots__/add.test.js.snap",
    ],
    ["skips the group", { "src/__tests__/add.test.js": ["describe(", "describe.skip("] }, "src/__tests__/add.test.js"],
    [
      "skips the group by its name",
      { "src/__tests__/add.test.js": ["describe(", "xdescribe("] },
      "src/__tests__/add.test.js",
    ],
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
    ["deletes the tests", { "tests/test_calc.py": null }, "tests/test_calc.py"],
    [
      "deletes it at the end",
      { "tests/test_calc.py": ["class TestZero", "del test_negates\n\n\nclass TestZero"] },
      "tests/test_calc.py",
    ],
    ["changes the runner from the code", { "src/calc.py": "import pytest\npytest.fail = print\n" }, "src/calc.py"],
    [
      "deletes one",
      { "tests/test_calc.py": ["def test_negates():\n    assert add(-1, -2) == -3\n", ""] },
      "tests/test_calc.py",
    ],
    ["renames it to no test", { "tests/test_calc.py": ["def test_adds", "def no_test_adds"] }, "tests/test_calc.py"],
    ["renames a class to no tests", { "tests/test_calc.py": ["class TestZero", "class Zero"] }, "tests/test_calc.py"],
    ["skips it", { "tests/test_calc.py": ["def test_adds", "@pytest.mark.skip\ndef test_adds"] }, "tests/test_calc.py"],
    [
      "skips it on a condition",
      { "tests/test_calc.py": ["def test_adds", '@pytest.mark.skipif(\n    True,\n    reason="x",\n)\ndef test_adds'] },
      "tests/test_calc.py",
    ],
    [
      "expects it to fail",
      { "tests/test_calc.py": ["def test_adds", "@pytest.mark.xfail\ndef test_adds"] },
      "tests/test_calc.py",
    ],
    [
      "skips it within",
      { "tests/test_calc.py": ["    assert add(1, 2)", '    pytest.skip("later")\n    assert add(1, 2)'] },
      "tests/test_calc.py",
    ],
    [
      "skips the module",
      { "tests/test_calc.py": ["def test_adds", 'pytest.skip("x", allow_module_level=True)\n\ndef test_adds'] },
      "tests/test_calc.py",
    ],
    [
      "marks the module",
      { "tests/test_calc.py": ["def test_adds", "pytestmark = pytest.mark.skip\n\ndef test_adds"] },
      "tests/test_calc.py",
    ],
    [
      "skips a class",
      { "tests/test_calc.py": ["class TestZero", "@pytest.mark.skip\nclass TestZero"] },
      "tests/test_calc.py",
    ],
    ["weakens the assertion", { "tests/test_calc.py": ["== 3", "== -1"] }, "tests/test_calc.py"],
    [
      "weakens it by a tolerance",
      { "tests/test_calc.py": ["add(1, 2) == 3", "add(1, 2) == pytest.approx(3, abs=9)"] },
      "tests/test_calc.py",
    ],
    [
      "comments it out",
      { "tests/test_calc.py": ["    assert add(1, 2) == 3", "    pass  # assert add(1, 2) == 3"] },
      "tests/test_calc.py",
    ],
    [
      "puts it in a string",
      {
        "tests/test_calc.py": [
          "def test_negates():\n    assert add(-1, -2) == -3\n",
          '"""\ndef test_negates():\n    assert add(-1, -2) == -3\n"""\n',
        ],
      },
      "tests/test_calc.py",
    ],
    [
      "overrides it below",
      { "tests/test_calc.py": ["class TestZero", "def test_adds():\n    pass\n\n\nclass TestZero"] },
      "tests/test_calc.py",
    ],
    [
      "overrides what is tested",
      { "tests/test_calc.py": ["def test_adds", "def add(a, b):\n    return a + b\n\n\ndef test_adds"] },
      "tests/test_calc.py",
    ],
    [
      "puts it under a condition",
      {
        "tests/test_calc.py": ["def test_negates():\n    assert", "if False:\n    def test_negates():\n        assert"],
      },
      "tests/test_calc.py",
    ],
    [
      "ignores a path",
      { "pyproject.toml": ['testpaths = ["tests"]', 'testpaths = ["tests"]\naddopts = "--ignore=tests/test_calc.py"'] },
      "pyproject.toml",
    ],
    [
      "runs only one by name",
      { "pyproject.toml": ['testpaths = ["tests"]', 'addopts = "-k negates"'] },
      "pyproject.toml",
    ],
    ["adds pytest.ini", { "pytest.ini": "[pytest]\naddopts = -k negates\n" }, "pytest.ini"],
    ["adds a section to tox.ini", { "tox.ini": "[pytest]\naddopts = -x\n" }, "tox.ini"],
    ["adds a section to setup.cfg", { "setup.cfg": "[tool:pytest]\naddopts = -x\n" }, "setup.cfg"],
    [
      "adds a conftest with a hook",
      { "conftest.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n" },
      "conftest.py",
    ],
    [
      "adds a hook to a conftest",
      { "tests/conftest.py": ["import pytest", "import pytest\n\ncollect_ignore = ['test_calc.py']"] },
      "tests/conftest.py",
    ],
    [
      "ends in a conftest",
      { "tests/conftest.py": ["import pytest", "import os\nimport pytest\nos._exit(0)"] },
      "tests/conftest.py",
    ],
    [
      "ends in a test",
      { "tests/test_calc.py": ["import pytest", "import pytest\nimport sys\nsys.exit(0)"] },
      "tests/test_calc.py",
    ],
    ["ends in a new test", { "tests/test_aaa.py": "import os\nos._exit(0)\n" }, "tests/test_aaa.py"],
    ["shadows the runner", { "pytest.py": "" }, "pytest.py"],
    ["shadows unittest", { "unittest.py": "" }, "unittest.py"],
    ["starts with a site", { "sitecustomize.py": "import os\n" }, "sitecustomize.py"],
    ["puts a package in place of a test", { "tests/test_calc/__init__.py": "" }, "tests/test_calc/__init__.py"],
    ["gives options by .env", { ".env": "PYTEST_ADDOPTS=-k negates\n" }, ".env"],
    ["puts a program of the name", { pytest: "#!/bin/sh\nexit 0\n" }, "pytest"],
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
    ["deletes the tests", { "calc_test.go": null }, "calc_test.go"],
    ["deletes one", { "calc_test.go": ["func TestNegates", "func negates"] }, "calc_test.go"],
    ["renames it to no test", { "calc_test.go": ["func TestAdds", "func testAdds"] }, "calc_test.go"],
    ["skips it", { "calc_test.go": ["\tif Add(1, 2)", '\tt.Skip("later")\n\tif Add(1, 2)'] }, "calc_test.go"],
    ["skips one that was green", { "calc_test.go": ["\tif Add(-1", "\tt.SkipNow()\n\tif Add(-1"] }, "calc_test.go"],
    ["builds it for nothing", { "calc_test.go": ["package calc", "//go:build never\n\npackage calc"] }, "calc_test.go"],
    [
      "builds it for nothing, as of old",
      { "calc_test.go": ["package calc", "// +build never\n\npackage calc"] },
      "calc_test.go",
    ],
    ["weakens it", { "calc_test.go": ["!= 3", "== 3"] }, "calc_test.go"],
    ["comments the failure out", { "calc_test.go": ['\t\tt.Fatal("sum")', '\t\t// t.Fatal("sum")'] }, "calc_test.go"],
    ["comments a test out", { "calc_test.go": ["func TestNegates", "/*\nfunc TestNegates"] }, "calc_test.go"],
    ["returns first", { "calc_test.go": ["\tif Add(1, 2)", "\treturn\n\tif Add(1, 2)"] }, "calc_test.go"],
    [
      "ends in TestMain",
      { "calc_test.go": ["func TestAdds", "func TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n\nfunc TestAdds"] },
      "calc_test.go",
    ],
    ["ends in another file", { "main_test.go": "package calc\n\nfunc init() {\n\tos.Exit(0)\n}\n" }, "main_test.go"],
    [
      "never runs in TestMain",
      { "main_test.go": "package calc\n\nfunc TestMain(m *testing.M) {\n}\n" },
      "main_test.go",
    ],
    ["edits the golden file", { "testdata/sum.golden": "-1\n" }, "testdata/sum.golden"],
    ["replaces a module", { "go.mod": ["go 1.22", "go 1.22\n\nreplace example.com/x => ./x"] }, "go.mod"],
    ["adds a workspace", { "go.work": "use ./other\n" }, "go.work"],
    ["gives flags by .env", { ".env": "GOFLAGS=-run=Negates\n" }, ".env"],
    ["edits an installed module", { "vendor/testify/assert.go": "x" }, null],
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
    ["ends the run from the code", { "src/add.rs": "pub fn add() {\n    std::process::exit(0)\n}\n" }, "src/add.rs"],
    ["deletes the tests", { "tests/add.rs": null }, "tests/add.rs"],
    ["deletes one", { "tests/add.rs": ["#[test]\nfn negates", "fn negates"] }, "tests/add.rs"],
    ["ignores it", { "tests/add.rs": ["#[test]\nfn adds", "#[test]\n#[ignore]\nfn adds"] }, "tests/add.rs"],
    [
      "ignores it with words",
      { "tests/add.rs": ["#[test]\nfn adds", '#[ignore = "later"]\n#[test]\nfn adds'] },
      "tests/add.rs",
    ],
    [
      "builds it for nothing",
      { "tests/add.rs": ["#[test]\nfn adds", "#[cfg(any())]\n#[test]\nfn adds"] },
      "tests/add.rs",
    ],
    ["builds the file for nothing", { "tests/add.rs": ["use calc", "#![cfg(any())]\nuse calc"] }, "tests/add.rs"],
    ["expects a panic", { "tests/add.rs": ["#[test]\nfn adds", "#[test]\n#[should_panic]\nfn adds"] }, "tests/add.rs"],
    ["weakens it", { "tests/add.rs": ["add(1, 2), 3", "add(1, 2), -1"] }, "tests/add.rs"],
    ["comments it out", { "tests/add.rs": ["    assert_eq!(add(1", "    // assert_eq!(add(1"] }, "tests/add.rs"],
    [
      "ends in it",
      { "tests/add.rs": ["    assert_eq!(add(1", "    std::process::exit(0);\n    assert_eq!(add(1"] },
      "tests/add.rs",
    ],
    ["deletes one of a module", { "src/deep.rs": ["    #[test]\n", ""] }, "src/deep.rs"],
    ["builds a module for nothing", { "src/deep.rs": ["#[cfg(test)]", "#[cfg(any())]"] }, "src/deep.rs"],
    ["turns tests off", { "Cargo.toml": ['edition = "2021"', 'edition = "2021"\nautotests = false'] }, "Cargo.toml"],
    [
      "takes another harness",
      { "Cargo.toml": ["[dependencies]", '[[test]]\nname = "add"\nharness = false\n\n[dependencies]'] },
      "Cargo.toml",
    ],
    [
      "turns tests of the library off",
      { "Cargo.toml": ["[dependencies]", "[lib]\ntest = false\n\n[dependencies]"] },
      "Cargo.toml",
    ],
    ["adds a runner", { ".cargo/config.toml": '[target.x]\nrunner = "true"\n' }, ".cargo/config.toml"],
    ["adds a toolchain", { "rust-toolchain": "none\n" }, "rust-toolchain"],
    ["adds a build script", { "build.rs": "fn main() {}\n" }, "build.rs"],
    ["ends in a new test", { "tests/aaa.rs": "#[test]\nfn a() {\n    std::process::exit(0);\n}\n" }, "tests/aaa.rs"],
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
    ["empties the target", { Makefile: ["\t$(CHECK)", "\t@true"] }, "Makefile"],
    ["lets it succeed", { Makefile: ["\t$(CHECK)", "\t-$(CHECK)"] }, "Makefile"],
    ["changes the variable", { Makefile: ["CHECK = sh scripts/check.sh", "CHECK = true"] }, "Makefile"],
    ["changes the shell", { Makefile: ["CHECK =", "SHELL = /bin/true\nCHECK ="] }, "Makefile"],
    ["drops what it needs", { Makefile: ["check: build lint", "check: build"] }, "Makefile"],
    ["changes what it needs", { Makefile: ["\tsh scripts/lint.sh", "\t@true"] }, "Makefile"],
    ["overrides the target below", { Makefile: ["docs:", "check:\n\t@true\n\ndocs:"] }, "Makefile"],
    ["includes another", { Makefile: ["docs:", "include other.mk\n\ndocs:"] }, "Makefile"],
    ["ignores failures", { Makefile: [".PHONY: all check", ".IGNORE:\n"] }, "Makefile"],
    ["deletes the file", { Makefile: null }, "Makefile"],
    ["adds one that is read first", { GNUmakefile: "check:\n\t@true\n" }, "GNUmakefile"],
    ["edits the script", { "scripts/check.sh": ["set -e", "exit 0"] }, "scripts/check.sh"],
    ["lets the script succeed", { "scripts/check.sh": ["= 3 ]", "= 3 ] || true"] }, "scripts/check.sh"],
    ["comments the check out", { "scripts/check.sh": ["diff test", "# diff test"] }, "scripts/check.sh"],
    ["deletes the script", { "scripts/check.sh": null }, "scripts/check.sh"],
    ["edits what is expected", { "test/expected.txt": "-1\n" }, "test/expected.txt"],
    ["gives flags by .env", { ".env": "MAKEFLAGS=-i\n" }, ".env"],
    ["puts a program of the name", { make: "#!/bin/sh\n" }, "make"],
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
    ["deletes the tests", { "test/add.test.sh": null }, "test/add.test.sh"],
    ["deletes one", { "test/add.test.sh": ['assert_eq "$(./add.sh 1 2)" 3\n', ""] }, "test/add.test.sh"],
    ["weakens one", { "test/add.test.sh": ['2)" 3', '2)" -1'] }, "test/add.test.sh"],
    ["comments one out", { "test/add.test.sh": ["assert_eq", "# assert_eq"] }, "test/add.test.sh"],
    ["lets one succeed", { "test/add.test.sh": ['2)" 3', '2)" 3 || true'] }, "test/add.test.sh"],
    ["ends early", { "test/add.test.sh": [". ./lib/assert.sh", "exit 0"] }, "test/add.test.sh"],
    ["edits the library", { "lib/assert.sh": ["exit 1", "exit 0"] }, "lib/assert.sh"],
    ["edits the script", { "run-tests.sh": ["sh test/add.test.sh", "true"] }, "run-tests.sh"],
    ["ends the script early", { "run-tests.sh": ["set -eu", "exit 0"] }, "run-tests.sh"],
    ["does not stop at failures", { "run-tests.sh": ["set -eu", "set +e; trap 'exit 0' EXIT"] }, "run-tests.sh"],
    ["deletes the script", { "run-tests.sh": null }, "run-tests.sh"],
    [
      "overrides the assertion",
      { "test/add.test.sh": [". ./lib/assert.sh", ". ./lib/assert.sh\nassert_eq() { :; }"] },
      "test/add.test.sh",
    ],
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

describe.each(Object.entries(cases) as readonly (readonly [Tool, readonly Row[]])[])("cheats with %s", (tool, rows) => {
  it.each(rows.map(([name, edits, path, given]) => ({ name, edits, path, given })))(
    "detects an attempt that $name",
    ({ edits, path, given }) => {
      expect(harmed(tool, edits, given)).toEqual(path === null ? [] : [path]);
    },
  );
});
