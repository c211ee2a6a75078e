import { describe, expect, it } from "vitest";
import { openOutput } from "../../src/digest/digest-output.ts";
import { known, readFixtures } from "../support/output-fixtures.ts";

const fixtures = readFixtures();

function countsOf(text: string, size = text.length + 1) {
  const output = openOutput({});
  for (let at = 0; at < text.length; at += size) output.write(text.slice(at, at + size));
  return output.end().counts;
}

describe("the checks of recorded outputs", () => {
  it.each(fixtures.filter(({ ran, name }) => ran !== null && !Object.hasOwn(known, name)))(
    "of $name match a manual count",
    ({ text, ran }) => {
      expect(countsOf(text).ran).toBe(ran);
    },
  );

  it.each([1, 100, 4096])("are the same in chunks of %i characters", (size) => {
    for (const { text } of size === 1 ? fixtures.slice(0, 20) : fixtures) {
      expect(countsOf(text, size)).toEqual(countsOf(text));
    }
  });
});

const passing: readonly (readonly [how: string, tool: string, text: string])[] = [
  [
    "spec",
    "node:test",
    "▶ shop\n  ✔ adds (1.2345ms)\n▶ shop (2.3456ms)\n✔ works (1.407871ms)\n﹣ waits (0.227564ms) # SKIP\nℹ tests 3\nℹ suites 1\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n",
  ],
  [
    "TAP",
    "node:test",
    "TAP version 13\n# Subtest: shop\n    # Subtest: adds\n    ok 1 - adds\n      ---\n      duration_ms: 1.3\n      ...\n    1..1\nok 1 - shop\n# Subtest: works\nok 2 - works\n# Subtest: waits\nok 3 - waits # SKIP later\n1..3\n# tests 3\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n",
  ],
  ["plain", "tap", "1..3\nok 1 - adds\nok 2 - works\nok 3 - waits # SKIP later\n"],
  [
    "verbose",
    "vitest",
    " ✓ src/a.test.ts > shop > adds 3ms\n ✓ src/a.test.ts > works 1ms\n ↓ src/a.test.ts > waits\n\n Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)\n",
  ],
  ["plain", "vitest", " ✓ src/a.test.ts (3 tests) 3ms\n\n      Tests  2 passed | 1 skipped (3)\n"],
  [
    "verbose",
    "jest",
    "PASS src/a.test.js\n  shop\n    ✓ adds (2 ms)\n  ✓ works\n  ○ skipped waits\n\nTests:       1 skipped, 2 passed, 3 total\n",
  ],
  ["plain", "jest", "PASS src/a.test.js\n\nTests:       1 skipped, 2 passed, 3 total\n"],
  ["spec", "mocha", "\n  ✔ works\n  shop\n    ✔ adds (3ms)\n    - waits\n\n\n  2 passing (4ms)\n  1 pending\n\n"],
  [
    "-v",
    "pytest",
    "===== test session starts =====\ncollected 3 items\n\nt.py::test_adds PASSED   [ 33%]\nt.py::T::test_works[1-2] PASSED [ 66%]\nt.py::test_waits SKIPPED (later) [100%]\n\n===== 2 passed, 1 skipped in 0.01s =====\n",
  ],
  ["-q", "pytest", "..s    [100%]\n2 passed, 1 skipped in 0.01s\n"],
  [
    "-v",
    "unittest",
    "test_adds (t.T.test_adds) ... ok\ntest_works (t.T) ... ok\ntest_waits (t.T.test_waits) ... skipped 'later'\n\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK (skipped=1)\n",
  ],
  ["plain", "unittest", "..s\nRan 3 tests in 0.001s\n\nOK (skipped=1)\n"],
  [
    "-v",
    "go test",
    "=== RUN   TestAdds\n=== RUN   TestAdds/one\n--- PASS: TestAdds (0.00s)\n    --- PASS: TestAdds/one (0.00s)\n=== RUN   TestWorks\n--- PASS: TestWorks (0.00s)\n=== RUN   TestWaits\n--- SKIP: TestWaits (0.00s)\nPASS\nok  \texample.com/shop\t0.005s\n",
  ],
  [
    "-json",
    "go test",
    '{"Action":"pass","Package":"shop","Test":"TestAdds"}\n{"Action":"pass","Package":"shop","Test":"TestWorks"}\n{"Action":"skip","Package":"shop","Test":"TestWaits"}\n{"Action":"pass","Package":"shop"}\n',
  ],
  [
    "plain",
    "cargo test",
    "running 3 tests\ntest tests::adds ... ok\ntest tests::works ... ok\ntest tests::waits ... ignored\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
  ],
  ["nextest", "cargo", "     Summary [   0.005s] 2 tests run: 2 passed, 1 skipped\n"],
  [
    "a report",
    "junit",
    '<testsuite tests="3">\n<testcase classname="shop" name="adds"/>\n<testcase name="works"></testcase>\n<testcase name="waits"><skipped/></testcase>\n</testsuite>\n',
  ],
  ["plain", "maven", "[INFO] Results:\n[INFO] \n[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n"],
  [
    "logged",
    "gradle",
    "CalcTest > adds PASSED\nCalcTest > works PASSED\nCalcTest > waits SKIPPED\nBUILD SUCCESSFUL in 2s\n",
  ],
  [
    "normal",
    "dotnet test",
    "  Passed Shop.Adds [3 ms]\n  Passed Shop.Works [< 1 ms]\n  Skipped Shop.Waits [1 ms]\nPassed!  - Failed:     0, Passed:     2, Skipped:     1, Total:     3, Duration: 9 ms - a.dll (net8.0)\n",
  ],
  ["plain", "rspec", "Finished in 0.002 seconds\n3 examples, 0 failures, 1 pending\n"],
  ["plain", "phpunit", "OK, but incomplete, skipped, or risky tests!\nTests: 3, Assertions: 2, Skipped: 1.\n"],
  ["plain", "playwright", "Running 3 tests using 1 worker\n\n  1 skipped\n  2 passed (3.6s)\n"],
  ["a script", "own", "2 passed, 0 failed, 1 skipped\n"],
  ["a script with last lines of TAP", "own", "# pass 2\n# fail 0\n# skipped 1\n"],
];

