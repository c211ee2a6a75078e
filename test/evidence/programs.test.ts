import { describe, expect, it } from "vitest";
import type { GuardCase } from "../../src/evidence/find-harm.ts";
import { type Edits, type Tree as Files, harmed, harmedIn, projects, type Tree } from "./projects.ts";

type Given = Partial<GuardCase>;
const makefile =
  "VERSION = 1\n\ncheck:\n\tsh check/sum.sh\n\ndocs:\n\techo docs\n\nreport:\n\tsh sum.sh data/orders.txt\n";
const make = "include config.mk\nRUN ?= sh\n\ncheck:\n\t$(RUN) src/check.sh\n";

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

describe("what a command runs and reads", () => {
  const scripts: Tree = {
    Makefile: makefile,
    "check/sum.sh": '[ "$(sh sum.sh < data/orders.txt)" = 6 ]\n',
    "check/all.sh": "while read -r file; do\n  sh $file || exit 1\ndone < suite.list\n",
    "check/each.sh": "for file in $(cat suite.list); do\n  sh $file || exit 1\ndone\n",
    "check/run.js":
      'import { add } from "../src/add.js";\nimport { same } from "../support/same.js";\nsame(add(1, 2), 3);\n',
    "support/same.js": "export function same(a, b) {\n  if (a !== b && !Number.isNaN(b)) throw new Error();\n}\n",
    "src/add.js": "export const add = (a, b) => a - b;\n",
    "check/run.py": "from sums import add\n\nassert add(1, 2) == 3\n",
    "sums.py": "def add(a, b):\n    return a - b\n",
    "check.sh": 'set -e\n. ./lib.sh\nsame() { [ "$1" = "$2" ]; }\nsame "$(add 1 2)" 3\n',
    "lib.sh": "add() { echo $(($1 - $2)); }\n",
    "data/orders.txt": "1\n2\n3\n",
    "suite.list": "check/sum.sh\n",
    "want.txt": "6\n",
    ".skip": "*.log\n",
    ".gitignore": "dist/\n",
    "README.md": "# Sums\n\n    >>> from sums import add\n    >>> add(1, 2)\n    3\n",
    "Cargo.toml": '[package]\nname = "sums"\n',
    "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\na - b\n}\n",
    "src/add.py": "def add(a,b): return a\n",
  };
  it.each<[string, string, Edits]>([
    ["a search path of make", "make check", { Makefile: ["VERSION = 1", "VPATH = out"] }],
    ["a search path of make for a pattern", "make check", { Makefile: ["VERSION = 1", "vpath % out"] }],
    ["a variable that make exports", "make check", { Makefile: ["VERSION = 1", "export PYTHONOPTIMIZE = 1"] }],
    ["all variables that make exports", "make check", { Makefile: ["VERSION = 1", "export"] }],
    ["the input of the code", "sh check/sum.sh", { "data/orders.txt": "6\n" }],
    ["the input of the code, in the command", "sh sum.sh <data/orders.txt | grep -x 6", { "data/orders.txt": "6\n" }],
    ["a list of checks", "sh check/all.sh", { "suite.list": "" }],
    ["a list of checks, printed", "sh check/each.sh", { "suite.list": "" }],
    ["a helper of the check", "node check/run.js", { "support/same.js": "export function same() {}\n" }],
    ["an own configuration that git ignores", "make check", { ".gitignore": "dist/\n/GNUmakefile\n" }],
    ["a file of a target that git ignores", "make check", { ".gitignore": "dist/\ncheck\n" }],
    ["an own configuration of pytest that git ignores", "pytest", { ".gitignore": "conftest.*\n" }],
    ["a configuration of a folder that git ignores", "pytest", { ".gitignore": "dist/\ntests/conftest.py\n" }],
    ["the input of a recipe", "make report", { "data/orders.txt": "6\n" }],
    ["exceptions of a search", "! grep -r --exclude-from=.skip TODO src", { ".skip": "add.js\n" }],
    ["a configuration that the command names", "mocha --config own.json", { "own.json": "{}\n" }],
    ["exceptions that the command names", "prettier --ignore-path=.skip --check src", { ".skip": "add.js\n" }],
    ["a format for editors", "prettier --check src", { ".editorconfig": "[*]\nindent_size = 8\n" }],
    ["an example in a document", "python3 -m doctest README.md", { "README.md": ["    3\n", "    -1\n"] }],
    ["all examples in a document", "python3 -m doctest README.md", { "README.md": "# Sums\n" }],
    ["all examples in a removed document", "python3 -m doctest README.md", { "README.md": null }],
    ["format rules", "cargo fmt --check", { "rustfmt.toml": "disable_all_formatting = true\n" }],
    ["thresholds", "cargo clippy", { "clippy.toml": "too-many-arguments-threshold = 99\n" }],
    ["lints in the manifest", "cargo clippy", { "Cargo.toml": '[package]\nname = "sums"\n\n[lints.clippy]\n' }],
    ["omitted files of the coverage", "pytest --cov=src", { ".coveragerc": "[run]\nomit = src/*\n" }],
    ["rules of shellcheck", "shellcheck lib.sh", { ".shellcheckrc": "disable=all\n" }],
    ["a skipped format", "cargo fmt --check", { "src/lib.rs": ["pub fn", "#[rustfmt::skip]\npub fn"] }],
    ["a skipped format in Python", "black --check src", { "src/add.py": ["def", "# fmt: off\ndef"] }],
    ["an allowed warning", "RUSTFLAGS='-D warnings' cargo check", { "src/lib.rs": ["pub", "#[allow(x)]\npub"] }],
  ])("is guarded: %s", (_, command, edits) => {
    expect(harmedIn(scripts, command, edits, { files: ["src/add.js"] })).toEqual(Object.keys(edits));
  });

  it.each<[string, string, Edits, Given?]>([
    ["another variable of make", "make check", { Makefile: ["VERSION = 1", "VERSION = 2"] }],
    ["what a search looks at", "grep -q 6 < want.txt", { "want.txt": "6 6\n" }],
    ["an input that the task names", "sh check/sum.sh", { "data/orders.txt": "6\n" }, { files: ["data/orders.txt"] }],
    ["a helper that the task names", "node check/run.js", { "support/same.js": "" }, { files: ["support/same.js"] }],
    ["code that a check imports", "node check/run.js", { "src/add.js": "export const add = (a, b) => a + b;\n" }],
    ["usual ignore rules", "make check", { ".gitignore": "dist/\n.env\n.env.*\n*.log\ncoverage/\n.npmrc\n" }],
    ["usual ignore rules of Python", "pytest", { ".gitignore": "__pycache__/\n*.py[cod]\n.pytest_cache/\n.venv/\n" }],
    ["the text around an example", "python3 -m doctest README.md", { "README.md": ["# Sums", "# All sums"] }],
    ["a program named like a package", "cargo test -p sums", { "bin/sums": "#!/bin/sh\n" }],
    ["a configuration of another command", "mocha", { "own.json": "{}\n", ".editorconfig": "[*]\n" }],
    ["a document that the command greps", "grep -q add README.md", { "README.md": ["# Sums\n", "# The sums\n"] }],
    ["lints that no command runs", "cargo test", { "Cargo.toml": '[package]\nname = "sums"\n\n[lints.rust]\n' }],
    ["an allowed warning that no command counts", "cargo test", { "src/lib.rs": ["pub", "#[allow(x)]\npub"] }],
  ])("may be changed: %s", (_, command, edits, given) => {
    expect(harmedIn(scripts, command, edits, { files: ["src/add.js"], ...given })).toEqual([]);
  });
});

