import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmedIn, judge, type Tree } from "./projects.ts";

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
    [jsTest]: test(
      'import { same } from "./util/same";\nimport { near } from "../lib/near";\nimport { sum } from "../src/sum";',
    ),
    "lib/near.js": "x",
    "src/sum.ts": "x",
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
    ["comes before the code of the task", { "src/sum.mjs": "x" }, ["src/sum.mjs"]],
    ["comes before the code of the task, and uses it", { "src/sum.js": 'export * from "./sum.ts";\n' }, []],
    ["comes after the code of the task", { "src/sum/index.ts": "x" }, []],
  ])("that %s", (_, edits, paths) => {
    expect(inLib(tree, edits, { files: ["src/add.js", "src/sum.ts"] })).toEqual(paths);
  });

  it("may be a package of Python", () => {
    const python: Tree = { "tests/test_geo.py": "from geo import area\n", "geo.py": "x" };
    const given = { reds: [{ name: "test_area", file: "tests/test_geo.py" }], files: ["geo.py"] };
    const add = (edits: Edits): readonly string[] => harmedIn(python, "python3 -m unittest", edits, given);
    expect(add({ "geo/__init__.py": "x" })).toEqual(["geo/__init__.py"]);
    expect(add({ "geo.py": null, "geo/__init__.py": "x" })).toEqual([]);
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

describe("a stand-in for the file of the task", () => {
  const map = (path: string): string => json({ name: "n", imports: { "#add": path } });
  const tree: Tree = { [jsTest]: test('import { add } from "#add";'), "package.json": map("./src/add.js") };
  const edits: Edits = { "package.json": map("./src/b.js"), "src/b.js": "x" };
  it.each<[string, Edits, Given, readonly string[]]>([
    ["is made by the work", edits, {}, ["package.json"]],
    ["uses the file", { ...edits, "src/b.js": 'export * from "./add.js";\n' }, {}, []],
    ["is named by the task", edits, { files: ["src/add.js", "src/b.js"] }, []],
    ["is meant by a manifest that the task names", edits, { files: ["src/add.js", "package.json"] }, []],
    ["takes the place of a removed file", { ...edits, "src/add.js": null }, {}, []],
  ])("%s", (_, work, given, paths) => {
    expect(inLib(tree, work, given)).toEqual(paths);
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
