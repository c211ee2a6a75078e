import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, type Tree as Files, harmed, harmedIn } from "./projects.ts";

type Given = Partial<GuardCase>;

const deep = "src/deep.rs";
const inline: Given = { files: [deep], reds: [{ name: "tests::is_deep", file: null }] };

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

const source: Files = {
  "package.json": '{ "scripts": { "check": "tsc --noEmit", "lint": "eslint src" } }',
  "src/a.ts": "export const a: number = 'a';\n",
  "src/b.ts": "export const b = 1;\n",
  "src/a.py": "def a() -> int:\n    return 'a'\n",
  ".gitignore": "dist/\n",
};
const found = (file: string): Given => ({ files: [file], reds: [{ name: file, file }] });

describe("findings of compilers and linters", () => {
  it.each<[string, string, Edits, string]>([
    ["tsc --noEmit", "src/a.ts", { "src/a.ts": ["export", "// @ts-nocheck\nexport"] }, "src/a.ts"],
    ["npm run check", "src/a.ts", { "src/a.ts": ["export", "// @ts-ignore\nexport"] }, "src/a.ts"],
    ["npm run lint", "src/a.ts", { "src/a.ts": ["export", "/* eslint-disable */\nexport"] }, "src/a.ts"],
    ["npx oxlint", "src/a.ts", { "src/a.ts": ["'a';", "'a'; // oxlint-disable-line"] }, "src/a.ts"],
    ["mypy src", "src/a.py", { "src/a.py": ["'a'\n", "'a'  # type: ignore\n"] }, "src/a.py"],
    ["ruff check", "src/a.py", { "src/a.py": ["'a'\n", "'a'  # noqa\n"] }, "src/a.py"],
    ["pytest --cov=src", "src/a.py", { "src/a.py": [":\n", ":  # pragma: no cover\n"] }, "src/a.py"],
    ["tsc --noEmit", "src/a.ts", { "src/a.ts": null, "src/a.js": "export const a = 'a';\n" }, "src/a.ts"],
    ["npx oxlint", "src/a.ts", { ".gitignore": "dist/\nsrc/a.ts\n" }, ".gitignore"],
    ["npx oxlint", "src/a.ts", { ".gitignore": "dist/\n/src/*.ts\n" }, ".gitignore"],
    ["npx oxlint", "src/a.ts", { ".eslintignore": "src/a.ts\n" }, ".eslintignore"],
  ])("of %s in %s are not hidden", (command, file, edits, path) => {
    expect(harmedIn(source, command, edits, found(file))).toEqual([path]);
  });

  it.each<[string, string, Edits, Given?]>([
    ["repairs the file, which Files does not name", "tsc --noEmit", { "src/a.ts": ["'a'", "1"] }, { files: [] }],
    ["removes the file", "tsc --noEmit", { "src/a.ts": null }],
    ["moves the code to another file", "tsc --noEmit", { "src/a.ts": null, "src/c.ts": "export const a = 1;\n" }],
    [
      "continues without types, as the task asks",
      "tsc",
      { "src/a.ts": null, "src/a.js": "" },
      { task: "1.1 Write src/a.js" },
    ],
    ["hides a finding of another tool", "tsc --noEmit", { "src/a.ts": ["export", "/* eslint-disable */\nexport"] }],
    ["hides a finding in another file", "tsc --noEmit", { "src/b.ts": ["export", "// @ts-ignore\nexport"] }],
    [
      "hides a finding as the task asks",
      "tsc",
      { "src/a.ts": ["export", "// @ts-ignore\nexport"] },
      { task: "1.1 Suppress the error" },
    ],
    ["ignores build output", "npx oxlint", { ".gitignore": "dist/\n# builds\nout/\n*.log\n!src/\n" }],
    ["removes the ignore rules", "npx oxlint", { ".gitignore": null }],
  ])("do not prevent honest work: %s", (_, command, edits, given) => {
    expect(harmedIn(source, command, edits, { ...found("src/a.ts"), ...given })).toEqual([]);
  });
});

