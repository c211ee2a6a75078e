const files = {
  "playwright.config.ts": 'export default { testDir: "tests" };\n',
  "tests/a.spec.ts": `import { expect, test } from "@playwright/test";
test("adds", () => {
  expect(1 + 1).toBe(2);
});
test("multiplies", () => {
  expect(2 * 3).toBe(7);
});
test.describe("shop", () => {
  test.describe("cart", () => {
    test("compares", { tag: "@slow" }, () => {
      expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });
    });
  });
  test.skip("skipped", () => {
    expect(1).toBe(2);
  });
  test.fail("is known", () => {
    expect(1).toBe(2);
  });
});
`,
  "tests/deep/b.spec.ts": `import { test } from "@playwright/test";
test("throws › 1) [chromium] naïve 日本語", () => {
  throw new Error("first line\\nsecond line\\n  9) c.spec.ts:1:1 › not a test ───");
});
test("passes", () => {
  console.log("  1 failed\\n    c.spec.ts:1:1 › not a test ──────");
});
`,
};
const expected = [
  "tests/a.spec.ts > multiplies",
  "tests/a.spec.ts > shop > cart > compares",
  "tests/deep/b.spec.ts > throws > 1) [chromium] naïve 日本語",
];
const several = { files, expected, failed: 3, ran: 6 };
const projects = {
  files: {
    ...files,
    "playwright.config.ts":
      'export default { testDir: "tests", retries: 1, projects: [{ name: "one" }, { name: "two" }] };\n',
    "tests/a.spec.ts": `import { expect, test } from "@playwright/test";
test("multiplies", () => {
  expect(2 * 3).toBe(test.info().project.name === "one" ? 6 : 7);
});
test("is flaky", () => {
  expect(test.info().retry).toBe(1);
});
`,
    "tests/deep/b.spec.ts": 'import { test } from "@playwright/test";\ntest("passes", () => {});\n',
  },
  expected: ["[two] tests/a.spec.ts > multiplies"],
  failed: 1,
  ran: 6,
};
const of = (name, command, rest) => ({ tool: "playwright", name, command, ...rest });

export const family = {
  name: "playwright",
  packages: { "@playwright/test": "1.65.1" },
  version: "playwright --version",
  cases: [
    of("list", "playwright test --reporter=list", several),
    of("line", "playwright test --reporter=line", several),
    of("dot", "playwright test --reporter=dot", several),
    of("json", "playwright test --reporter=json", several),
    of("coloured", "playwright test --reporter=list", { ...several, env: { FORCE_COLOR: "1" } }),
    of("projects", "playwright test --reporter=list", projects),
    of("projects-json", "playwright test --reporter=json", projects),
    of("passing", "playwright test --reporter=list --grep passes", { files, expected: [] }),
    of("syntax-error", "playwright test --reporter=list", {
      files: { "tests/a.spec.ts": 'import { test } from "@playwright/test";\ntest("never", () => {\n' },
      // The file fails before any test has a name.
      expected: [],
    }),
  ],
};
