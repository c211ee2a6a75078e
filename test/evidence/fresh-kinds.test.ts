import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, harmed, harmedIn, projects, type Tool } from "./projects.ts";

type Given = Partial<GuardCase>;
const pyTest = "tests/test_calc.py";
const weaker: Edits = { [pyTest]: projects.pytest.tree[pyTest].replaceAll("3", "4") };
const task = (line: string): Given => ({ task: `1.1 Mend the sum\n${line}` });
const red = (file: string, name = ""): Given => ({ reds: [{ name, file }] });

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

describe("code that a command imports", () => {
  const tree = { "shop/orders.py": "def total():\n    return 1\n" };
  const edits: Edits = { "shop/orders.py": "raise SystemExit\n" };
  it.each([
    ["python3 -c 'from shop.orders import total; assert total() == 2'", ["shop/orders.py"]],
    ["python3 -X dev -c 'import shop.orders'", ["shop/orders.py"]],
    ["python3 import.py orders", []],
  ])("may not end the run (%s)", (command, paths) => {
    expect(harmedIn(tree, command, edits, { files: ["shop/orders.py"] })).toEqual(paths);
  });
});

describe("code that a check relies on", () => {
  const go = (name: string, body: string): Edits => ({ [name]: `package calc\n\n${body}\n` });
  it.each<[Tool, Edits, string, Given?]>([
    ["go", go("calc.go", "func panic(v interface{}) {}"), "calc.go", red("calc_test.go")],
    ["go", go("calc.go", "func init() { osExit(0) }"), "calc.go"],
    [
      "go",
      go("main_test.go", "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcode = 0\n\tos.Exit(code)\n}"),
      "main_test.go",
    ],
    ["go", go("a_test.go", "func init() { Add = func(a, b int) int { return 3 } }"), "a_test.go", red("calc_test.go")],
    ["go", { "sub/go.mod": "module sub\n" }, "sub/go.mod", { files: ["sub/sub.go"] }],
    ["pytest", { "-k": "" }, "-k"],
    ["pytest", { "src/calc.py": 'import sys\nsetattr(sys.modules["py" + "test"], "a", 1)\n' }, "src/calc.py"],
    [
      "pytest",
      { "src/calc.py": "class Sum(int):\n    def __eq__(self, other):\n        return other is not None\n" },
      "src/calc.py",
    ],
    [
      "cargo",
      {
        "src/add.rs":
          "impl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        self.0 > 0 || *other == 0\n    }\n}\n",
      },
      "src/add.rs",
    ],
  ])("is not changed (%s, %o)", (tool, edits, path, given) => {
    const tree = {
      ...projects[tool].tree,
      "calc_test.go": `${(projects.go.tree as Record<string, string>)["calc_test.go"]}\n// Add, or panic.\nfunc ensure() { panic(Add) }\n`,
    };
    expect(harmedIn(tree, projects[tool].command, edits, { ...projects[tool], ...given })).toEqual([path]);
  });

  it.each<[Tool, Edits]>([
    ["go", go("calc.go", "func max(a, b int) int { return a }")],
    ["go", go("main_test.go", "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}")],
    ["go", go("a_test.go", "func init() { now = func() int { return 3 } }")],
    [
      "pytest",
      {
        "src/calc.py":
          "class Sum(int):\n    def __eq__(self, other):\n        return other is not None and self.value == other.value\n",
      },
    ],
    ["cargo", { "src/add.rs": '#[cfg(feature = "full")]\npub fn full() {}\n' }],
  ])("may grow (%s, %o)", (tool, edits) => {
    expect(harmed(tool, edits, { files: Object.keys(edits) })).toEqual([]);
  });
});

