const from = 'import { describe, expect, it, test } from "vitest";\n';
const files = {
  "src/a.test.ts": `${from}
test("adds", () => {
  expect(1 + 1).toBe(2);
});
test("multiplies", () => {
  expect(2 * 3).toBe(7);
});
`,
  "src/b.test.ts": `${from}
describe("shop", () => {
  describe("cart", () => {
    it("compares", () => {
      expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });
    });
    it("throws", () => {
      throw new Error("first line\\nsecond line\\n FAIL  src/z.test.ts > not a test");
    });
  });
  it("passes", () => {});
});
`,
  "src/c.test.ts": `${from}
test("passes too", () => {});
`,
};
const expected = [
  "src/a.test.ts > multiplies",
  "src/b.test.ts > shop > cart > compares",
  "src/b.test.ts > shop > cart > throws",
];
const at = { [expected[0]]: "src/a.test.ts:7", [expected[1]]: "src/b.test.ts:6" };
export const several = { files, expected, failed: 3, ran: 6, at };
const odd = {
  "a.test.ts": `${from}
describe("a > b", () => {
  it('says "hello" # naïve 日本語', () => expect(1).toBe(2));
  it("not ok 1 - FAIL  x.test.ts > y 12ms", () => expect(1).toBe(2));
});
it.skip("skipped", () => expect(1).toBe(2));
it.todo("to do");
it.fails("is known", () => expect(1).toBe(2));
it.each([[1], [2]])("is 3: %i", (n) => expect(n).toBe(3));
`,
};
const named = {
  files: odd,
  expected: [
    'a.test.ts > a > b > says "hello" # naïve 日本語',
    "a.test.ts > a > b > not ok 1 - FAIL x.test.ts > y 12ms",
    "a.test.ts > is 3: 1",
    "a.test.ts > is 3: 2",
  ],
  failed: 4,
  ran: 5,
};
const broken = {
  files: {
    "src/a.test.ts": files["src/a.test.ts"],
    "src/syntax.test.ts": `${from}test("never", () => {\n`,
    "src/missing.test.ts": `${from}import { gone } from "./gone.ts";\ntest("never", () => gone());\n`,
    "src/throws.test.ts": `${from}throw new Error("while loading");\n`,
    "src/hook.test.ts": `${from}import { beforeAll } from "vitest";\ndescribe("with hook", () => {\n  beforeAll(() => {\n    throw new Error("hook broke");\n  });\n  it("never", () => {});\n});\n`,
  },
  expected: [
    "src/a.test.ts > multiplies",
    "src/syntax.test.ts",
    "src/missing.test.ts",
    "src/throws.test.ts",
    "src/hook.test.ts > with hook",
  ],
};
const passing = {
  files: { "src/c.test.ts": `${from}\ntest("FAIL  src/a.test.ts > x", () => {\n  console.log("1 failed");\n});\n` },
  expected: [],
};
const of = (name, command, rest) => ({ tool: "vitest", name, command, ...rest });

export const family = {
  name: "vitest",
  packages: { vitest: "4.1.12" },
  version: "vitest --version",
  cases: [
    of("default", "vitest run", several),
    of("verbose", "vitest run --reporter=verbose", several),
    of("dot", "vitest run --reporter=dot", several),
    of("json", "vitest run --reporter=json", several),
    of("coloured", "vitest run", { ...several, env: { FORCE_COLOR: "1" } }),
    of("names", "vitest run", named),
    of("names-json", "vitest run --reporter=json", named),
    of("broken", "vitest run", broken),
    of("passing", "vitest run", passing),
    of("unhandled", "vitest run", {
      files: {
        "src/a.test.ts": `${from}\ntest("passes", () => {\n  void Promise.reject(new Error("nobody waits"));\n});\n`,
      },
      expected: ["Unhandled: Error: nobody waits"],
    }),
    of("npm", "npm test", {
      ...several,
      files: { ...files, "package.json": '{ "name": "shop", "scripts": { "test": "vitest run" } }\n' },
    }),
  ],
};
