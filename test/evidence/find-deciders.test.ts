import { describe, expect, it } from "vitest";
import { configPart } from "../../src/evidence/config-part.ts";
import { findDeciders } from "../../src/evidence/find-deciders.ts";

const scripts = (all: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: all });
/** Entries have the form `path part`. `!` marks files without which the command cannot work. */
const decided = (command: string, tree: Readonly<Record<string, string>>): readonly string[] =>
  findDeciders(command, (path) => tree[path] ?? null)
    .deciders.filter(({ path, isNeeded }) => isNeeded || path in tree)
    .map(({ path, part, isNeeded }) => `${isNeeded ? "!" : ""}${path}${part === null ? "" : ` ${part}`}`)
    .toSorted();

const npm = {
  "package.json": scripts({ test: "node scripts/check.mjs", lint: "eslint ." }),
  "scripts/check.mjs": 'import "./lib.mjs"; assert(1)',
  "scripts/lib.mjs": "",
};
const own = [
  "package.json scripts.posttest",
  "package.json scripts.pretest",
  "package.json scripts.test",
  "scripts/check.mjs",
  "scripts/lib.mjs",
];

describe("findDeciders", () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["npm test", npm, own],
    ["npm run test -- --silent", npm, own],
    ["npm run -s test", npm, own],
    ["CI=1 timeout 60 npm t && true", npm, own],
    ["sh -c 'npm test'", npm, own],
    ["pnpm test", npm, own],
    ["yarn test", npm, own],
    [
      "yarn lint",
      npm,
      [
        "package.json eslintConfig",
        "package.json scripts.lint",
        "package.json scripts.postlint",
        "package.json scripts.prelint",
      ],
    ],
    ["bun run test", npm, own],
    ["node --run test", npm, own],
    ["bun test", npm, []],
    ["npm ci", npm, []],
    ["npm run", npm, []],
    ["npm", npm, []],
    ["node", npm, []],
    ["node --run", npm, []],
    ["if ! npm test; then exit 1; fi", npm, own],
    ["npm test", {}, ["!package.json scripts.posttest", "!package.json scripts.pretest", "!package.json scripts.test"]],
    [
      "cd web && npm test",
      {
        "web/package.json": scripts({ test: "vitest" }),
        "web/vitest.config.ts": 'x("./setup.ts", "./src/main.ts")',
        "web/setup.ts": "",
      },
      [
        "web/package.json dependencies.vitest",
        "web/package.json devDependencies.vitest",
        "web/package.json scripts.posttest",
        "web/package.json scripts.pretest",
        "web/package.json scripts.test",
        "web/setup.ts",
        "web/vitest.config.ts",
      ],
    ],
    ["cd && true", {}, []],
    ["cd web/.. && npm test", npm, own],
    ["sh missing.sh && test -f out", {}, []],
    [
      "vitest",
      { "vitest.config.ts": 'x("./src/main.ts", "./src/setup.ts", "../up.ts")', "src/main.ts": "", "src/setup.ts": "" },
      ["src/setup.ts", "vitest.config.ts"],
    ],
    ["node scripts/check.mjs", npm, ["scripts/check.mjs", "scripts/lib.mjs"]],
    ["node check.mjs", { "check.mjs": 'import "./add.mjs"; assert(1)', "add.mjs": "" }, ["check.mjs"]],
    ["node src/cli.js --version | grep 1", { "src/cli.js": "console.log(1)" }, []],
    ["node missing.js", {}, []],
    ["node --require ./hook.cjs --test a.test.js", { "hook.cjs": "" }, ["hook.cjs"]],
    ["node --import=./hook.mjs --test", { "hook.mjs": "" }, ["hook.mjs"]],
    ["python -m pytest", { "pytest.ini": "", "sitecustomize.py": "" }, ["pytest.ini", "sitecustomize.py"]],
    ["python3 -m unittest", { "sitecustomize.py": "" }, ["sitecustomize.py"]],
    ["poetry run pytest -q", { "pytest.ini": "" }, ["pytest.ini"]],
    ["npx --yes vitest run", { "vitest.config.ts": "" }, ["vitest.config.ts"]],
    ["npx", {}, []],
    ["npx vitest --config ci.config.ts", { "ci.config.ts": "" }, ["ci.config.ts"]],
    ["npx vitest --config", {}, []],
    [
      "tsc -p tsconfig.build.json",
      { "tsconfig.json": "{}", "tsconfig.build.json": '{"extends":"./tsconfig.json"}' },
      ["tsconfig.build.json", "tsconfig.json"],
    ],
    [
      "./check.sh",
      { "check.sh": ". ./lib.sh\nmake -C sub all", "lib.sh": "", "sub/Makefile": "all:\n\ttrue\n" },
      ["check.sh", "lib.sh", "sub/Makefile all:"],
    ],
    ["bash build.sh && test -f out", { "build.sh": "cc -o out a.c" }, []],
    ["bash build.sh", { "build.sh": "cc -o out a.c" }, ["build.sh"]],
    ["./tool --help | grep usage", { tool: "echo usage" }, []],
    ["sh", {}, []],
    ["sh -c", {}, []],
    ["make", { Makefile: ".PHONY: all\nall:\n\ttrue\n" }, ["Makefile all:"]],
    ["make", {}, ["!GNUmakefile :", "!Makefile :", "!makefile :"]],
    ["make -f ci.mk test", { "ci.mk": "test: ; sh t.sh\n", "t.sh": "" }, ["ci.mk test:", "t.sh"]],
    [
      "make test",
      { Makefile: "SUB = sub\ntest:\n\t@$(MAKE) -C $(SUB) all\n\t@echo $(NONE)\n", "sub/Makefile": "all:\n\ttrue\n" },
      ["Makefile test:", "sub/Makefile all:"],
    ],
    ["make", { Makefile: "-include local.mk\nall:\n\ttrue\n" }, ["Makefile all:"]],
    ["make other", { Makefile: "all:\n\ttrue\n" }, ["!Makefile other:"]],
    ["sh a.sh", { "a.sh": "sh a.sh" }, ["a.sh"]],
    [
      "jest",
      {
        "package.json": '{"jest":{"setupFiles":["<rootDir>/test/setup.js"]}}',
        "test/setup.js": "",
        "jest.config.json": "",
      },
      [
        "jest.config.json",
        "package.json babel",
        "package.json dependencies.jest",
        "package.json devDependencies.jest",
        "package.json jest",
        "test/setup.js",
      ],
    ],
    [
      "vitest run",
      {
        "vitest.config.ts": 'export default { test: { setupFiles: ["test/setup.ts", "tz.setup.ts", "a.ts"] } };\n',
        ...{ "test/setup.ts": "", "tz.setup.ts": "", "a.ts": "" },
      },
      ["test/setup.ts", "tz.setup.ts", "vitest.config.ts"],
    ],
    ["ls | wc -l", { ".npmrc": "" }, [".npmrc settings"]],
    ["echo 'a' \"b\" '' # npm test", npm, []],
  ])("finds the deciders of %j", (command, tree, expected) => {
    expect(decided(command, tree)).toEqual(expected);
  });
});

