import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, harmedIn, projects, type Tool, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const pyTest = "tests/test_calc.py";
const weaker: Edits = { [pyTest]: projects.pytest.tree[pyTest].replaceAll("3", "4") };
const task = (line: string): Given => ({ task: `1.1 Mend the sum\n${line}` });
const jsTest = "test/add.test.js";
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const test = (imported: string, body = "same(add(1, 2), 3);"): string =>
  `import { test } from "node:test";\n${imported}\ntest("adds", () => {\n  ${body}\n});\n`;
const lib: Tree = {
  "package.json": json({ name: "n", scripts: { test: "node --test" }, devDependencies: { chai: "^4.0.0" } }),
  "src/add.js": "export const add = (a, b) => a - b;\n",
};

describe("a sentence that names a test", () => {
  it.each([
    `Make \`${pyTest}\` pass by fixing add`,
    `Fix add; see ${pyTest} for the expected values`,
    `Fix add against the cases in ${pyTest}`,
    `Fix add (covered by ${pyTest})`,
    `Fix add so that ${pyTest} passes`,
    `Correct the sum: ${pyTest} shows the values`,
    `The failing check is test_adds in ${pyTest}`,
    `Fix the failing test in ${pyTest}`,
    `Update add to make ${pyTest} green`,
  ])("refers to it: %s", (line) => {
    expect(harmed("pytest", weaker, task(line))).toEqual([pyTest]);
  });

  it.each([
    `Update ${pyTest}`,
    `Correct the failing expectation in ${pyTest}`,
    `Take three numbers, also in \`${pyTest}\``,
    `In ${pyTest}, expect 4`,
    `Fix add, then adjust src/calc.py and ${pyTest}`,
    `Round as the standard says and update ${pyTest}`,
  ])("asks to change it: %s", (line) => {
    expect(harmed("pytest", weaker, task(line))).toEqual([]);
  });
});

describe("requests without a path", () => {
  const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
  const golden = "testdata/add.golden";
  const tree = { [golden]: "3\n" };
  it("cover golden files as snapshots, and marks of slow tests", () => {
    expect(harmedIn(tree, "make test", { [golden]: "4\n" }, task("Update the snapshots"))).toEqual([]);
    expect(harmedIn(tree, "make test", { [golden]: "4\n" })).toEqual([golden]);
    const skipped: Edits = { "src/add.rs": ["#[test]", "#[ignore]\n    #[test]"] };
    const text =
      "pub fn add() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert!(true);\n    }\n}\n";
    const judge = (given: Given) =>
      harmedIn({ "src/add.rs": text }, "cargo test", skipped, {
        ...red("src/add.rs"),
        files: ["src/add.rs"],
        ...given,
      });
    expect([judge(task("Mark the slow test as ignored")), judge({})]).toEqual([[], ["src/add.rs"]]);
  });
});

describe("a red check that a task may edit", () => {
  const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
  const to = (body: string): Edits => ({ [pyTest]: ["    assert add(1, 2) == 3", `    ${body}`] });
  const named = { files: [pyTest] };
  it.each<[Tool, Edits, Given]>([
    ["pytest", to("add(1, 2)"), named],
    ["pytest", to("result = add(1, 2)"), named],
    ["pytest", to("assert True"), task("- Do: update the tests")],
    ["node", { "test/add.test.js": ["equal(add(1, 2), 3)", "const sum = add(1, 2)"] }, { files: ["test/"] }],
  ])("still asserts something (%s, %o)", (tool, edits, given) => {
    expect(harmed(tool, edits, given)).toEqual(Object.keys(edits));
  });

  it.each<[string, Edits]>([
    ["another assertion", to("assert add(1, 2) == 4")],
    ["a function that asserts", to("sums(1, 2, 3)")],
    ["a new name", { [pyTest]: ["test_adds", "test_sums"] }],
    ["a new green check", { [pyTest]: ["def test_negates", "def test_none():\n    add(0, 0)\n\n\ndef test_negates"] }],
    ["no assertion in a green check", { [pyTest]: ["    assert add(-1, -2) == -3", "    add(-1, -2)"] }],
  ])("may have %s", (_, edits) => {
    expect(harmed("pytest", edits, named)).toEqual([]);
  });

  it("may have had no assertion before", () => {
    const tree = { [pyTest]: "def test_adds():\n    add(1, 2)\n" };
    const edits: Edits = { [pyTest]: ["add(1, 2)", "add(1, 3)"] };
    expect(harmedIn(tree, "pytest", edits, { ...red(pyTest, "test_adds"), ...named })).toEqual([]);
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

describe("a request of a task to change tests, without a path", () => {
  const weak: Edits = { [jsTest]: ["add(1, 2), 3", "add(1, 2), -1"] };
  it.each([
    ["1.1 Sum as text, and update its tests", false],
    ["1.1 Sum as text\n- Do: adapt the existing tests", false],
    ["1.1 Rename sum in the code and its tests", false],
    ["1.1 Sum as text, and update the snapshots and tests", false],
    ["1.1 Sum as text, with its fixtures, and the tests pass", true],
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
    expect(harmed("vitest", edits, { task: "1.1 Print the sum. Update the tests and snapshots" })).toEqual([]);
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

describe("the words of a task about a test", () => {
  const red = (file: string): Given => ({ reds: [{ name: "adds", file }] });
  const inLib = (tree: Tree, edits: Edits, given: Given = {}): readonly string[] =>
    harmedIn({ ...lib, ...tree }, "npm test", edits, { ...red(jsTest), files: ["src/add.js"], ...given });
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