it("does not let a runner only list its checks, also if the task names the file", () => {
  const tree: Tree = { ".mocharc.json": "{}\n", "package.json": '{ "scripts": { "test": "pytest" } }\n' };
  const edit = (path: string, after: string): readonly string[] =>
    harmedIn(tree, path === ".mocharc.json" ? "mocha" : "npm test", { [path]: after }, { files: [path] });
  expect(edit(".mocharc.json", '{ "timeout": 5000, "dry-run": true }\n')).toEqual([".mocharc.json"]);
  expect(edit("package.json", '{ "scripts": { "test": "pytest --collect-only" } }\n')).toEqual(["package.json"]);
  expect(edit(".mocharc.json", '{ "timeout": 5000 }\n')).toEqual([]);
  expect(edit("package.json", '{ "scripts": { "test": "pytest -q", "list": "true" } }\n')).toEqual([]);
});

describe("a repository of its own", () => {
  it("does not hide a program of the command", () => {
    const given = (path: string): Given => ({ changes: [{ path, before: null, after: "", unread: true }] });
    expect(harmed("pytest", {}, { ...given("pytest"), command: "python3 -m pytest" })).toEqual(["pytest"]);
    expect(harmed("pytest", {}, given("vendored"))).toEqual([]);
  });
});

describe("a check that is no longer executable", () => {
  const text = projects.shell.tree["test/add.test.sh"];
  const given = (path: string, before = text): Given => ({
    changes: [{ path, before, after: before, isNoProgram: true }],
  });
  it("is guarded", () => {
    expect(harmed("shell", {}, given("test/add.test.sh"))).toEqual(["test/add.test.sh"]);
    expect(harmed("shell", {}, { ...given("test/add.test.sh"), files: ["test/"] })).toEqual([]);
    expect(harmed("shell", {}, given("add.sh"))).toEqual([]);
  });
});

describe("an included makefile without the target", () => {
  const given = (path: string, after: string): Given => ({
    changes: [{ path, before: null, after }],
    read: (name) => (name === "Makefile" ? make : null),
  });
  it("decides by the variables of the recipe", () => {
    expect(harmed("make", {}, given("config.mk", "RUN = true\n"))).toEqual(["config.mk"]);
    expect(harmed("make", {}, given("config.mk", "SHELL = /bin/true\n"))).toEqual(["config.mk"]);
    expect(harmed("make", {}, given("config.mk", "VERSION = 2\n"))).toEqual([]);
  });
});

describe("scripts that a command runs", () => {
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
