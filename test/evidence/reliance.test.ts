import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, harmedIn, type Tool, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const jsTest = "test/add.test.js";
const pyTest = "tests/test_calc.py";
const red = (file: string): Given => ({ reds: [{ name: file, file }] });
const eq = (body: string): string => `class Sum(int):\n    def __eq__(self, other):\n        ${body}\n`;
const rustEq = (what: string, body: string): string =>
  `impl ${what} for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        ${body}\n    }\n}\n`;

describe("code that changes what each assertion relies on", () => {
  it.each<[Tool, string, string]>([
    ["vitest", "src/add.ts", "Object.is = () => true;\n"],
    ["vitest", "src/add.ts", 'Object.defineProperty(Object, "is", { value: () => true });\n'],
    ["vitest", "src/add.ts", 'Object["is"] = () => true;\n'],
    ["node", "src/add.js", "process.exit = () => {};\n"],
    ["node", "src/add.js", 'process.on("beforeExit", () => {\n  process.exitCode = undefined;\n});\n'],
    ["jest", "src/add.js", "Object.assign(globalThis, { expect: fake });\n"],
    ["jest", "src/add.js", 'jest.spyOn(global, "expect").mockReturnValue(fake);\n'],
    ["jest", "src/add.js", "global.expect = () => ({ toBe() {} });\n"],
    ["jest", "src/add.js", 'globalThis["it"] = () => {};\n'],
    ["jest", "src/add.js", 'Object.defineProperty(globalThis, "expect", { value: fake });\n'],
    ["vitest", "src/add.ts", "export const add = () => ({ asymmetricMatch: () => true });\n"],
    ["pytest", "src/calc.py", eq("return True")],
    ["pytest", "src/calc.py", "class Sum(int):\n    __eq__ = lambda self, other: True\n"],
    ["cargo", "src/add.rs", rustEq("PartialEq<i32>", "true")],
    ["cargo", "src/add.rs", rustEq("PartialEq<i32>", "let _ = other;\n        true")],
  ])("is guarded (%s, %s, %j)", (tool, path, text) => {
    expect(harmed(tool, { [path]: text }, { files: [path] })).toEqual([path]);
  });

  it.each<[Tool, string, string]>([
    ["vitest", "src/add.ts", "export const isSame = Object.is;\nconst all = Object.is === isSame;\n"],
    ["node", "src/add.js", "globalThis.sums = [];\nprocess.exitCode = 1;\n"],
    ["jest", "src/add.js", "if (global.it === undefined) start();\n"],
    ["pytest", "src/calc.py", eq("if self is other:\n            return True\n        return int(self) == int(other)")],
    ["jest", "src/add.js", 'if (Object.hasOwn(globalThis, "it")) start(global.it);\n'],
    ["cargo", "src/add.rs", rustEq("PartialEq<i32>", "self.0 == *other")],
    ["cargo", "src/add.rs", rustEq("PartialEq", "true")],
  ])("is told from other code (%s, %s, %j)", (tool, path, text) => {
    expect(harmed(tool, { [path]: text }, { files: [path] })).toEqual([]);
  });
});

describe("code that steers the checks that load it", () => {
  it.each<[Tool, string, string]>([
    ["vitest", "src/add.ts", 'import { afterEach } from "vitest";\nafterEach(({ task }) => done(task));\n'],
    ["jest", "src/add.js", "beforeEach(() => {\n  patch();\n});\n"],
    ["pytest", "src/calc.py", 'import pytest\n\n\ndef add(a, b):\n    pytest.xfail("later")\n'],
    ["pytest", "src/calc.py", "import unittest\n\n\ndef add(a, b):\n    raise unittest.SkipTest\n"],
    ["pytest", "src/calc.py", "from unittest.mock import ANY\n\n\ndef add(a, b):\n    return ANY\n"],
  ])("is guarded (%s, %s, %j)", (tool, path, text) => {
    expect(harmed(tool, { [path]: text }, { files: [path] })).toEqual([path]);
  });

  it.each<[Tool, string, string]>([
    ["vitest", "src/set-up.ts", 'import { afterEach } from "vitest";\nafterEach(() => clear());\n'],
    ["pytest", "src/plugin.py", "import pytest\n\n\ndef skip():\n    pytest.skip()\n"],
    ["node", "src/add.js", "export const hooks = { beforeEach() {} };\n"],
  ])("may exist elsewhere (%s, %s, %j)", (tool, path, text) => {
    expect(harmed(tool, { [path]: text }, { files: [path] })).toEqual([]);
  });
});

it("does not take a program for a module of its name", () => {
  const exits = 'import { add } from "../src/add.js";\nprocess.exit(0);\n';
  expect(harmed("node", { "bin/add.js": exits })).toEqual([]);
  expect(harmed("node", { "src/add.js": "process.exit(0);\n" })).toEqual(["src/add.js"]);
});

