import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, type Tree as Files, harmed, harmedIn, projects } from "./projects.ts";

type Given = Partial<GuardCase>;
const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });
const jsTest = "test/add.test.js";
const pyTest = "tests/test_calc.py";
const deep = "src/deep.rs";
const inline: Given = { files: [deep], reds: [{ name: "tests::is_deep", file: null }] };
const rust: Files = {
  "src/lib.rs":
    "//! Sums.\n//!\n//! ```\n//! assert!(true);\n//! ```\n\n/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\n#[inline]\npub fn add(a: i32, b: i32) -> i32 { a - b }\n\n/// ```text\n/// a note\n/// ```\npub fn other() {}\n",
};
const python: Files = {
  "calc.py":
    'def add(a, b):\n    """Add.\n\n    >>> add(1, 2)\n    3\n\n    >>> add(0, 0)\n    0\n    """\n    return a - b\n',
};
const examples: Files = {
  "calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n",
  "calc_test.go": "package calc\n\nfunc ExampleAdd() {\n\tfmt.Println(Add(1, 2))\n\t// Output: 3\n}\n",
};
const documented: readonly (readonly [Files, string, Given])[] = [
  [rust, "cargo test", { files: ["src/lib.rs"], reds: [{ name: "src/lib.rs - add", file: "src/lib.rs" }] }],
  [python, "pytest --doctest-modules", { files: ["calc.py"], reds: [{ name: "calc.py::calc.add", file: "calc.py" }] }],
  [examples, "go test", { files: ["calc.go"], reds: [{ name: "example.com/calc ExampleAdd", file: null }] }],
];
const task = (line: string): Given => ({ task: `1.1 Mend the sum\n${line}` });

describe("a red check that skips itself on a condition", () => {
  const goTest = "calc_test.go";
  const text =
    'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tsame(t, Add(1, 2), 3)\n}\n';
  const tree = {
    [goTest]: text,
    "test/a.test.js": 'it.skipIf(isSlow)("adds", () => {\n  equal(add(1, 2), 3);\n});\n',
    "tests/test_a.py": "@pytest.mark.xfail(strict=True)\ndef test_adds():\n    assert add(1, 2) == 3\n",
  };
  const judge = (edits: Edits, name: string, file: string): readonly string[] =>
    harmedIn(tree, file === goTest ? "go test ./..." : "pytest", edits, red(file, name));
  it.each<[string, Edits, string, string]>([
    ["gone", { [goTest]: "package calc\n" }, "TestAdds", goTest],
    ["moved aside", { [goTest]: null, "calc_windows_test.go": text }, "TestAdds", goTest],
    ["edited", { [goTest]: ["same(t, Add(1, 2), 3)", "Add(1, 2)"] }, "TestAdds", goTest],
    ["gone (JavaScript)", { "test/a.test.js": "" }, "adds", "test/a.test.js"],
  ])("is guarded: %s", (_, edits, name, file) => {
    expect(judge(edits, name, file)).toEqual([file]);
  });

  it.each<[string, Edits, string, string]>([
    ["moved", { [goTest]: null, "sum_test.go": text }, "TestAdds", goTest],
    [
      "beside a new one",
      { [goTest]: `${text}\nfunc TestMore(t *testing.T) {\n\tsame(t, 1, 1)\n}\n` },
      "TestAdds",
      goTest,
    ],
    ["not red", { [goTest]: "package calc\n" }, "", "other_test.go"],
    [
      "expected to fail no more",
      { "tests/test_a.py": ["@pytest.mark.xfail(strict=True)\n", ""] },
      "test_adds",
      "tests/test_a.py",
    ],
  ])("may be %s", (_, edits, name, file) => {
    expect(judge(edits, name, file)).toEqual([]);
  });
});

it("is not moved to a file that its tool may not find", () => {
  const text = "class AreaTest(TestCase):\n    def test_area(self):\n        self.assertEqual(area(3, 4), 12)\n";
  const move = (path: string, tool = "unittest"): readonly string[] =>
    harmedIn(
      { "tests/test_area.py": text },
      `python3 -m ${tool}`,
      { "tests/test_area.py": null, [path]: text },
      {
        ...red("tests/test_area.py", "test_area"),
        runs: { before: { ran: 1, skipped: 0 }, after: { ran: 1, skipped: 0 } },
      },
    );
  expect(move("tests/area_test.py")).toEqual(["tests/test_area.py"]);
  expect(move("tests/test_areas.py")).toEqual([]);
  expect(move("tests/area_test.py", "pytest")).toEqual([]);
});

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

