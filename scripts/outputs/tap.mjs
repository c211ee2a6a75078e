const tape = `const test = require("tape");

test("arithmetic", (t) => {
  t.equal(1 + 1, 2, "adds");
  t.equal(2 * 3, 7, "multiplies");
  t.end();
});

test("lists", (t) => {
  t.deepEqual([1, 2], [1, 3], "are alike");
  t.end();
});
`;

const nodeTap = `import t from "tap";

t.test("shop", async (t) => {
  t.test("cart", async (t) => {
    t.equal(10, 12, "sums up");
    t.ok(true, "is there");
  });
  t.test("door", async (t) => {
    t.ok(true, "is open");
  });
});
t.test("later", { todo: true }, async () => {});
t.test("never", { skip: "no reason" }, async () => {});
t.match({ a: 1 }, { a: 2 }, "matches");
`;

const perl = `use Test::More;
ok(1, 'starts');
is(1 + 1, 3, 'adds');
subtest 'inner' => sub {
  plan tests => 2;
  ok(0, 'one # of "two"');
  ok(1, 'two');
};
TODO: { local $TODO = 'not yet'; ok(0, 'to do'); }
SKIP: { skip 'no network', 1; ok(0, 'skipped'); }
done_testing();
`;

export const family = {
  name: "tap",
  packages: { tap: "21.8.0", tape: "5.9.0" },
  cases: [
    {
      tool: "tap",
      name: "tape",
      version: "node -p \"require('tape/package.json').version\"",
      files: { "a.js": tape },
      command: "node a.js",
      expected: ["multiplies", "are alike"],
      failed: 2,
      ran: 3,
      at: { multiplies: "a.js:5" },
    },
    {
      tool: "tap",
      name: "tape-passing",
      files: { "a.js": tape.replace("7", "6").replace("[1, 3]", "[1, 2]") },
      command: "node a.js",
      expected: [],
    },
    {
      tool: "tap",
      name: "node-tap",
      version: "tap --version",
      files: { "a.mjs": nodeTap },
      command: "node a.mjs",
      expected: ["shop > cart > sums up", "matches"],
      at: { "shop > cart > sums up": "a.mjs:5", matches: "a.mjs:14" },
    },
    {
      tool: "tap",
      name: "perl",
      version: "perl -e 'print $^V'",
      files: { "a.t": perl },
      command: "perl a.t",
      expected: ["adds", 'inner > one # of "two"'],
    },
    {
      tool: "tap",
      name: "bail-out",
      version: "perl -e 'print $^V'",
      files: { "a.t": "use Test::More;\nok(1, 'starts');\nBAIL_OUT('no database');\n" },
      command: "perl a.t",
      expected: ["Bail out! no database"],
    },
  ],
};