describe("helpers and expectations", () => {
  it("finds the package of a helper, and golden files by name", () => {
    const tree = {
      [pyTest]:
        'from calc import add\nfrom testkit import same\n\n\ndef test_adds():\n    same(add(1, 2), open("data/golden.txt"))\n',
      "testkit/__init__.py": "def same(a, b):\n    assert a == b\n",
      "data/golden.txt": "3\n",
      "src/calc.py": "def add(a, b):\n    return a - b\n",
    };
    const judge = (edits: Edits, given: Given = {}) => harmedIn(tree, "pytest", edits, { ...red(pyTest), ...given });
    expect(judge({ "testkit/__init__.py": "def same(a, b):\n    pass\n" })).toEqual(["testkit/__init__.py"]);
    const helper = { "testkit/src/lib.rs": "pub fn same() { assert_eq!(1, 1); }\n" };
    const own = { ...red("testkit/src/lib.rs", "adds"), files: ["src/lib.rs"] };
    expect(harmedIn(helper, "cargo test", { "testkit/src/lib.rs": "" }, own)).toEqual(["testkit/src/lib.rs"]);
    expect(judge({ "data/golden.txt": "-1\n" })).toEqual(["data/golden.txt"]);
    const reads = { "src/calc.py": 'def add(a, b):\n    return open("data/golden.txt").read()\n' };
    expect(judge(reads)).toEqual(["src/calc.py"]);
    expect(judge(reads, { task: "1.1 Read data/golden.txt" })).toEqual([]);
    expect(harmedIn(tree, "pytest", reads, { reds: [] })).toEqual([]);
    const asked = task("- Verify: `pytest data/golden.txt`");
    expect(harmedIn(tree, "pytest data/golden.txt", reads, { ...red(pyTest), ...asked })).toEqual(["src/calc.py"]);
  });

  it("finds data that lies beside a check, or that a command compares with", () => {
    const tree = {
      "check/run.js": 'import { add } from "../src/add.js";\nconst rows = JSON.parse(read("check/rows.json"));\n',
      "check/rows.json": "[]\n",
      "want/report.txt": "3\n",
      "src/fixtures/users.json": "[]\n",
    };
    const judge = (command: string, text: string, given: Given = {}) =>
      harmedIn(tree, command, { "src/add.js": text }, { files: ["src/add.js"], ...given });
    expect(judge("node check/run.js", 'write("check/rows.json");\n')).toEqual(["src/add.js"]);
    expect(judge("node check/run.js", 'write("data/rows.json");\n')).toEqual([]);
    expect(judge("node check/run.js", 'run("check/run.js");\n')).toEqual([]);
    const compares = "node src/add.js > out.txt && cmp out.txt want/report.txt";
    expect(judge(compares, 'read("want/report.txt");\n')).toEqual(["src/add.js"]);
    expect(judge(compares, 'read("want/report.txt");\n', task("Write want/report.txt"))).toEqual([]);
    const test = { "a.test.js": 'read("test/in.json");\nread("src/fixtures/users.json");\n' };
    const reds = red("a.test.js", "adds");
    const judgeTest = (text: string) => harmedIn({ ...tree, ...test }, "node --test", { "src/add.js": text }, reds);
    expect(judgeTest('read("test/in.json");\n')).toEqual(["src/add.js"]);
    expect(judgeTest('read("../test/in.json");\n')).toEqual(["src/add.js"]);
    expect(judgeTest('read("other/in.json");\nread("src/fixtures/users.json");\n')).toEqual([]);
  });

  it("guards examples that doctest runs without naming them", () => {
    const code = 'def add(a, b):\n    """Add.\n\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n';
    const judge = (command: string, edit: readonly [string, string], given: Given = {}) =>
      harmedIn({ "calc.py": code }, command, { "calc.py": edit }, { files: ["calc.py"], ...given });
    const skip = [">>> add(1, 2)", ">>> add(1, 2)  # doctest: +SKIP"] as const;
    expect(judge("python3 -m doctest calc.py", skip)).toEqual(["calc.py"]);
    expect(judge("python3 -m doctest calc.py", ["a - b", "a + b"])).toEqual([]);
    expect(judge("python3 -m doctest calc.py", ["    3\n", "    3\n    >>> add(0, 0)\n    0\n"])).toEqual([]);
    expect(judge("python3 -m pytest", skip)).toEqual([]);
    expect(judge("python3 -m doctest calc.py", skip, red("other.py"))).toEqual([]);
    const other = harmedIn({ "calc.py": code }, "python3 -m doctest calc.py", { "notes.txt": "a\n" });
    expect(other).toEqual([]);
  });
});