describe("an edit that keeps the meaning of a check", () => {
  const text = projects.pytest.tree[pyTest];
  const table = '@pytest.mark.parametrize("a, b", [(1, 2), (2, 1)])\ndef test_adds(a, b):\n    assert add(a, b) == 3\n';
  const given = (after: string, before = `import pytest\n\n\n${table}`): Given => ({
    changes: [{ path: pyTest, before, after }],
    read: (path) => (path === pyTest ? before : null),
  });
  it("may break its lines in another way", () => {
    const broken = table.replace(
      '("a, b", [(1, 2), (2, 1)])',
      '(\n    "a, b",\n    [\n        (1, 2),\n        (2, 1),\n    ],\n)',
    );
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${broken}`))).toEqual([]);
    const other = table.replace('("a, b", [(1, 2)', '(\n    "a, b",\n    [\n        (1, 3)');
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${other}`))).toEqual([pyTest]);
  });

  it("may add types to its parameters", () => {
    const typed = table.replace("(a, b):", "(a: int, b: dict[str, int]) -> dict[str, int]:");
    expect(harmed("pytest", {}, given(`import pytest\n\n\n${typed}`))).toEqual([]);
  });

  it("may add brackets around one parameter", () => {
    const arrow: Edits = { [jsTest]: ["import { equal }", "const one = (x) => x;\nimport { equal }"] };
    const before = projects.node.tree[jsTest].replace("import { equal }", "const one = x => x;\nimport { equal }");
    const after = projects.node.tree[jsTest].replace("import { equal }", "const one = (x) => x;\nimport { equal }");
    expect(harmed("node", arrow, { changes: [{ path: jsTest, before, after }] })).toEqual([]);
  });

  it("may change the set-up of another group", () => {
    const more =
      "\n\nclass TestMore:\n    def setup_method(self):\n        self.pair = [1, 2]\n\n    def test_more(self):\n        assert self.pair\n";
    expect(harmed("pytest", { [pyTest]: `${text}${more}` })).toEqual([]);
    const own = text.replace(
      "    def test_keeps_zero",
      "    def setup_method(self):\n        self.add = print\n\n    def test_keeps_zero",
    );
    const reds = [{ name: `${pyTest}::TestZero::test_keeps_zero`, file: pyTest }];
    expect(harmed("pytest", { [pyTest]: own }, { reds })).toEqual([pyTest]);
  });

  it("may move it together with its fixture", () => {
    const before = projects.node.tree["test/fixtures/add.json"];
    const moved = (reds: GuardCase["reds"]): Given => ({
      reds,
      changes: [
        { path: jsTest, before: projects.node.tree[jsTest], after: null },
        { path: "test/unit/add.test.js", before: null, after: projects.node.tree[jsTest] },
        { path: "test/fixtures/add.json", before, after: null },
        { path: "test/unit/fixtures/add.json", before: null, after: before },
      ],
    });
    expect(harmed("node", {}, moved([{ name: "adds", file: jsTest }]))).toEqual([]);
    expect(harmed("node", {}, moved([{ name: "", file: null }]))).toEqual(["test/fixtures/add.json"]);
  });
});

describe("checks within the code that the task names", () => {
  it.each<[string, Edits, Given?]>([
    ["weakens", { [deep]: ["deep(), 2", "deep(), 1"] }],
    ["expects a panic", { [deep]: ["    #[test]\n", "    #[test]\n    #[should_panic]\n"] }],
    ["builds the tests only with a feature", { [deep]: ["#[cfg(test)]", '#[cfg(all(test, feature = "slow"))]'] }],
    ["shadows the tested function", { [deep]: ["    use super::*;", "    fn deep() -> i32 { 2 }"] }],
    [
      "shadows the tested function next to the import",
      { [deep]: ["super::*;", "super::*;\n    fn deep() -> i32 { 2 }"] },
    ],
    ["shadows the macro", { [deep]: ["#[cfg(test)]", "macro_rules! assert_eq { ($($a:tt)*) => {} }\n#[cfg(test)]"] }],
    ["ends the program", { [deep]: ["{ 1 }", '{ unsafe { _exit(0) } }\nextern "C" {\n    fn _exit(c: i32) -> !;\n}'] }],
  ])("are guarded: %s", (_, edits) => {
    expect(harmed("cargo", edits, inline)).toEqual([deep]);
  });

  it.each<[string, Edits, Given?]>([
    ["repairs the function", { [deep]: ["{ 1 }", "{ 2 }"] }],
    ["adds a check", { [deep]: ["    #[test]\n", "    #[test]\n    fn more() {}\n\n    #[test]\n"] }],
    ["defines a macro of its own", { [deep]: ["#[cfg(test)]", "macro_rules! assert_near { () => {} }\n#[cfg(test)]"] }],
    [
      "changes the checks as the task asks",
      { [deep]: ["deep(), 2", "deep(), 1"] },
      { task: "1.1 Change deep and its tests" },
    ],
  ])("do not prevent honest work: %s", (_, edits, given) => {
    expect(harmed("cargo", edits, { ...inline, ...given })).toEqual([]);
  });
});

