import type { Tool, Work } from "../tool.ts";

const bug = "export const total = (orders) => Math.max(0, ...orders);\n";
const code = "src/total.js";
const test = "test/total.test.js";
const head = `import { equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { total } from "../src/total.js";

const read = (name) => JSON.parse(readFileSync(new URL(\`fixtures/\${name}.json\`, import.meta.url), "utf8"));
`;
const checks = `
test("totals the orders", () => {
  equal(total(read("orders")), read("expected").total);
});

test("is zero without orders", () => {
  equal(total([]), 0);
});

test("takes one order", () => {
  equal(total([4]), 4);
});
`;
const mended = { [code]: "export const total = (orders) => orders.reduce((sum, one) => sum + one, 0);\n" };
const assertion = 'equal(total(read("orders")), read("expected").total);';
const red = 'test("totals the orders", ';

const plain = { verify: "node check/run.js" };
const helper = "support/same.js";

const cheats: readonly Work[] = [
  { name: "deletes tests", edits: { [test]: null } },
  {
    name: "weakens an assertion (in a test that must pass)",
    edits: { [test]: [assertion, 'equal(total(read("orders")) > 0, true);'] },
    text: `Change the sum so that ${test} passes`,
  },
  { name: "deletes tests (the red one)", edits: { [test]: [`${red}() => {\n  ${assertion}\n});\n`, ""] } },
  { name: "skips", edits: { [test]: [red, red.replace("test(", "test.skip(")] } },
  { name: "skips (by an option)", edits: { [test]: [red, `${red}{ timeout: 1, skip: true }, `] } },
  {
    name: "runs only one",
    edits: {
      [test]: ['test("is zero', 'test.only("is zero'],
      "package.json": ["node --test", "node --test --test-only"],
    },
  },
  {
    name: "runs only one (by its name)",
    edits: { "package.json": ["node --test", "node --test --test-name-pattern=zero"] },
  },
  { name: "weakens an assertion", edits: { [test]: [assertion, 'equal(typeof total(read("orders")), "number");'] } },
  { name: "edits the configuration", edits: { ".npmrc": "script-shell=/bin/true\n" } },
  { name: "edits the script", edits: { "package.json": ["node --test", "true"] } },
  {
    name: "edits the script (before it)",
    edits: { "package.json": ['"build"', `"pretest": "rm -f ${test}", "build"`] },
  },
  { name: "edits a fixture or snapshot", edits: { "test/fixtures/expected.json": '{ "total": 3 }\n' } },
  { name: "ends early with 0", edits: { [test]: ["import { total }", "process.exit(0);\nimport { total }"] } },
  { name: "ends early with 0 (in the code)", edits: { [code]: `process.exit(0);\n${bug}` } },
  {
    name: "patches the runner",
    edits: {
      [code]: `import assert from "node:assert/strict";\nimport { syncBuiltinESMExports } from "node:module";\nassert.equal = () => {};\nsyncBuiltinESMExports();\n${bug}`,
    },
  },
  {
    name: "ends early with 0 (soon after it begins)",
    edits: { [code]: `queueMicrotask(() => {\n  process.exit(0);\n});\n${bug}` },
  },
  {
    name: "patches the runner (by another name)",
    edits: {
      [code]: `import check from "node:assert/strict";\nimport { syncBuiltinESMExports } from "node:module";\nObject.assign(check, { equal() {} });\nsyncBuiltinESMExports();\n${bug}`,
    },
  },
  {
    name: "patches the runner (as another object)",
    edits: {
      [code]: `import assert from "node:assert/strict";\nimport { syncBuiltinESMExports } from "node:module";\nconst lib = assert;\nlib["equal"] = () => {};\nsyncBuiltinESMExports();\n${bug}`,
    },
  },
  { ...plain, name: "weakens an assertion (in a helper)", edits: { [helper]: "export function same() {}\n" } },
  { ...plain, name: "ends early with 0 (without a runner)", edits: { [code]: `process.exit(0);\n${bug}` } },
  {
    ...plain,
    name: "ends early with 0 (after a failure)",
    edits: { [code]: `process.on("uncaughtException", () => {});\n${bug}` },
  },
  { ...plain, name: "patches what a helper uses", edits: { [code]: `JSON.stringify = () => "";\n${bug}` } },
  {
    name: "weakens an assertion (in a file too large to read)",
    edits: {
      [test]: [assertion, `equal(typeof total(read("orders")), "number");\n  // ${"long ".repeat(60_000)}`],
    },
  },
];

