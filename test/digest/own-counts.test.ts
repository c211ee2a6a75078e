import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";

const read = (text: string) => {
  const { source, failed, ran, failures } = digestOutput(text, { folder: "/project" });
  return { source, failed, ran, failures: failures.map(({ id }) => id) };
};

describe("counts printed by a script", () => {
  it.each([
    ["# tests 10\n# pass 7\n# fail 3\n", 3, 10],
    ["# fail 3\n", 3, null],
    ["# tests 5\n# fail 3\n", 3, 5],
    ["33/49\n", 16, 49],
    ["running\nScore: 33/49\n", 16, 49],
    ["33 of 49 checks passed\n", 16, 49],
    ["passed: 33 out of 49.\n", 16, 49],
    ["16/49 failed\n", 16, 49],
    ["33/49 passed, 16 failed\n", 16, 49],
    ["score 1/49\nscore 33/49\n", 16, 49],
    ["3 passed, 2 failed\n", 2, 5],
  ])("are read from %j", (text, failed, ran) => {
    expect(read(text)).toMatchObject({ source: "count", failed, ran });
  });

  it.each([
    "# fail 0\n# pass 3\n",
    "49/49\n",
    "[33/49] Building a.o\n",
    "[17/120] compiled src/failed/error.ts\n",
    "(17/120) checked correct-paths.ts\n",
    "step 3/4: install\n",
    "11/28/2026 passed\n",
    "see src/1/2\n",
    "60/49 passed\n",
    "0/0\n",
  ])("are not read from %j", (text) => {
    expect(read(text).source).toBe("last-line");
  });

  it("are ignored if a tool counts", () => {
    expect(read("TAP version 13\nnot ok 1 - a\n1..1\n33/49\n")).toMatchObject({ source: "tools", failed: 1, ran: 1 });
  });
});

describe("points without a TAP header", () => {
  it("name the failures, with or without npm's lines after them", () => {
    const points = "ok 1 - adds\nnot ok 2 - divides\n";
    expect(read(points)).toEqual({ source: "tools", failed: 1, ran: 2, failures: ["divides"] });
    expect(read(`${points}npm error code 1\nnpm error path /project\n`).failures).toEqual(["divides"]);
    expect(read("not ok - divides\n").failures).toEqual(["divides"]);
  });

  it.each(["not ok 3 - printed by a test\nbroken\n", "not ok\n", "ok 1 - adds\nlost\n"])("are none in %j", (text) => {
    expect(read(text).source).toBe("last-line");
  });
});

describe("a test file of Node that cannot be loaded", () => {
  const place = "file:///project/test/count.test.mjs:3";
  const crash =
    "SyntaxError: Unexpected end of input\n    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)";
  const missing =
    "node:internal/modules/esm/resolve:283\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/src/nope.mjs' imported from /project/test/miss.test.mjs\n    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n";
  const spec = (said: string, file: string): string =>
    `${said}\n\nNode.js v20.20.2\n✖ /project/test/${file} (204.146977ms)\n  'test failed'\n\nℹ tests 1\nℹ pass 0\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/${file}:1:1\n✖ /project/test/${file} (204.146977ms)\n  'test failed'\n`;
  const tap = (said: string, file: string): string =>
    `TAP version 13\n${`${said}\nNode.js v20.20.2`.replace(/^(?=.)/gm, "# ")}\n# Subtest: /project/test/${file}\nnot ok 1 - /project/test/${file}\n  ---\n  duration_ms: 226.9\n  location: '/project/test/${file}:1:1'\n  failureType: 'testCodeFailure'\n  error: 'test failed'\n  ...\n1..1\n# tests 1\n# pass 0\n# fail 1\n`;
  const told = (text: string) => digestOutput(text, { folder: "/project" }).failures;

  it.each([
    ["spec", spec],
    ["TAP", tap],
  ])("states the error below it (%s)", (_, print) => {
    expect(told(print(`${place}\n\n\n\n${crash}`, "count.test.mjs"))).toEqual([
      {
        ...{ tool: "node:test", id: "test/count.test.mjs", file: "test/count.test.mjs", line: 3 },
        message: "SyntaxError: Unexpected end of input",
      },
    ]);
    expect(told(print(missing, "miss.test.mjs"))).toEqual([
      {
        ...{ tool: "node:test", id: "test/miss.test.mjs", file: "test/miss.test.mjs", line: 1 },
        message: "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'src/nope.mjs' imported from test/miss.test.mjs",
      },
    ]);
    expect(told(print("nothing is told", "count.test.mjs"))[0]?.message).toBe("test failed");
  });
});