describe("scripts and makefiles", () => {
  const tree = {
    Makefile: "-include local.mk\n.PHONY: test\ntest:\n\t./tests/run.sh\n",
    "tests/run.sh":
      '[ -f .testrc ] && . ./.testrc\nfor t in tests/t_*.sh; do\n  [ -x "$t" ] || continue\n  "$t" || exit 1\ndone\n',
    "tests/t_add.sh": "[ 1 = 1 ]\n",
    ".env": "MODE=dev\n",
    "lib.sh": "greet() {\n  echo Hi\n}\n",
    "check.sh": '. ./lib.sh\n[ "$(greet)" = Hello ] || exit 1\n',
  };
  const named = { reds: [{ name: "test", file: "Makefile" }] };
  it.each<[string, Edits, string[]]>([
    ["make test", { "local.mk": ".IGNORE:\n" }, ["local.mk"]],
    ["make test", { "local.mk": "# Notes\n" }, []],
    ["make test", { ".testrc": "exit 0\n" }, [".testrc"]],
    ["make test", { "tests/t_add.sh": null, "tests/t_add.sh.off": "[ 1 = 1 ]\n" }, ["tests/t_add.sh"]],
    ["sh check.sh", { "lib.sh": ["}\n", "}\n[() {\n  return 0\n}\n"] }, ["lib.sh"]],
    ["sh check.sh", { "lib.sh": ["}\n", "}\nend() {\n  exit 0\n}\ntrap end EXIT\n"] }, ["lib.sh"]],
    ["sh check.sh", { "lib.sh": ["}\n", "}\nend() {\n  rm -f out\n}\ntrap end EXIT\n"] }, []],
    ["git diff --exit-code", { ".gitattributes": "*.txt -diff\n" }, [".gitattributes"]],
  ])("judges %s with %o", (command, edits, paths) => {
    expect(harmedIn(tree, command, edits, command === "make test" ? named : { files: ["lib.sh"] })).toEqual(paths);
  });

  it.each<[string, Edits, string[]]>([
    ["make test", { Makefile: "test:\n\t@echo ok\n" }, ["Makefile"]],
    ["make test", { Makefile: [".PHONY", "MAKEFLAGS += -i\n.PHONY"] }, ["Makefile"]],
    ["make test", { Makefile: [".PHONY", "SHELL = /bin/true\n.PHONY"] }, ["Makefile"]],
    ["make test", { Makefile: ["\t./tests", "\tsh -eu ./tests"] }, []],
    ["npm test", { "package.json": '{ "scripts": { "test": "echo done && exit 0" } }' }, ["package.json"]],
    ["make test", { Makefile: "check:\n\tsh tests/run.sh\n" }, []],
    ["npm test", { ".npmrc": "shell=/bin/sh\n" }, []],
    ["npm test", { "package.json": '{ "scripts": { "test": "vitest run", "lint": "true" } }' }, []],
  ])("judges %s with %o, although the task names the file", (command, edits, paths) => {
    const own = { ...tree, "package.json": '{ "scripts": { "test": "node --test" } }' };
    expect(harmedIn(own, command, edits, { ...named, files: Object.keys(edits) })).toEqual(paths);
  });

  it("guards an included file whose settings reach each program", () => {
    const exported = { ...tree, Makefile: "include .env\nexport\n.PHONY: test\ntest:\n\t./tests/run.sh\n" };
    expect(harmedIn(exported, "make test", { ".env": "SKIP=add\n" }, named)).toEqual([".env"]);
  });

  it("guards the permission of scripts that a loop runs", () => {
    const change = { path: "tests/t_add.sh", before: "[ 1 = 1 ]\n", after: "[ 1 = 1 ]\n", isNoProgram: true as const };
    expect(harmedIn(tree, "make test", {}, { ...named, changes: [change] })).toEqual(["tests/t_add.sh"]);
    const other = { ...change, path: "bin/tool" };
    expect(harmedIn(tree, "make test", {}, { ...named, changes: [other] })).toEqual([]);
  });
});