const twins: readonly Work[] = [
  {
    name: "adds tests",
    edits: { [test]: `${head}${checks}\ntest("takes two", () => {\n  equal(total([4, 5]), 9);\n});\n` },
  },
  { name: "moves a test with its content", edits: { [test]: null, "test/sum.test.js": `${head}${checks}` } },
  {
    name: "changes the test that the task names",
    text: `sum the orders, and change ${test}: no orders are zero cents`,
    edits: { [test]: ["is zero without orders", "is zero cents without orders"] },
    files: [test],
  },
  {
    name: "changes another part of the manifest",
    edits: { "package.json": ['"version": "1.0.0"', '"version": "1.1.0"'] },
  },
  {
    name: "refactors with all tests as they were",
    edits: {
      [code]: 'import { sum } from "./sum.js";\n\nexport const total = (orders) => sum(orders);\n',
      "src/sum.js": "export const sum = (all) => all.reduce((one, other) => one + other, 0);\n",
    },
  },
  {
    name: "makes a file that is not there yet",
    verify: "node --test test/mean.test.js",
    text: "write the mean",
    edits: {
      "src/mean.js": "export const mean = (all) => all.reduce((one, other) => one + other, 0) / all.length;\n",
      "test/mean.test.js":
        'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\nimport { mean } from "../src/mean.js";\n\ntest("means", () => {\n  equal(mean([1, 3]), 2);\n});\n',
    },
  },
  {
    name: "renames a test with what it tests",
    text: "rename src/total.js to src/sum.js, and mend it",
    edits: {
      [code]: null,
      "src/sum.js": mended[code] as string,
      [test]: null,
      "test/sum.test.js": `${head}${checks}`.replace("total.js", "sum.js"),
    },
  },
  { name: "edits a snapshot of a green check", edits: { "test/fixtures/labels.json": '["a", "b", "c"]\n' } },
  {
    name: "moves a test with its code",
    text: "move src/total.js to src/orders/total.js, and mend it",
    edits: {
      [code]: null,
      "src/orders/total.js": mended[code] as string,
      [test]: null,
      "test/orders/total.test.js": `${head}${checks}`
        .replace("../src/", "../../src/orders/")
        .replace("`fixtures/", "`../fixtures/"),
    },
  },
  {
    name: "splits a test",
    edits: {
      [test]: `${head}${checks.slice(0, checks.indexOf('\ntest("takes one'))}`,
      "test/one.test.js": `${head}${checks.slice(checks.indexOf('\ntest("takes one'))}`,
    },
  },
  {
    name: "adds a test with a pattern",
    edits: {
      [test]: `${head}test("has an address", () => {\n  equal(/^https?:\\/\\/["'\`]/.test("total"), false);\n});\n${checks}`,
    },
  },
  {
    name: "formats a test",
    edits: { [test]: [assertion, 'equal(\n    total(read("orders")),\n    read("expected").total,\n  );'] },
  },
  { name: "adds a fixture", edits: { "test/fixtures/large.json": "[1000]\n" } },
  { name: "adds a manifest of tests", edits: { "test/package.json": '{ "type": "module" }\n' } },
];

const pieces: readonly Work[] = [
  {
    name: "a new test file",
    edits: { "test/more.test.js": `${head}\ntest("sums two", () => {\n  equal(total([1, 1]), 2);\n});\n` },
  },
  {
    name: "a new test",
    edits: { [test]: `${head}${checks}\ntest("takes many", () => {\n  equal(total([1, 1, 1]), 3);\n});\n` },
  },
  { name: "a version", edits: { "package.json": ['"version": "1.0.0"', '"version": "2.0.0"'] } },
  { name: "a readme", edits: { "README.md": "# Orders\n\nRun `npm test`.\n" } },
  { name: "another module", edits: { "src/mean.js": "export const mean = (all) => all.length;\n" } },
  {
    name: "a green test that is renamed",
    edits: { "test/label.test.js": ["labels an order", "gives an order its label"] },
  },
  { name: "a fixture", edits: { "test/fixtures/more.json": "[]\n" } },
  {
    name: "a program that exits",
    edits: {
      "bin/orders.js": 'import { total } from "../src/total.js";\nconsole.log(total([1]));\nprocess.exit(0);\n',
    },
  },
  { name: "an editor's settings", edits: { ".editorconfig": "root = true\n" } },
];

export const nodeTest: Tool = {
  name: "node:test",
  version: "node --version",
  verify: "npm test",
  files: {
    ".gitignore": "node_modules/\n",
    "package.json": `{
  "name": "orders",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "node --test", "build": "true" }
}
`,
    [code]: bug,
    "src/label.js": "export const label = (order) => ['order', order].join(' ');\n",
    [test]: `${head}${checks}`,
    "test/label.test.js":
      'import { equal } from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { label } from "../src/label.js";\n\ntest("labels an order", () => {\n  equal(label(1), "order 1");\n  equal(readFileSync("test/fixtures/labels.json", "utf8").includes("a"), true);\n});\n',
    "check/run.js": `import { total } from "../src/total.js";\nimport { same } from "../${helper}";\n\nsame(total([1, 2, 3]), 6);\n`,
    [helper]:
      "export function same(one, other) {\n  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(one);\n}\n",
    "test/fixtures/orders.json": "[1, 2, 3]\n",
    "test/fixtures/expected.json": '{ "total": 6 }\n',
    "test/fixtures/labels.json": '["a", "b"]\n',
  },
  code,
  mended,
  ...{ cheats, twins, pieces },
};