describe("the checks of a passing run", () => {
  it.each(passing)("are read from the output (%s) of %s", (_how, _tool, text) => {
    expect(countsOf(text)).toEqual({ ran: 2, skipped: 1 });
  });

  it.each([
    ["33/49\n", 49],
    ["all 5 passed\n", 5],
    ["OK (2 tests, 3 assertions)\n", 2],
    ["2 passed in 0.1s\n3 passed in 0.1s\n", 5],
    ["go: nothing\nok  \texample.com/shop\t0.005s\n", null],
    ["BUILD SUCCESSFUL in 20s\n", null],
    ["done\n", null],
    ["", null],
  ])("of %j are %o", (text, ran) => {
    expect(countsOf(text).ran).toBe(ran);
  });

  it.each([
    "ℹ tests 0\nℹ pass 0\nℹ fail 0\n",
    "TAP version 13\n1..0\n# tests 0\n# pass 0\n# fail 0\n",
    "1..0 # SKIP nothing to do\n",
    "No test files found, exiting with code 1\n",
    "No tests found, exiting with code 1\n",
    "\n  0 passing (1ms)\n\n",
    "===== test session starts =====\ncollected 0 items\n\n===== no tests ran in 0.01s =====\n",
    "no tests ran in 0.01s\n",
    "Ran 0 tests in 0.000s\n\nOK\n",
    "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n",
    "?   \texample.com/shop\t[no test files]\n",
    "ok  \texample.com/shop\t0.002s [no tests to run]\n",
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n",
    "[INFO] No tests to run.\n",
    "0 examples, 0 failures\n",
    "No tests executed!\n",
    "Error: No tests found\n",
    '<testsuite tests="0">\n</testsuite>\n',
    "0 passed, 0 failed\n",
    "# tests 0\n",
  ])("are none in %j", (text) => {
    expect(countsOf(text).ran).toBe(0);
  });

  it("count once if a report repeats them", () => {
    const text =
      (passing.find(([, tool]) => tool === "jest")?.[2] ?? "") +
      (passing.find(([, tool]) => tool === "junit")?.[2] ?? "");
    expect(countsOf(text)).toEqual({ ran: 2, skipped: 1 });
  });
});

it.each(["# ", "ℹ "])("sums several runs of Node's runner in one output (%j)", (sign) => {
  const run = (pass: number, fail: number): string =>
    [`tests ${pass + fail}`, `pass ${pass}`, `fail ${fail}`, "cancelled 0", "skipped 0", "todo 0"]
      .map((line) => `${sign}${line}\n`)
      .join("");
  const head = sign === "# " ? "TAP version 13\n# Subtest: adds\nok 1 - adds\n1..1\n" : "✔ adds (1.2ms)\n";
  expect(countsOf(`${head}${run(1, 0)}${head}${run(2, 1)}`)).toEqual({ ran: 4, skipped: 0 });
});