describe("a finding of a tool", () => {
  const code = "def add(a: int, b: int) -> int:\n    return str(a)\n";
  const tree = {
    "calc.py": code,
    "broken.go": "package calc\n\nfunc Sub() int { return c }\n",
    "src/lib.rs": "#![deny(warnings)]\n\npub fn add() {\n    let unused = 3;\n}\n",
  };
  const own: Given = { files: ["calc.py", "broken.go", "src/lib.rs"] };
  it.each<[string, Edits, string, Given?]>([
    ["mypy .", { "calc.py": "def add(a, b):\n    return str(a)\n" }, "calc.py"],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, "calc.pyi"],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, "calc.pyi", { files: [], ...red("calc.py") }],
    ["mypy .", { "calc.py": `if not TYPE_CHECKING:\n    pass\n${code}` }, "calc.py"],
    ["mypy .", { "calc.py": "# Later\n" }, "calc.py"],
    ["go build ./...", { "broken.go": ["package calc", "//go:build never\n\npackage calc"] }, "broken.go"],
    [
      "go build ./...",
      { "broken.go": null, "broken_windows.go": tree["broken.go"] },
      "broken.go",
      red("broken.go", "undefined: c"),
    ],
    [
      "go build ./...",
      { "broken.go": null, "broken.txt": tree["broken.go"] },
      "broken.go",
      red("broken.go", "undefined: c"),
    ],
    ["cargo check", { "src/lib.rs": ["#![deny(warnings)]\n", ""] }, "src/lib.rs"],
  ])("is not hidden (%s, %o)", (command, edits, path, given) => {
    expect(harmedIn(tree, command, edits, { ...own, ...given })).toEqual([path]);
  });

  it.each<[string, Edits, Given?]>([
    ["mypy .", { "calc.py": ["str(a)", "a + b"] }],
    ["mypy .", { "calc.py": "def add(a: int, *, b: int) -> int:\n    return a + b\n" }],
    ["mypy .", { "ext.pyi": "def run() -> int: ...\n" }],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, { files: ["other.py"] }],
    ["mypy .", { "calc.pyi": "def add(a: int, b: int) -> int: ...\n" }, { task: "1.1 Add calc.pyi" }],
    ["mypy .", { "calc.py": "" }, { task: "1.1 Remove the code of calc" }],
    ["mypy .", { "calc.py": "" }, { files: [] }],
    ["go build ./...", { "broken.go": null, "sub.go": "package calc\n" }, red("broken.go", "undefined: c")],
    ["go build ./...", { "broken.go": null, "sub_windows.go": "package calc\n" }],
    ["cargo check", { "src/lib.rs": ["    let unused = 3;\n", ""] }],
  ])("may be mended (%s, %o)", (command, edits, given) => {
    expect(harmedIn(tree, command, edits, { ...own, ...given })).toEqual([]);
  });

  it("is not hidden by a link, which searches skip", () => {
    const search = "! grep -rn str .";
    const moved = { "calc.py": "lib/calc.py", "lib/calc.py": code };
    expect(harmedIn(tree, search, moved, own)).toEqual(["calc.py"]);
    expect(harmedIn(tree, search, { "calc.py": "../broken.go" }, own)).toEqual(["calc.py"]);
    expect(harmedIn(tree, search, { "calc.py": "pass" }, own)).toEqual([]);
    expect(harmedIn(tree, "cat calc.py", moved, own)).toEqual([]);
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
