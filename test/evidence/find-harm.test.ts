import { describe, expect, it } from "vitest";
import { findHarm, type GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, judge, projects, type Tool } from "./projects.ts";

type Given = Partial<GuardCase>;
const counted = (ran: number | null) => ({ ran, skipped: 0 });
const runs = (before: number | null, after: number | null): Given => ({
  runs: { before: counted(before), after: counted(after) },
});
const text = projects.node.tree["test/add.test.js"];
const test = "test/add.test.js";
const without = (name: string): string =>
  text
    .replace(`test("${name}", () => {\n`, "")
    .replace(name === "adds" ? "  equal(add(1, 2), 3);\n});\n" : "  equal(add(-1, -2), -3);\n});\n", "");
const weak: Edits = { [test]: ["add(1, 2), 3", "add(1, 2), -1"] };

describe("the files named by a task", () => {
  it.each<[string, Given, boolean]>([
    ["1.1 Sum\n- Verify: `node --test test/add.test.js`", {}, true],
    ["1.1 Sum\n- Do: run node --test test/add.test.js", { command: "node --test test/add.test.js" }, true],
    ["1.1 Sum\n- Done when: `npx tap test/add.test.js` is green", {}, true],
    ["1.1 Make test/add.test.js pass", {}, true],
    ["1.1 Sum\n- Do: mend it, but do not touch test/add.test.js", {}, true],
    ["1.1 Sum\n- Do: mend it. test/add.test.js stays as it is", {}, true],
    ["1.1 Sum\n- Do: mend src/add.js without changing add.test.js", {}, true],
    ["1.1 Sum", { files: ["."] }, true],
    ["1.1 Sum", { files: ["**"] }, true],
    ["1.1 Sum", { files: ["src/*.test.js"] }, true],
    ["1.1 Sum", { files: ["test/*.ts"] }, true],
    ["1.1 Sum in add.test.js", { files: ["src/add.test.js"] }, true],
    ["1.1 Sum in tests/add.test.js", {}, true],
    ["1.1 Sum in test", {}, true],
    ["1.1 Remove the minus in src/add.js", {}, true],
    ["1.1 Change test/add.test.js so that it is green for three", {}, false],
    ["1.1 Rewrite what is in test/", {}, false],
    ["1.1 Rewrite test/*.test.js", {}, false],
    ["1.1 Sum", { files: ["test/**/*.test.js"] }, false],
    ["1.1 Sum", { files: ["./test"] }, false],
    ["1.1 Rewrite `add.test.js`.", {}, false],
    ["1.1 Rewrite add.test.js", { files: [test] }, false],
    ["1.1 Rewrite add.test.js", { command: "" }, false],
  ])("of %j are found by Files and words (%j)", (task, given, isHarm) => {
    expect(harmed("node", weak, { task, ...given })).toEqual(isHarm ? [test] : []);
  });
});

describe("unreadable files", () => {
  const unread = (path: string, before: string | null, after: string | null) => {
    const { harms, shown } = judge("node", {}, { changes: [{ path, before, after, unread: true }] });
    return [harms.length, shown.length];
  };
  it("are harm if they could be read before, and are only reported if not", () => {
    expect(unread(test, "x", null)).toEqual([1, 0]);
    expect(unread(test, null, null)).toEqual([0, 1]);
    expect(unread("package.json", "{}", null)).toEqual([1, 0]);
    expect(unread("image.png", "x", null)).toEqual([0, 0]);
  });
});

describe("moved checks are harm, or not", () => {
  it.each<[string, Tool, Edits, Given, readonly string[]]>([
    ["to another top folder", "node", { [test]: null, "src/add.test.js": text }, {}, [test]],
    ["to another top folder, and as many ran", "node", { [test]: null, "src/add.test.js": text }, runs(3, 3), []],
    [
      "to a path that the tool does not search",
      "node",
      { [test]: null, "test/old/add.test.js": text },
      runs(3, 3),
      [test],
    ],
    [
      "to another system",
      "go",
      { "calc_test.go": null, "calc_windows_test.go": projects.go.tree["calc_test.go"] },
      {},
      ["calc_test.go"],
    ],
    [
      "to skipped checks",
      "node",
      { [test]: null, "test/b.test.js": text.replaceAll("test(", "test.skip(") },
      {},
      [test],
    ],
    [
      "out of the files that the command names",
      "node",
      { [test]: null, "test/b.test.js": text },
      { command: "node --test test/add.test.js" },
      [test],
    ],
    [
      "one check to an existing file",
      "node",
      {
        [test]: without("adds"),
        "test/other.test.js": ["test(", 'test("adds", () => {\n  equal(add(1, 2), 3);\n});\ntest('],
      },
      {},
      [],
    ],
    [
      "the name of a green check, with another body",
      "node",
      { "test/other.test.js": null, "test/b.test.js": 'test("others", () => {\n  others();\n});\n' },
      {},
      [],
    ],
  ])("%s", (_, tool, edits, given, paths) => {
    expect(harmed(tool, edits, given)).toEqual(paths);
  });
});

