import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { plainCode } from "../../src/evidence/plain-code.ts";
import { type Edits, harmed, harmedIn, judge, type Tool, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const jsTest = "test/add.test.js";
const red = (file: string): Given => ({ reds: [{ name: "adds", file }] });
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const test = (imported: string, body = "same(add(1, 2), 3);"): string =>
  `import { test } from "node:test";\n${imported}\ntest("adds", () => {\n  ${body}\n});\n`;
const lib: Tree = {
  "package.json": json({ name: "n", scripts: { test: "node --test" }, devDependencies: { chai: "^4.0.0" } }),
  "src/add.js": "export const add = (a, b) => a - b;\n",
};
const inLib = (tree: Tree, edits: Edits, given: Given = {}): readonly string[] =>
  harmedIn({ ...lib, ...tree }, "npm test", edits, { ...red(jsTest), files: ["src/add.js"], ...given });

describe("a new module beside a helper of a check", () => {
  const tree: Tree = {
    [jsTest]: test('import { same } from "./util/same";\nimport { near } from "../lib/near";'),
    "lib/near.js": "x",
    "test/util/same.js": "export const same = () => {};\n",
    "test/kit/index.ts": "export const kit = 1;\n",
    "src/shape.js": "export const sides = 4;\n",
  };
  it.each<[string, Edits, readonly string[]]>([
    ["has the extension that is found first", { "test/util/same.mjs": "x" }, ["test/util/same.mjs"]],
    ["has no extension", { "test/util/same": "x" }, ["test/util/same"]],
    ["has the name of a folder", { "test/kit.js": "x" }, ["test/kit.js"]],
    ["is the index of a folder", { "test/util/same/index.js": "x" }, ["test/util/same/index.js"]],
    ["takes the place of the old one", { "test/util/same.ts": "x", "test/util/same.js": null }, ["test/util/same.js"]],
    ["declares types", { "test/util/same.d.ts": "x" }, []],
    ["is data", { "test/util/same.json": "1" }, []],
    ["is the index of another folder", { "test/other/index.js": "x" }, []],
    ["stands beside code", { "src/shape.ts": "x" }, []],
    ["stands beside code that a red check imports", { "lib/near.ts": "x" }, ["lib/near.ts"]],
  ])("that %s", (_, edits, paths) => {
    expect(inLib(tree, edits)).toEqual(paths);
  });

  it("is judged beside a file of a program that the command runs", () => {
    const tools: Tree = {
      "tools/check.mjs": 'import { same } from "./lib/compare.mjs";\nsame();\n',
      "tools/lib/compare.mjs": "export const same = 1;\n",
    };
    const run = (edits: Edits): readonly string[] => harmedIn(tools, "node tools/check.mjs", edits);
    expect(run({ "tools/lib/compare.mjs": "export const same = 2;\n" })).toEqual(["tools/lib/compare.mjs"]);
    expect(run({ "tools/lib/compare.js": "x" })).toEqual(["tools/lib/compare.js"]);
  });
});

describe("what an import of a red check means", () => {
  const manifest = (more: object): string => json({ ...JSON.parse(lib["package.json"] as string), ...more });
  const all = (name: string): Tree => ({ [jsTest]: test(`import { same } from "${name}";`) });
  it.each<[string, string, object, object, boolean]>([
    ["gets another file of its package", "n", { exports: "./a.js" }, { exports: "./b.js" }, true],
    [
      "gets another file by a condition",
      "n/add",
      { exports: { "./add": "./a.js" } },
      { exports: { "./add": { node: "./b.js" } } },
      true,
    ],
    ["gets another main file", "n", { main: "a.js" }, { main: "b.js" }, true],
    ["gets another file by conditions", "n", { exports: { node: "./a.js" } }, { exports: { node: "./b.js" } }, true],
    ["gets a first file", "n/sub", { exports: {} }, { exports: { "./sub": "./b.js" } }, false],
    [
      "is not changed",
      "n/add",
      { exports: { "./add": "./a.js" } },
      { exports: { "./add": "./a.js", "./b": "./b.js" } },
      false,
    ],
    ["gets a local package", "chai", {}, { devDependencies: { chai: "file:stubs/chai" } }, true],
    ["gets a local package by an override", "chai", {}, { overrides: { chai: "file:stubs/chai" } }, true],
    ["gets another version", "chai", {}, { devDependencies: { chai: "^5.0.0" } }, false],
    ["gets another version by an override", "chai", {}, { overrides: { chai: "^5.0.0" } }, false],
    ["loses an override", "chai", { overrides: { chai: "^5.0.0" } }, {}, false],
    ["gets a package of the workspace", "chai", {}, { devDependencies: { chai: "workspace:*" } }, false],
    ["loses its file", "n/add", { exports: { "./add": "./src/add.js" } }, { exports: null }, false],
    [
      "gets another file than that of the task",
      "n/add",
      { exports: { "./add": "./src/add.js" } },
      { exports: { "./add": "./b.js" } },
      false,
    ],
    [
      "gets conditions in place of the file of the task",
      "n/add",
      { exports: { "./add": "./src/add.js" } },
      { exports: { "./add": { node: "./b.js" } } },
      true,
    ],
    ["loses its package", "chai", {}, { devDependencies: {} }, false],
    ["is that of another package", "other", {}, { devDependencies: { chai: "file:stubs/chai" } }, false],
  ])("%s", (_, name, before, after, isHarm) => {
    const found = inLib({ ...all(name), "package.json": manifest(before) }, { "package.json": manifest(after) });
    expect(found).toEqual(isHarm ? ["package.json"] : []);
  });

  it.each<[string, string | null, string, boolean]>([
    ["test/package.json", null, json({ name: "n", exports: "./b.js" }), true],
    ["test/package.json", null, json({ type: "module" }), false],
    ["test/package.json", null, "null", false],
    ["other/package.json", null, json({ exports: "./b.js" }), false],
    [
      "tsconfig.json",
      json({ compilerOptions: { paths: { "@eq": ["./a.ts"] } } }),
      json({ compilerOptions: { paths: { "@eq": ["./b.ts"] } } }),
      true,
    ],
    ["tsconfig.json", json({ compilerOptions: { strict: true } }), json({ compilerOptions: { strict: false } }), false],
    ["tsconfig.json", "// no JSON", "// none", false],
    [
      "package-lock.json",
      json({ packages: { "": null, "node_modules/@eq": { resolved: "https://a" } } }),
      json({ packages: { "node_modules/@eq": { resolved: "file:a" } } }),
      true,
    ],
    [
      "package-lock.json",
      json({ packages: { "node_modules/@eq": { resolved: "https://a" } } }),
      json({ packages: { "node_modules/@eq": { resolved: "https://b" } } }),
      false,
    ],
  ])("is judged in %s", (path, before, after, isHarm) => {
    const tree = { ...all("@eq"), ...(before !== null && { [path]: before }) };
    expect(inLib(tree, { [path]: after })).toEqual(isHarm ? [path] : []);
  });
});

describe("data of red checks", () => {
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

describe("the words of a task about a test", () => {
  const weaken: Edits = { [jsTest]: ["equal(add(1, 2), 3)", "equal(add(1, 2), -1)"] };
  it.each([
    "1.1 Fix add so that test/add.test.js passes",
    "1.1 Fix add as test/add.test.js expects",
    "1.1 Fix the failing tests in test/add.test.js",
    "1.1 Implement add to satisfy test/add.test.js",
    "1.1 Change add and make test/add.test.js green",
    "1.1 Fix add\n1. Read `test/add.test.js` to see what is expected",
  ])("may be a goal: %j", (text) => {
    expect(harmed("node", weaken, { task: text, files: ["src/add.js"] })).toEqual([jsTest]);
  });

  it.each([
    "1.1 Change src/add.js and test/add.test.js: the sum of 1 and 2 is 3",
    "1.1 Rewrite test/add.test.js so that it expects the right sums, and make it pass",
    "1.1 The test expects -4, which is wrong: correct it in test/add.test.js",
    "1.1 Fix add and correct the tests of it that are wrong",
  ])("may ask for a change: %j", (text) => {
    expect(harmed("node", weaken, { task: text, files: ["src/add.js"] })).toEqual([]);
  });

  it("name a test by a folder of tests", () => {
    const given = { ...red(jsTest), files: [] };
    const run = (task: string): readonly string[] => harmed("node", weaken, { ...given, task });
    expect(run("1.1 Change the sums in test/")).toEqual([]);
    expect(run("1.1 Change add.test.js")).toEqual([]);
  });

  it("mean a test by a folder or a pattern of tests, not by one of code", () => {
    const run = (files: string[], path = "src/add.test.js"): readonly string[] =>
      harmedIn(
        { "src/add.test.js": test(""), [jsTest]: test("") },
        "node --test",
        { [path]: test("", "same();") },
        { ...red(path), files },
      );
    expect(run(["src/"])).toEqual(["src/add.test.js"]);
    expect(run(["src/**/*.js"])).toEqual(["src/add.test.js"]);
    expect(run(["src/**/*.test.js"])).toEqual([]);
    expect(run(["src/add.test.js"])).toEqual([]);
    expect(run(["test/"], jsTest)).toEqual([]);
  });

  it("that rename a file allow to move its test, not to weaken it", () => {
    const moved = (from: string, to: string): Edits => ({
      "src/add.js": null,
      "src/sum.js": "export const add = (a, b) => a + b;\n",
      [jsTest]: null,
      "test/sum.test.js": test("", "same(add(1, 2), 3);").replace(from, to),
    });
    const given = { task: "1.1 Rename src/add.js to src/sum.js", files: ["src/add.js"] };
    const tree = { [jsTest]: test("") };
    expect(inLib(tree, moved("3", "-1"), given)).toEqual([jsTest]);
    expect(inLib(tree, moved("add(", "sum("), given)).toEqual([]);
    expect(inLib(tree, moved("", ""), given)).toEqual([]);
    expect(inLib(tree, { "src/add.js": null, [jsTest]: null }, { ...given, task: "1.1 Remove src/add.js" })).toEqual(
      [],
    );
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

describe("the packages of a workspace", () => {
  const before = "packages:\n  - packages/*\n\nother: 1\n";
  it.each<[string, boolean]>([
    ["packages:\n  - packages/a\n\nother: 1\n", true],
    ['packages:\n  - packages/*\n  - "!packages/b"\n', true],
    ["packages:\n  - packages/*\n  - apps/*\nother: 2\n", false],
    ["other: 1\n", true],
  ])("may not become fewer: %j", (after, isHarm) => {
    const found = harmedIn({ "pnpm-workspace.yaml": before }, "pnpm -r test", { "pnpm-workspace.yaml": after });
    expect(found).toEqual(isHarm ? ["pnpm-workspace.yaml"] : []);
  });
});

it("names the file in whose place a new one is loaded", () => {
  const { harms } = judge("node", { "test/helper.mjs": "x" });
  expect(harms).toEqual([{ path: "test/helper.mjs", what: "is loaded in place of test/helper.js" }]);
});