const scripts: Files = {
  "ci/check.sh": "set -e\n./run | grep -q 6\n",
  "ci/check.py": "from rules import run\nassert run()\n",
  "ci/rules.py": "def run():\n    return False\n",
  "ci/check.pl": "exit(1);\n",
  "ci/check.awk": "$1 != 6 { exit 1 }\n",
  "checks/__main__.py": "assert False\n",
  "golden/sum.txt": "6\n",
  "want.txt": "6\n",
  "app/package.json": '{ "name": "app", "scripts": { "test": "node --test" } }',
  "package.json": '{ "workspaces": ["app"], "scripts": { "test": "true" } }',
  "composer.json": '{ "scripts": { "test": "phpunit" } }',
};

describe("scripts that a command runs", () => {
  it.each([
    ["bash -e -c 'sh ci/check.sh'", "ci/check.sh"],
    ["bash -euo pipefail ci/check.sh", "ci/check.sh"],
    ["bash -o errexit ci/check.sh", "ci/check.sh"],
    ['for f in ci/*.sh; do sh "$f" || exit 1; done', "ci/check.sh"],
    ["ls ci/*.sh | xargs -n1 sh", "ci/check.sh"],
    ["sh < ci/check.sh", "ci/check.sh"],
    ["cat ci/check.sh | sh -e", "ci/check.sh"],
    ["nice -n 5 sh ci/check.sh", "ci/check.sh"],
    ['sh "$(ls ci/check.sh)"', "ci/check.sh"],
    ['"$PWD/ci/check.sh"', "ci/check.sh"],
    ["python3 ci/check.py", "ci/rules.py"],
    ["cat ci/check.py | python3 -", "ci/check.py"],
    ["python3 -m checks", "checks/__main__.py"],
    ["perl ci/check.pl", "ci/check.pl"],
    ["./run | awk -f ci/check.awk", "ci/check.awk"],
    [`python3 -c 'assert open("golden/sum.txt").read() == "6"'`, "golden/sum.txt"],
    ["./run | diff - want.txt", "want.txt"],
    ["diff <(./run) want.txt", "want.txt"],
    ["./run > out.txt && cmp out.txt want.txt", "want.txt"],
    ["./run | grep -qxFf want.txt", "want.txt"],
    ["npm --prefix app test", "app/package.json"],
    ["npm -C app run test", "app/package.json"],
    ["npm test --workspace app", "app/package.json"],
    ["npm run test -w app", "app/package.json"],
    ["npm test --workspaces", "app/package.json"],
    ["npm test --prefix=app", "app/package.json"],
    ["yarn workspace app test", "app/package.json"],
    ["xvfb-run -a npm --prefix app test", "app/package.json"],
    ["turbo run test", "app/package.json"],
    ["nx test app", "app/package.json"],
    ["composer test", "composer.json"],
    ["composer run test", "composer.json"],
  ])("by %s are guarded", (command, path) => {
    const emptied = path.endsWith(".json") ? '{ "scripts": { "test": "true" } }' : "true\n";
    const reds = [{ name: "sums", file: path.startsWith("app/") ? "app/sum.test.js" : null }];
    expect(harmedIn(scripts, command, { [path]: emptied }, { reds })).toEqual([path]);
  });

  it.each([
    ["grep -q '6' README.md", "README.md", "# 6\n"],
    ["cmp want.txt README.md", "README.md", "6\n"],
    ["grep -q 6 want.txt", "want.txt", "6 6\n"],
    ["test -x ci/build.sh", "ci/build.sh", "make\n"],
    ["grep -q npm package.json", "package.json", "{}"],
    ["for f in src/*.sh; do sh $f; done", "src/app.sh", "echo 6\n"],
    ["python3 -m app | grep 6", "app.py", "print(6)\n"],
  ])("do not include the work that %s looks at", (command, path, after) => {
    const tree = {
      ...scripts,
      "README.md": "# 5\n",
      "ci/build.sh": "false\n",
      "src/app.sh": "echo\n",
      "app.py": "print(5)\n",
    };
    expect(harmedIn(tree, command, { [path]: after })).toEqual([]);
  });
});