describe("counts of run checks", () => {
  const code: Edits = { "src/add.js": "export const add = (a, b) => a + b;\n" };
  it.each<[string, Edits, Given, readonly string[]]>([
    ["fewer run", code, runs(3, 1), [""]],
    ["as many run", code, runs(3, 3), []],
    ["more run", code, runs(1, 3), []],
    ["the count before is unknown", code, runs(null, 3), []],
    ["the count after is unknown", code, runs(3, null), []],
    ["there was no run before", code, { runs: { before: null, after: counted(3) } }, []],
    ["there is no run after", code, { runs: { before: counted(3), after: null } }, []],
    ["fewer run, and the task names the removed test", { [test]: null }, { ...runs(3, 1), files: [test] }, []],
    [
      "fewer run, and the task removes the tested code",
      { [test]: null, "src/add.js": null },
      { ...runs(3, 1), task: "1.1 Remove src/add.js" },
      [],
    ],
    ["fewer run, and the task names other files", code, { ...runs(3, 1), files: ["src"] }, [""]],
    [
      "fewer run, and the task names a fixture",
      { "test/fixtures/add.json": "[]" },
      { ...runs(3, 1), files: ["test/fixtures"] },
      [""],
    ],
  ])("are harm, or not, if %s", (_, edits, given, paths) => {
    expect(harmed("node", edits, given)).toEqual(paths);
  });
});

describe("the edit of a check is harm, or not, if red is", () => {
  const named = (...names: string[]): Given => ({ reds: names.map((name) => ({ name, file: test })) });
  const green: Edits = { [test]: ["-3", "-4"] };
  it.each<[string, Edits, Given, boolean]>([
    ["the file as a whole", green, named("test/add.test.js"), true],
    ["a run without names", green, { reds: [{ name: "", file: null }] }, true],
    ["no check", weak, { reds: [] }, false],
    ["a check of another file", weak, { reds: [{ name: "others", file: "test/other.test.js" }] }, false],
    ["a check without a file", weak, { reds: [{ name: "adds", file: null }] }, true],
    ["a check in a file that the attempts made", weak, { ...named("adds"), made: [test] }, false],
    ["a check named with its groups", weak, named("sum > adds"), true],
    ["a check named with a parameter", { [test]: ['"adds"', '"adds"'] }, named("adds 1"), false],
  ])("%s", (_, edits, given, isHarm) => {
    expect(harmed("node", edits, given)).toEqual(isHarm ? [test] : []);
  });
});

describe("red checks in a folder of a project", () => {
  const path = "web/test/add.test.js";
  const changes = [{ path, before: text, after: text.replace("add(1, 2), 3", "add(1, 2), -1") }];
  it.each(["test/add.test.js", "./test/add.test.js", "add.test.js", path])("are found by %s", (file) => {
    expect(harmed("node", {}, { changes, reds: [{ name: "adds", file }], read: () => null })).toEqual([path]);
  });

  it("are those of another folder if a file of that path exists there", () => {
    expect(harmed("node", {}, { changes })).toEqual([]);
  });
});

describe("indistinguishable checks", () => {
  const path = "calc_test.exs";
  const edited = (before: string, after: string | null, file: string) =>
    harmed(
      "node",
      {},
      {
        changes: [
          { path, before, after },
          { path: "b_test.exs", before: "", after: "1" },
        ],
        reds: [{ name: "adds", file }],
      },
    );

  it("are harmed by each edit of a red file", () => {
    expect(edited("a = 1", "a = 2", path)).toEqual([path]);
    expect(edited("a = 1", "a = 2", "b_test.py")).toEqual([]);
    expect(edited("a = 1", "# why\na = 1", path)).toEqual([]);
    expect(edited("a = 1", null, "b_test.py")).toEqual([path]);
  });

  it("are identified by a tool's expansion of a pattern", () => {
    const before = 'test("adds %s", () => {\n  equal(1, 1);\n});\n';
    const changes = [
      { path: test, before, after: before.replace("1, 1", "2, 2") },
      { path: "b_test.exs", before: "", after: "1" },
    ];
    expect(harmed("node", {}, { changes, reds: [{ name: "adds 1", file: test }] })).toEqual([test]);
  });
});

