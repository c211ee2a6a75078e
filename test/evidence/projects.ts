import { findHarm, type GuardCase } from "../../src/evidence/find-harm.ts";

export type Tree = Readonly<Record<string, string>>;
export interface Project {
  readonly command: string;
  readonly tree: Tree;
  readonly reds: GuardCase["reds"];
}
/** New content by path, null to remove the file, or a text and its replacement. */
export type Edits = Readonly<Record<string, string | null | readonly [string, string]>>;

const js = (head: string): string => `${head}
test("adds", () => {
  equal(add(1, 2), 3);
});

test("negates", () => {
  equal(add(-1, -2), -3);
});

test("keeps zero", () => {
  equal(add(0, 0), 0);
});
`;
const fails = (file: string | null, name = "adds"): GuardCase["reds"] => [{ name, file }];
const code = "export const add = (a, b) => a - b;\n";

export const projects = {
  node: {
    command: "npm test",
    tree: {
      "package.json": JSON.stringify(
        {
          name: "n",
          version: "1.0.0",
          scripts: { test: "node --test test/", build: "tsc" },
          dependencies: { ms: "1" },
        },
        null,
        2,
      ),
      "src/add.js": code,
      "test/add.test.js": js(
        'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "../src/add.js";\n',
      ),
      "test/other.test.js": 'import { test } from "node:test";\ntest("others", () => {\n  other();\n});\n',
      "test/fixtures/add.json": "[1, 2, 3]\n",
      "test/helper.js": "export const load = () => 1;\n",
    },
    reds: fails("test/add.test.js"),
  },
  vitest: {
    command: "npx vitest run",
    tree: {
      "package.json": JSON.stringify(
        { name: "v", scripts: { test: "vitest run" }, devDependencies: { vitest: "^4.0.0" } },
        null,
        2,
      ),
      "vitest.config.ts":
        'import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { include: ["test/**/*.test.ts"], setupFiles: ["./test/setup.ts"] },\n});\n',
      "src/add.ts": code,
      "test/setup.ts": "globalThis.ready = true;\n",
      "test/add.test.ts": js(
        'import { expect, test } from "vitest";\nimport { add } from "../src/add";\nimport { equal } from "./equal";\n',
      ),
      "test/equal.ts": 'import { expect } from "vitest";\nexport const equal = (a, b) => expect(a).toBe(b);\n',
      "test/__snapshots__/add.test.ts.snap":
        "// Vitest Snapshot\n\nexports[`adds 1`] = `3`;\n\nexports[`negates 1`] = `-3`;\n",
    },
    reds: fails("test/add.test.ts"),
  },
  jest: {
    command: "npm test",
    tree: {
      "package.json": JSON.stringify(
        {
          name: "j",
          scripts: { test: "jest" },
          jest: { testMatch: ["**/*.test.js"] },
          devDependencies: { jest: "29" },
        },
        null,
        2,
      ),
      "src/add.js": code,
      "src/__tests__/add.test.js": `const { add } = require("../add");\n\ndescribe("add", () => {\n  it("adds", () => {\n    expect(add(1, 2)).toBe(3);\n  });\n\n  it("negates", () => {\n    expect(add(-1, -2)).toBe(-3);\n  });\n\n  it("keeps zero", () => {\n    expect(add(0, 0)).toBe(0);\n  });\n});\n`,
      "src/__tests__/__snapshots__/add.test.js.snap":
        "exports[`add adds 1`] = `3`;\n\nexports[`add negates 1`] = `-3`;\n",
    },
    reds: fails("src/__tests__/add.test.js", "add › adds"),
  },
  pytest: {
    command: "pytest -q",
    tree: {
      "pyproject.toml":
        '[project]\nname = "p"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n\n[tool.ruff]\nline-length = 100\n',
      "src/calc.py": "def add(a, b):\n    return a - b\n",
      "tests/test_calc.py":
        "import pytest\n\nfrom calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_negates():\n    assert add(-1, -2) == -3\n\n\nclass TestZero:\n    def test_keeps_zero(self):\n        assert add(0, 0) == 0\n",
      "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef pair():\n    return 1, 2\n",
      "tests/data/add.json": "[1, 2, 3]\n",
    },
    reds: fails("tests/test_calc.py", "tests/test_calc.py::test_adds"),
  },
  go: {
    command: "go test ./...",
    tree: {
      "go.mod": "module example.com/calc\n\ngo 1.22\n",
      "calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n",
      "calc_test.go":
        'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("sum")\n\t}\n}\n\nfunc TestNegates(t *testing.T) {\n\tif Add(-1, -2) != -3 {\n\t\tt.Fatal("sum")\n\t}\n}\n',
      "testdata/sum.golden": "3\n",
    },
    reds: fails(null, "TestAdds"),
  },
  cargo: {
    command: "cargo test",
    tree: {
      "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nserde = "1"\n',
      "src/lib.rs": "pub mod add;\n",
      "src/add.rs": "pub fn add(a: i32, b: i32) -> i32 { a - b }\n",
      "src/deep.rs":
        "pub fn deep() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_deep() {\n        assert_eq!(deep(), 2);\n    }\n}\n",
      "tests/add.rs":
        "use calc::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn negates() {\n    assert_eq!(add(-1, -2), -3);\n}\n",
    },
    reds: fails(null, "adds"),
  },
  make: {
    command: "make check",
    tree: {
      Makefile:
        "CHECK = sh scripts/check.sh\n\n.PHONY: all check\n\nall: build\n\nbuild:\n\tcc -o calc calc.c\n\ncheck: build lint\n\t$(CHECK)\n\nlint:\n\tsh scripts/lint.sh\n\ndocs:\n\tdoxygen\n",
      "calc.c": "int main() { return 1; }\n",
      "scripts/check.sh": '#!/bin/sh\nset -e\n# compare\n[ "$(./calc 1 2)" = 3 ]\ndiff test/expected.txt out.txt\n',
      "scripts/lint.sh": "grep -q main calc.c\n",
      "test/expected.txt": "3\n",
    },
    reds: fails(null, ""),
  },
  shell: {
    command: "sh run-tests.sh",
    tree: {
      "run-tests.sh": "#!/bin/sh\nset -eu\n. ./lib/assert.sh\nsh test/add.test.sh\n",
      "lib/assert.sh": 'assert_eq() { [ "$1" = "$2" ] || { echo "not $2"; exit 1; }; }\n',
      "test/add.test.sh": '. ./lib/assert.sh\nassert_eq "$(./add.sh 1 2)" 3\nassert_eq "$(./add.sh 0 0)" 0\n',
      "add.sh": "echo $(($1 - $2))\n",
    },
    reds: fails(null, ""),
  },
} satisfies Readonly<Record<string, Project>>;