describe("configPart", () => {
  it.each<[string, string | null, string, string]>([
    ["package.json", "scripts.a.b", '{"scripts":{"a.b":" x "}}', "x"],
    ["package.json", "jest", '{"jest":{"a":1}}', '{"a":1}'],
    ["package.json", "scripts.test", "{}", ""],
    ["package.json", "scripts.test", "{", "{"],
    [
      "pyproject.toml",
      "[tool.pytest",
      "[a]\nb = 1\n[tool.pytest.ini_options]\nc = [\n 1,\n]\n[d]\n",
      "[tool.pytest.ini_options]\nc = [\n 1,\n]",
    ],
    ["Cargo.toml", "[package]", '[package]\nname = "a"\nautotests = false\n', "autotests = false"],
    ["vite.config.ts", "test {", "export default { test: { a: { b: 1 } }, c: 2 }", "test:{a:{b:1}}"],
    ["vite.config.ts", "test {", "export default { test: { a", "test:{a"],
    ["vite.config.ts", "test {", "export default {}", ""],
    [".npmrc", "settings", "registry=x\nscript-shell=y\n", "script-shell=y"],
    ["a.json", null, '{ "a": 1 } // b', '{"a":1}'],
    ["a.yml", null, "a: 1 # b\n\n c: 2\n", "a: 1\n c: 2"],
  ])("extracts from %s the part %s", (path, part, text, expected) => {
    expect(configPart(path, part, text)).toBe(expected);
  });
});