describe("edits outside a red check", () => {
  const beside = (line: string): Edits => ({ [test]: ['test("adds"', `${line}\ntest("adds"`] });
  it.each([
    'vi.mock("../src/add.js");',
    "beforeEach(() => {\n  patch();\n});",
    'import { add } from "./fake.js";',
    'import "./quiet.js";',
    "const fake = Object.assign(lib, {});",
    "function equal() {}",
    "globalThis.add = 1;",
    "const twice = (lib.add = 2);",
  ])("affect it: %s", (line) => {
    expect(harmed("node", beside(line))).toEqual([test]);
  });

  it.each([
    'import { sub } from "../src/sub.js";',
    'const { sub } = require("../src/sub.js");',
    "const large = 9;",
    'import {} from "../src/sub.js";',
    "async function load() {\n  return 1;\n}",
    "// why",
  ])("do not affect it: %s", (line) => {
    expect(harmed("node", beside(line))).toEqual([]);
  });

  it("affect it by its imports", () => {
    expect(harmed("node", { [test]: ["../src/add.js", "./fake.js"] })).toEqual([test]);
    expect(harmed("pytest", { "tests/test_calc.py": ["from calc", "from fake"] })).toEqual(["tests/test_calc.py"]);
  });
});

describe("programs that end early are harm, or not,", () => {
  const py = "src/calc.py";
  it.each<[string, Tool, Edits, Given, readonly string[]]>([
    [
      "in the files that the task names",
      "node",
      { "src/add.js": "process.exit(0);\n" },
      { files: ["src"] },
      ["src/add.js"],
    ],
    [
      "in a test that the task names",
      "node",
      { [test]: ["import", "process.exit(0);\nimport"] },
      { files: [test] },
      [test],
    ],
    ["in a script that the task names", "shell", { "test/add.test.sh": "exit 0\n" }, { files: ["test"] }, []],
    ["as a main program", "node", { "src/add.js": "if (require.main === module) process.exit(0);\n" }, {}, []],
    ["in a function", "node", { "src/add.js": "function end() { process.exit(0) }\n" }, {}, []],
    ["in a timer", "node", { "src/add.js": "setTimeout(() => process.exit(0));\n" }, {}, ["src/add.js"]],
    ["with a failing exit code", "node", { "src/add.js": "process.exit(1);\n" }, {}, []],
    ["with a failing exit code in a test", "node", { "test/b.test.js": "process.exit(1);\n" }, {}, []],
    ["if no red check loads it", "node", { "src/cli.js": "process.exit(0);\n" }, {}, []],
    ["in a handler at exit", "pytest", { [py]: "import os, atexit\natexit.register(lambda: os._exit(0))\n" }, {}, [py]],
    [
      "when a package is loaded",
      "go",
      { "calc.go": "package calc\n\nfunc init() {\n\tos.Exit(0)\n}\n" },
      {},
      ["calc.go"],
    ],
    [
      "when a package without a red check is loaded",
      "go",
      { "calc.go": "package calc\n\nfunc init() {\n\tos.Exit(0)\n}\n" },
      { reds: [] },
      [],
    ],
    ["if the red check loads nothing", "node", { "src/add.js": "process.exit(0);\n" }, { read: () => null }, []],
    [
      "as before",
      "node",
      { "src/add.js": "process.exit(0);\n// more\n" },
      { changes: [{ path: "src/add.js", before: "process.exit(0);\n", after: "process.exit(0);\n1;\n" }] },
      [],
    ],
  ])("%s", (_, tool, edits, given, paths) => {
    expect(harmed(tool, edits, given)).toEqual(paths);
  });
});