export type Tool = keyof typeof projects;

export function harmedIn(tree: Tree, command: string, edits: Edits, given: Partial<GuardCase> = {}): readonly string[] {
  const project = { task: "1.1 Mend the sum", files: [], reds: [{ name: "", file: null }] };
  const read = (path: string) => tree[path] ?? null;
  const { harms } = findHarm({ command, changes: applied(tree, edits), read, ...project, ...given });
  return [...new Set(harms.map(({ path }) => path))];
}

function applied(tree: Tree, edits: Edits): GuardCase["changes"] {
  return Object.entries(edits).map(([path, edit]) => {
    const before = tree[path] ?? null;
    if (edit === null || typeof edit === "string") return { path, before, after: edit };
    const [old, fresh] = edit;
    if (before?.includes(old) !== true) throw new Error(`${path} has no ${old}`);
    return { path, before, after: before.replace(old, () => fresh) };
  });
}

export function judge(tool: Tool, edits: Edits, given: Partial<GuardCase> = {}) {
  const { tree, ...project }: Project = projects[tool];
  const changes = applied(tree, edits);
  return findHarm({
    ...project,
    changes,
    read: (path) => tree[path] ?? null,
    task: "1.1 Mend the sum\n- Do: it subtracts",
    files: [],
    ...given,
  });
}

export const harmed = (...given: Parameters<typeof judge>): readonly string[] => [
  ...new Set(judge(...given).harms.map(({ path }) => path)),
];