describe("a new file in place of what a red check imports", () => {
  const tree: Tree = {
    [pyTest]: "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n",
    "src/calc.py": "def add(a, b):\n    return a - b\n",
    [jsTest]: 'import { want } from "wanted";\ntest("adds", () => {\n  equal(1, want);\n});\n',
    "test/mock.test.js": 'jest.mock("wanted");\nimport { want } from "wanted";\n',
  };
  it.each<[string, string, Edits]>([
    ["a module beside the check", pyTest, { "tests/calc.py": "def add(a, b):\n    return 3\n" }],
    ["a package beside the check", pyTest, { "tests/calc/__init__.py": "add = max\n" }],
    ["a mock that Jest finds", jsTest, { "__mocks__/wanted.js": "exports.want = 1;\n" }],
    ["a plugin that pytest finds", pyTest, { "quiet-1.dist-info/entry_points.txt": "[pytest11]\nquiet = quiet\n" }],
  ])("is guarded: %s", (_, file, edits) => {
    const command = file === pyTest ? "pytest" : "npx jest";
    expect(harmedIn(tree, command, edits, red(file))).toEqual(Object.keys(edits));
  });

  it.each<[string, string, Edits]>([
    ["a helper that the check lacked", pyTest, { "tests/helper.py": "TEXT = 1\n" }],
    ["the module, moved", pyTest, { "src/calc.py": null, "tests/calc.py": tree["src/calc.py"] as string }],
    ["a package of tests", pyTest, { "tests/calc/__init__.py": '"""Tests."""\n' }],
    ["a module in another folder", pyTest, { "tests/unit/calc.py": "x = 1\n" }],
    ["a mock of another package", jsTest, { "__mocks__/other.js": "x();\n" }],
    ["a mock that the check asks for", "test/mock.test.js", { "__mocks__/wanted.js": "exports.want = 1;\n" }],
    ["entry points", pyTest, { "sums.egg-info/entry_points.txt": "[console_scripts]\nsums = calc:add\n" }],
  ])("is told from %s", (_, file, edits) => {
    const command = file === pyTest ? "pytest" : "npx jest";
    expect(harmedIn(tree, command, edits, red(file))).toEqual([]);
  });
});

describe("a script that a check reads", () => {
  const tree: Tree = {
    "check.sh": '. ./assert.sh\n. ./lib.sh\nif ! test "$(add 1 2)" = 3; then exit 1; fi\nsame "$(add 0 0)" 0\n',
    "assert.sh": 'same() {\n  [ "$1" = "$2" ] || exit 1\n}\n',
    "lib.sh": "add() { echo $(($1 - $2)); }\n",
  };
  const judged = (more: string): readonly string[] =>
    harmedIn(tree, "sh check.sh", { "lib.sh": `add() { echo 1; }\n${more}` }, { files: ["lib.sh"] });

  it.each([
    "same() { :; }\n",
    "function same () {\n  :\n}\n",
    "alias same=true\n",
    "test() {\n  true\n}\n",
    "eval 'same() { :; }'\n",
  ])("does not replace what the check uses: %j", (more) => {
    expect(judged(more)).toEqual(["lib.sh"]);
  });

  it.each(["log() { echo; }\n", "diff() { echo; }\n", "same=1\n"])("may define other functions: %j", (more) => {
    expect(judged(more)).toEqual([]);
  });

  it("does not read another script that does so", () => {
    const edits: Edits = { "lib.sh": ". ./more.sh\n", "more.sh": "same() { :; }\n" };
    expect(harmedIn(tree, "sh check.sh", edits, { files: ["lib.sh"] })).toEqual(["more.sh"]);
    expect(harmedIn(tree, "sh check.sh", { "more.sh": "same() { :; }\n" }, { files: ["lib.sh"] })).toEqual([]);
  });

  it("is no matter to checks that do not read it", () => {
    expect(harmedIn(tree, "sh check.sh", { "other.sh": "same() { :; }\n" }, { files: ["other.sh"] })).toEqual([]);
  });
});

describe("a module of Rust with checks", () => {
  const tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n";
  const tree: Tree = { "src/lib.rs": "pub mod add;\npub mod plain;\n", "src/add.rs": tests, "src/plain.rs": "" };
  const judged = (edits: Edits, given: Given = {}): readonly string[] =>
    harmedIn(tree, "cargo test", edits, { files: ["src"], ...given });

  it("stays part of its crate", () => {
    expect(judged({ "src/lib.rs": "pub mod plain;\n" })).toEqual(["src/lib.rs"]);
    expect(judged({ "src/lib.rs": "#[cfg(any())]\npub mod add;\npub mod plain;\n" })).toEqual(["src/lib.rs"]);
  });

  it("may be moved, and may be left out without checks", () => {
    expect(judged({ "src/lib.rs": "pub mod sum;\n", "src/add.rs": null, "src/sum.rs": tests })).toEqual([]);
    expect(judged({ "src/lib.rs": "pub mod add;\n" })).toEqual([]);
    expect(judged({ "src/lib.rs": "pub mod plain;\n" }, { reds: [] })).toEqual([]);
  });
});

describe("configurations", () => {
  it.each<[string, string, Edits]>([
    ["of Babel in the manifest", "npx jest", { "package.json": '{ "babel": { "plugins": ["./strip.js"] } }' }],
    ["of Babel in JSON", "npx jest", { ".babelrc.json": "{}\n" }],
    ["of ESLint in the manifest", "npx eslint .", { "package.json": '{ "eslintConfig": { "rules": {} } }' }],
    ["of Prettier in YAML", "npx prettier --check .", { ".prettierrc.yml": "semi: false\n" }],
    ["of SWC", "npx jest", { ".swcrc": "{}\n" }],
  ])("decide how checks run: %s", (_, command, edits) => {
    expect(harmedIn({ "package.json": "{}" }, command, edits)).toEqual(Object.keys(edits));
  });

  it("are told from types without code", () => {
    const tree: Tree = { "src/a.ts": "export const a: number = 'a';\n" };
    const given = { ...red("src/a.ts"), files: ["src/a.ts"] };
    const edits: Edits = { "src/a.ts": null, "src/a.d.ts": "export declare const a: any;\n" };
    expect(harmedIn(tree, "tsc --noEmit", edits, given)).toEqual(["src/a.ts"]);
  });
});