describe("edited configurations are harm, or not,", () => {
  const runner = (dependency: string): Given => ({
    read: (path) => (path === "package.json" ? `{"devDependencies":{"${dependency}":"1"}}` : null),
  });
  it.each<[string, Tool, Edits, Given, readonly string[]]>([
    [
      "of a runner that is not installed",
      "vitest",
      { "vitest.config.mts": "export default {};\n" },
      runner("typescript"),
      [],
    ],
    [
      "of a runner without a manifest",
      "vitest",
      { "vitest.config.mts": "export default {};\n" },
      { read: () => null },
      [],
    ],
    [
      "of an installed runner",
      "vitest",
      { "vitest.config.mts": "export default {};\n" },
      runner("vitest"),
      ["vitest.config.mts"],
    ],
    [
      "of a folder with the red check",
      "vitest",
      { "test/vitest.config.ts": "export default {};\n" },
      {},
      ["test/vitest.config.ts"],
    ],
    ["of another folder", "vitest", { "web/vitest.config.ts": "export default {};\n" }, {}, []],
    [
      "of a folder, if the red check has no file",
      "vitest",
      { "web/vitest.config.ts": "export default {};\n" },
      { reds: [{ name: "adds", file: null }] },
      ["web/vitest.config.ts"],
    ],
    [
      "with a fixture that a red check uses",
      "pytest",
      { "conftest.py": "@pytest.fixture\ndef add():\n    return 1\n" },
      { read: (path) => (path === "tests/test_calc.py" ? "def test_adds(add):\n    assert add == 3\n" : null) },
      ["conftest.py"],
    ],
    [
      "with a line that does something",
      "pytest",
      { "conftest.py": "import calc\ncalc.add = 1\n" },
      {},
      ["conftest.py"],
    ],
    ["with a path", "pytest", { "conftest.py": 'import sys\nsys.path.insert(0, "src")\n' }, {}, []],
    ["that were removed", "pytest", { "tests/conftest.py": null }, {}, ["tests/conftest.py"]],
    ["for the linter of a script", "make", { "scripts/lint.sh": "true\n" }, {}, ["scripts/lint.sh"]],
  ])("%s", (_, tool, edits, given, paths) => {
    expect(harmed(tool, edits, given)).toEqual(paths);
  });
});

it("separates new code that changes assertions from old", () => {
  const patch = "expect.extend = 1;\n";
  const judged = (before: string | null) =>
    harmed("node", {}, { changes: [{ path: "src/b.js", before, after: `${patch}// b\n` }] });
  expect(judged(patch)).toEqual([]);
  expect(judged(null)).toEqual(["src/b.js"]);
});

