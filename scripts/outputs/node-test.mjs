const one = `import { test } from "node:test";
import assert from "node:assert";

test("adds", () => {
  assert.strictEqual(1 + 1, 2);
});

test("multiplies", () => {
  assert.strictEqual(2 * 3, 7);
});

test("subtracts", () => {
  assert.strictEqual(3 - 1, 2);
});
`;

const several = `import { test } from "node:test";
import assert from "node:assert";

test("compares objects", () => {
  assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] });
});

test("has a message of several lines", () => {
  throw new Error("first line\\nsecond line\\nnot ok 7 - third line");
});

test("rejects", async () => {
  await assert.rejects(Promise.resolve(1));
});

test("throws what is no error", () => {
  throw "plain text";
});

test("passes", () => {});
`;

const passing = `import { test } from "node:test";

test("not ok 1 - is only a name", () => {});
test("✖ FAIL also", () => {
  console.log("not ok 3 - printed by a test");
  console.log("Error: 1 failed");
});
`;

const nested = `import { describe, it } from "node:test";
import assert from "node:assert";

describe("shop", () => {
  describe("cart", () => {
    it("is empty", () => {});
    it("sums up", () => {
      assert.equal(10, 12);
    });
  });
  it("is open", () => {
    assert.ok(false, "closed on sundays");
  });
});

describe("park", () => {
  it("is green", () => {});
});
`;

const names = `import { describe, it, test } from "node:test";
import assert from "node:assert";

test('says "hello" to O\\'Brien', () => assert.ok(false));
test("a > b; c # d", () => assert.ok(false));
test("not ok 5 - naïve 日本語 ✖", () => assert.ok(false));
describe("outer (1.5ms)", () => {
  it("inner: \\\\ back", () => assert.ok(false));
});
`;

const skipped = `import { test } from "node:test";
import assert from "node:assert";

test("skipped", { skip: true }, () => assert.ok(false));
test("skipped with reason", { skip: "no network" }, () => assert.ok(false));
test("to do", { todo: true }, () => assert.ok(false));
test("to do with reason", { todo: "later" }, () => assert.ok(false));
test("fails", () => assert.ok(false, "for real"));
`;

const hooks = `import { before, describe, it } from "node:test";

describe("database", () => {
  before(() => {
    throw new Error("no connection");
  });
  it("reads", () => {});
  it("writes", () => {});
});

describe("other", () => {
  it("passes", () => {});
});
`;

const base = { tool: "node:test", files: { "a.test.mjs": one } };
const both = (name, rest) => [
  { ...base, ...rest, name: `tap-${name}`, command: "node --test --test-reporter=tap" },
  { ...base, ...rest, name: `spec-${name}`, command: "node --test --test-reporter=spec" },
];

export const family = {
  name: "node-test",
  version: "node --version",
  cases: [
    ...both("one", { expected: ["multiplies"], failed: 1, ran: 3, at: { multiplies: "a.test.mjs:8" } }),
    ...both("several", {
      files: { "test/a.test.mjs": several, "test/b.test.mjs": one },
      expected: [
        "compares objects",
        "has a message of several lines",
        "rejects",
        "throws what is no error",
        "multiplies",
      ],
      failed: 5,
      ran: 8,
      at: { "compares objects": "test/a.test.mjs:4", multiplies: "test/b.test.mjs:8" },
    }),
    ...both("passing", { files: { "a.test.mjs": passing }, expected: [], failed: null, ran: null }),
    ...both("nested", {
      files: { "a.test.mjs": nested },
      expected: ["shop > cart > sums up", "shop > is open"],
      failed: 2,
      ran: 4,
      at: { "shop > cart > sums up": "a.test.mjs:7" },
    }),
    ...both("names", {
      files: { "a.test.mjs": names },
      expected: [
        'says "hello" to O\'Brien',
        "a > b; c # d",
        "not ok 5 - naïve 日本語 ✖",
        "outer (1.5ms) > inner: \\ back",
      ],
      failed: 4,
      ran: 4,
    }),
    ...both("skipped", { files: { "a.test.mjs": skipped }, expected: ["fails"], failed: 1, ran: 1 }),
    ...both("hooks", {
      files: { "a.test.mjs": hooks },
      expected: ["database", "database > reads", "database > writes"],
    }),
    ...both("syntax-error", {
      files: { "a.test.mjs": "import { test } from 'node:test';\ntest('never runs', () => {\n", "b.test.mjs": one },
      expected: ["a.test.mjs", "multiplies"],
    }),
    {
      ...base,
      name: "npm",
      files: { "a.test.mjs": one, "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }\n' },
      command: "npm test",
      expected: ["multiplies"],
      failed: 1,
      ran: 3,
    },
    {
      ...base,
      name: "coloured",
      files: { "a.test.mjs": nested },
      command: "node --test --test-reporter=spec",
      env: { FORCE_COLOR: "1" },
      expected: ["shop > cart > sums up", "shop > is open"],
      failed: 2,
      ran: 4,
    },
  ],
};