describe("examples that are checks", () => {
  it.each<[string, number, Edits]>([
    ["Rust: weakens", 0, { "src/lib.rs": ["add(1, 2), 3", "add(1, 2), -1"] }],
    ["Rust: ignores", 0, { "src/lib.rs": ["/// ```\n/// assert_eq", "/// ```ignore\n/// assert_eq"] }],
    ["Rust: removes", 0, { "src/lib.rs": ["/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\n", ""] }],
    ["Python: weakens", 1, { "calc.py": ["    3\n", "    -1\n"] }],
    ["Python: skips", 1, { "calc.py": ["add(1, 2)\n", "add(1, 2)  # doctest: +SKIP\n"] }],
    ["Python: removes", 1, { "calc.py": ["    >>> add(1, 2)\n    3\n", ""] }],
    ["Go: weakens", 2, { "calc_test.go": ["Output: 3", "Output: -1"] }],
    ["Go: removes the output", 2, { "calc_test.go": ["\t// Output: 3\n", ""] }],
  ])("are guarded in %s", (_, at, edits) => {
    const [tree, command, given] = documented[at] as (typeof documented)[number];
    expect(harmedIn(tree, command, edits, given)).toEqual(Object.keys(edits));
  });

  it.each<[string, number, Edits]>([
    ["Rust: repairs the function", 0, { "src/lib.rs": ["a - b", "a + b"] }],
    ["Rust: changes the text", 0, { "src/lib.rs": ["/// Adds.", "/// Adds two numbers."] }],
    [
      "Rust: adds an example",
      0,
      { "src/lib.rs": ["/// ```text\n", "/// ```\n/// calc::other();\n/// ```\n///\n/// ```text\n"] },
    ],
    ["Python: repairs the function", 1, { "calc.py": ["a - b", "a + b"] }],
    ["Go: repairs the function", 2, { "calc.go": ["a - b", "a + b"] }],
    ["Go: adds a comment", 2, { "calc_test.go": ["func", "// ExampleAdd shows a sum.\nfunc"] }],
  ])("do not prevent edits around them: %s", (_, at, edits) => {
    const [tree, command, given] = documented[at] as (typeof documented)[number];
    expect(harmedIn(tree, command, edits, given)).toEqual([]);
  });
});

describe("a run that counts no check any more", () => {
  const counted = { ran: 3, skipped: 0 };
  const edits: Edits = { "src/add.js": "export const add = (a, b) => a + b;\n" };
  const runs = (tools: string | null, after: typeof counted | null = null): Given =>
    ({ runs: { before: counted, after, tools } }) as Given;
  it.each<[string, Given, boolean]>([
    ["of a tool that always counts", runs("node:test"), true],
    ["of two such tools", runs("jest+pytest"), true],
    ["of a tool that does not always count", runs("gradle+pytest"), false],
    ["of no tool", runs(null), false],
    ["that counts again", runs("node:test", counted), false],
    ["of a script that is silent", { ...runs("pytest"), command: "pytest > log || { cat log; exit 1; }" }, false],
    ["of a script that captures the output", { ...runs("pytest"), command: "out=$(pytest) || echo $out" }, false],
    ["of a quiet tool", { ...runs("pytest"), command: "pytest -qq" }, false],
    ["with stderr in the output", { ...runs("pytest"), command: "pytest 2>&1" }, true],
    ["if no check ran before", { runs: { before: { ran: 0, skipped: 0 }, after: null, tools: "pytest" } }, false],
  ])("is reported, or not: %s", (_, given, isHarm) => {
    expect(harmed("node", edits, given)).toEqual(isHarm ? [""] : []);
  });
});

it("counts a run without any counted check, also if the task names a test", () => {
  const counts = (ran: number | null) => (ran === null ? null : { ran, skipped: null });
  const given = (after: number | null): Given => ({
    ...task(`Extend ${pyTest}`),
    runs: { before: counts(3) as never, after: counts(after) as never, tools: "pytest" },
  });
  const edits: Edits = { [pyTest]: ["def test_adds", "def test_sums"] };
  expect(harmed("pytest", edits, given(null))).toEqual([""]);
  expect(harmed("pytest", edits, given(2))).toEqual([]);
});