describe("edits of fixtures", () => {
  const folder = "test/fixtures";
  const edited = (name: string, texts: Readonly<Record<string, string>>, given: Given = {}) =>
    harmed(
      "node",
      {},
      {
        changes: [{ path: name.includes("/") ? name : `${folder}/${name}`, before: "[3]", after: "[-1]" }],
        read: (path) => texts[path] ?? null,
        ...given,
      },
    );
  const red = (body: string, rest = ""): Readonly<Record<string, string>> => ({
    [test]: `${rest}\ntest("adds", () => {\n  ${body}\n});\n\ntest("negates", () => {\n  load("small.json");\n});\n`,
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["sums.json", red('load("sums.json");')],
    ["sums.json", red("load(sums);")],
    ["test/data/sums.json", red('load("sums");')],
    ["case-3.json", red("for (let n = 0; n < 5; n += 1) load('case-' + n);")],
    ["large-sums.json", red('load("large", "sums");')],
    ["LargeSums.json", red('load("largesums");')],
    ["3.json", red("load('fixtures/' + n);")],
    ["odd.json", red('for (const name of readdirSync("test/fixtures")) load(name);')],
    ["odd.json", red("load(odd);", 'const odd = "x";')],
    ["odd.json", red("all();", 'import { all } from "./all.js";')],
    ["odd.json", { ...red("all();", 'import { all } from "./all.js";'), "test/all.js": 'load("odd.json");' }],
    ["odd.json", { ...red("all();", 'import { all } from "./all";'), "test/all.js": 'glob("fixtures/*");' }],
    ["odd.json", { [test]: 'load("odd");' }],
    ["odd.json", {}],
  ])("are harm if a red check may use the fixture: %s by %j", (name, texts) => {
    const isUsed = !("test/all.js" in texts) && texts[test]?.includes("all()") === true;
    expect(edited(name, texts)).toEqual(isUsed ? [] : [name.includes("/") ? name : `${folder}/${name}`]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["labels.json", red("load('fixtures/' + name, sums);")],
    ["small.json", red("load(sums);")],
    ["test/data/sums.json", red("load(names);")],
    ["other/fixtures/odd.json", red("readdirSync(names);")],
    ["other/goldens/7.json", red("load(names);")],
    ["odd.json", { ...red("add(odds);", 'import { add } from "../src/add.js";'), "src/add.js": "odd();" }],
  ])("are no harm if no red check uses the fixture: %s by %j", (name, texts) => {
    expect(edited(name, texts)).toEqual([]);
  });

  it("are harm if pytest passes the fixture to a red check", () => {
    const texts = { "tests/test_a.py": "def test_a(sums):\n    pass\n", "tests/conftest.py": "load('odd.json')\n" };
    const given: Given = { command: "pytest", reds: [{ name: "tests/test_a.py::test_a", file: "tests/test_a.py" }] };
    expect(edited("tests/fixtures/odd.json", texts, given)).toEqual(["tests/fixtures/odd.json"]);
    expect(edited("tests/fixtures/even.json", texts, given)).toEqual([]);
  });

  it("are harm if a red check in an unknown language names the fixture", () => {
    const given: Given = { reds: [{ name: "adds", file: "test/add_test.exs" }] };
    expect(edited("odd.json", { "test/add_test.exs": "load odd" }, given)).toHaveLength(1);
    expect(edited("even.json", { "test/add_test.exs": "load odd" }, given)).toEqual([]);
  });

  it("are harm if the code of a red check names the fixture, though no tool reports the file of the check", () => {
    const script = "test_adds() {\n  cat test/fixtures/sums.txt\n}\n";
    const given: Given = { command: "sh run.sh", files: ["src/add.sh"], reds: [{ name: "test_adds", file: null }] };
    const texts = { "test/add.test.sh": script };
    expect(edited("sums.txt", texts, given)).toEqual([`${folder}/sums.txt`]);
    expect(edited("labels.txt", texts, given)).toEqual([]);
    expect(edited("labels.txt", { "test/add.test.sh": "test_others() {\n  :\n}\n" }, given)).toHaveLength(1);
    expect(edited("labels.txt", texts, { ...given, files: [] })).toHaveLength(1);
  });

  it("are harm if the command names the fixture", () => {
    const edits: Edits = { "expected.txt": "-1" };
    expect(
      harmed("node", edits, {
        command: "diff expected.txt out.txt",
        changes: [{ path: "expected.txt", before: "3", after: "-1" }],
      }),
    ).toEqual(["expected.txt"]);
  });

  it("are no harm in snapshots of another file", () => {
    expect(
      harmed(
        "vitest",
        { "test/__snapshots__/add.test.ts.snap": ["`3`", "`-1`"] },
        { reds: [{ name: "adds", file: "test/sub.test.ts" }] },
      ),
    ).toEqual([]);
  });
});

describe("findHarm", () => {
  it("reports the kind of each harm", () => {
    const told = (...given: Parameters<typeof judge>) => judge(...given).harms.map(({ what }) => what);
    expect(told("node", { [test]: without("negates") })).toEqual(["1 of 3 tests is gone"]);
    expect(told("node", { [test]: text.replaceAll("test(", "test.skip(") })).toEqual(["3 of 3 tests are skipped"]);
    expect(told("node", { [test]: 'test.skip("adds", () => {});\n' })[0]).toBe("3 of 3 tests are gone or skipped");
    expect(told("node", weak)).toEqual(['the red check "adds" was edited']);
    expect(told("node", { "package.json": ["node --test test/", "true"] })).toEqual(["scripts.test is now `true`"]);
    expect(told("node", { "package.json": null })[0]).toBe("scripts.test is gone");
    expect(told("pytest", { "pytest.ini": "[pytest]\n" })).toEqual(["is new, and decides how checks run"]);
    expect(told("vitest", { "vitest.config.ts": null })).toEqual(["is gone"]);
    expect(told("make", { Makefile: ["\t$(CHECK)", "\ttrue"] })).toEqual(["check: was edited"]);
    expect(told("node", {}, runs(3, 1))).toEqual(["1 of 3 checks ran"]);
  });

  it("finds nothing without changes", () => {
    const given: GuardCase = {
      command: "npm test",
      changes: [{ path: test, before: "x", after: "x" }],
      read: () => null,
      task: "",
      files: [],
      reds: [],
    };
    expect(findHarm(given)).toEqual({ harms: [], shown: [] });
  });
});
