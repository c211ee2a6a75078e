const files = {
  "package.json": '{ "name": "shop", "scripts": { "test": "jest" } }\n',
  "src/a.test.js": `test("adds", () => {
  expect(1 + 1).toBe(2);
});
test("multiplies", () => {
  expect(2 * 3).toBe(7);
});
`,
  "src/b.test.js": `describe("shop", () => {
  describe("cart", () => {
    it("compares", () => {
      expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });
    });
    it("throws", () => {
      throw new Error("first line\\nsecond line\\nFAIL src/z.test.js");
    });
  });
  it("passes", () => {
    console.log("FAIL src/y.test.js\\n  ● not › a test");
  });
});
`,
  "src/c.test.js": `test("passes too", () => {});\n`,
};
const expected = [
  "src/a.test.js > multiplies",
  "src/b.test.js > shop > cart > compares",
  "src/b.test.js > shop > cart > throws",
];
const at = { [expected[0]]: "src/a.test.js:5", [expected[1]]: "src/b.test.js:4" };
const several = { files, expected, failed: 3, ran: 6, at };
const named = {
  files: {
    "package.json": files["package.json"],
    "a.test.js": `describe("a > b", () => {
  it('says "hello" # naïve 日本語', () => expect(1).toBe(2));
  it("not ok 1 - FAIL x.test.js (12 ms)", () => expect(1).toBe(2));
});
it.skip("skipped", () => expect(1).toBe(2));
it.todo("to do");
it.each([[1], [2]])("is 3: %i", (n) => expect(n).toBe(3));
`,
  },
  expected: [
    'a.test.js > a > b > says "hello" # naïve 日本語',
    "a.test.js > a > b > not ok 1 - FAIL x.test.js (12 ms)",
    "a.test.js > is 3: 1",
    "a.test.js > is 3: 2",
  ],
  failed: 4,
  ran: 4,
};
const broken = {
  files: {
    "package.json": files["package.json"],
    "src/a.test.js": files["src/a.test.js"],
    "src/syntax.test.js": 'test("never", () => {\n',
    "src/missing.test.js": 'const gone = require("./gone");\ntest("never", () => gone());\n',
    "src/throws.test.js": 'throw new Error("while loading");\n',
    "src/empty.test.js": "\n",
    "src/hook.test.js":
      'describe("with hook", () => {\n  beforeAll(() => {\n    throw new Error("hook broke");\n  });\n  it("never", () => {});\n});\n',
  },
  expected: [
    "src/a.test.js > multiplies",
    "src/syntax.test.js",
    "src/missing.test.js",
    "src/throws.test.js",
    "src/empty.test.js",
    "src/hook.test.js > with hook > never",
  ],
};
const of = (name, command, rest) => ({ tool: "jest", name, command, ...rest });

export const family = {
  name: "jest",
  packages: { jest: "30.5.2" },
  version: "jest --version",
  cases: [
    of("several", "jest", several),
    of("verbose", "jest --verbose", several),
    of("json", "jest --json", several),
    of("json-silent", "jest --json 2> /dev/null", several),
    of("coloured", "jest", { ...several, env: { FORCE_COLOR: "1" } }),
    of("names", "jest", named),
    of("names-json", "jest --json 2> /dev/null", named),
    of("broken", "jest", broken),
    of("broken-json", "jest --json 2> /dev/null", broken),
    of("one-file", "jest src/a.test.js", { ...several, expected: [expected[0]], failed: 1, ran: 2, at: undefined }),
    of("passing", "jest src/c.test.js", { files, expected: [] }),
    of("npm", "npm test", several),
  ],
};
