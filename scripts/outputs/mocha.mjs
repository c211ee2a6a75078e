const files = {
  "test/a.js": `const assert = require("node:assert");
it("adds", () => assert.strictEqual(1 + 1, 2));
it("multiplies", () => assert.strictEqual(2 * 3, 7));
describe("shop", () => {
  describe("cart", () => {
    it("compares", () => {
      assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] });
    });
    it("throws", () => {
      throw new Error("first line\\nsecond line\\n  3) not a test:");
    });
  });
  it("passes", () => {
    console.log("  1 failing\\n\\n  1) no:\\n");
  });
});
`,
};
const expected = ["multiplies", "shop cart compares", "shop cart throws"];
const several = { files, expected, failed: 3, ran: 5, at: { multiplies: "test/a.js:3" } };
const named = {
  files: {
    "test/a.js": `const assert = require("node:assert");
describe("a > b", () => {
  it('says "hello" # naïve 日本語', () => assert.ok(false));
  it("2) not ok 1 (12ms)", () => assert.ok(false));
  it("ends in a colon:", () => assert.ok(false));
});
it.skip("skipped", () => assert.ok(false));
it("to do");
`,
  },
  expected: ['a > b says "hello" # naïve 日本語', "a > b 2) not ok 1 (12ms)", "a > b ends in a colon:"],
  failed: 3,
  ran: 3,
};
const hooks = {
  files: {
    "test/a.js": `describe("database", () => {
  before(() => {
    throw new Error("no connection");
  });
  it("reads", () => {});
});
describe("tables", () => {
  beforeEach("clean up", () => {
    throw new Error("no table");
  });
  it("writes", () => {});
});
`,
  },
  expected: ['database "before all" hook for "reads"', 'tables "before each" hook: clean up for "writes"'],
  failed: 2,
  ran: 2,
};
const of = (name, command, rest) => ({ tool: "mocha", name, command, ...rest });

export const family = {
  name: "mocha",
  packages: { mocha: "11.7.5" },
  version: "mocha --version",
  cases: [
    of("spec", "mocha", several),
    of("dot", "mocha --reporter dot", several),
    of("json", "mocha --reporter json", several),
    of("coloured", "mocha --color", { ...several, env: { FORCE_COLOR: "1" } }),
    of("names", "mocha", named),
    of("names-json", "mocha --reporter json", named),
    of("hooks", "mocha", hooks),
    of("hooks-json", "mocha --reporter json", hooks),
    of("passing", "mocha --grep passes", { files, expected: [] }),
    of("syntax-error", "mocha", {
      files: { "test/a.js": 'it("never", () => {\n' },
      expected: ["test/a.js"],
    }),
    of("npm", "npm test", {
      ...several,
      files: { ...files, "package.json": '{ "name": "shop", "scripts": { "test": "mocha" } }\n' },
    }),
  ],
};
