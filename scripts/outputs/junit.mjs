const node = {
  "a.test.mjs": `import { describe, it, test } from "node:test";
import assert from "node:assert";
test("adds", () => assert.strictEqual(1 + 1, 2));
describe("shop", () => {
  it("sells <b> & 'c' \\"d\\"", () => assert.strictEqual(2 * 3, 7));
  it.skip("skipped", () => assert.ok(false));
});
`,
};
const vitest = {
  "src/a.test.ts": `import { describe, expect, it } from "vitest";
describe("shop", () => {
  it("adds", () => expect(1 + 1).toBe(2));
  it("sells <b> & 'c' \\"d\\"", () => expect(2 * 3).toBe(7));
  it.skip("skipped", () => expect(1).toBe(2));
});
`,
};
const jest = {
  "package.json": '{ "name": "shop" }\n',
  "src/a.test.js": vitest["src/a.test.ts"].split("\n").slice(1).join("\n"),
};
const pytest = {
  "test_a.py": `import pytest

def test_adds():
    assert 1 + 1 == 2

@pytest.mark.parametrize("text", ["<b>", "a & b"])
def test_text(text):
    assert text == "naïve"

class TestShop:
    def test_cart(self):
        assert [1, 2] == [1, 3]

    @pytest.mark.skip
    def test_skipped(self):
        assert False

@pytest.fixture
def broken():
    raise RuntimeError("no connection")

def test_fixture(broken):
    pass
`,
};
const of = (name, command, rest) => ({ tool: "junit", name, command, ...rest });

export const family = {
  name: "junit",
  packages: {
    vitest: "4.1.12",
    jest: "30.5.2",
    "jest-junit": "17.0.0",
    mocha: "11.7.5",
    "mocha-junit-reporter": "2.2.1",
    "@playwright/test": "1.65.1",
  },
  cases: [
    of("node", "node --test --test-reporter=junit", {
      version: "node --version",
      files: node,
      // Node 20 escapes quotation marks twice.
      expected: ["test > sells <b> & 'c' &quot;d&quot;"],
      failed: 1,
      ran: 2,
    }),
    of("vitest", "vitest run --reporter=junit", {
      version: "vitest --version",
      files: vitest,
      expected: ["src/a.test.ts > shop > sells <b> & 'c' \"d\""],
      failed: 1,
      ran: 2,
    }),
    of("vitest-both", "vitest run --reporter=default --reporter=junit", {
      version: "vitest --version",
      files: vitest,
      expected: ["src/a.test.ts > shop > sells <b> & 'c' \"d\""],
      failed: 1,
      ran: 2,
    }),
    of("jest", "jest --silent --reporters=jest-junit; cat junit.xml", {
      version: "jest --version",
      files: jest,
      expected: ["shop sells <b> & 'c' \"d\""],
      failed: 1,
      ran: 2,
    }),
    of("mocha", "mocha --reporter mocha-junit-reporter; cat test-results.xml", {
      version: "mocha --version",
      files: {
        "test/a.js":
          'const assert = require("node:assert");\ndescribe("shop", () => {\n  it("adds", () => {});\n  it("sells <b>", () => assert.equal(2 * 3, 7));\n});\n',
      },
      expected: ["sells <b> > shop sells <b>"],
      failed: 1,
      ran: 2,
    }),
    of("pytest", "python3 -m pytest -q --junitxml=report.xml > /dev/null; cat report.xml", {
      version: "python3 -m pytest --version",
      files: pytest,
      expected: [
        "test_a > test_text[<b>]",
        "test_a > test_text[a & b]",
        "test_a.TestShop > test_cart",
        "test_a > test_fixture",
      ],
      failed: 4,
      ran: 5,
    }),
    of("pytest-passing", "python3 -m pytest -q -k adds --junitxml=report.xml > /dev/null; cat report.xml", {
      version: "python3 -m pytest --version",
      files: pytest,
      expected: [],
    }),
    of("playwright", "playwright test --reporter=junit", {
      version: "playwright --version",
      files: {
        "a.spec.ts":
          'import { expect, test } from "@playwright/test";\ntest("adds", () => {});\ntest.describe("shop", () => {\n  test("sells", () => expect(1).toBe(2));\n});\n',
      },
      expected: ["a.spec.ts > shop › sells"],
      failed: 1,
      ran: 2,
    }),
    of("one-line", "node --test --test-reporter=junit | tr -d '\\n'", {
      version: "node --version",
      files: {
        ...node,
        "b.test.mjs": `${'import { test } from "node:test";\n'}${Array.from({ length: 80 }, (_, n) => `test("filler ${n}", () => {});\n`).join("")}`,
      },
      // Node 20 escapes quotation marks twice.
      expected: ["test > sells <b> & 'c' &quot;d&quot;"],
      failed: 1,
      ran: 82,
    }),
  ],
};
