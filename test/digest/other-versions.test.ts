import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";

const digest = (text: string) => digestOutput(text, { folder: "/project" });
const namesOf = (text: string): string[] => digest(text).failures.map(({ tool, id }) => `${tool}: ${id}`);

describe("the output of other versions", () => {
  it("of unittest before Python 3.11", () => {
    const rule = "=".repeat(70);
    const text = `F.E\n${rule}\nFAIL: test_total (shop.CartTest)\n${"-".repeat(70)}\nTraceback (most recent call last):\n  File "/project/shop.py", line 6, in test_total\n    self.assertEqual(3, 4)\nAssertionError: 3 != 4\n\n${rule}\nERROR: broken (unittest.loader._FailedTest)\n${"-".repeat(70)}\nImportError: Failed to import test module: broken\n\n${"-".repeat(70)}\nRan 3 tests in 0.002s\n\nFAILED (failures=1, errors=1)\n`;
    expect(digest(text)).toMatchObject({
      failed: 2,
      ran: 3,
      failures: [
        { id: "shop.CartTest.test_total", file: "shop.py", line: 6, message: "3 != 4" },
        { id: "broken", message: "failed" },
      ],
    });
  });

  it("of pytest with workers", () => {
    const text = `============================= test session starts ==============================
gw0 [2] / gw1 [2]
[gw1] [ 50%] PASSED tests/test_cart.py::test_fine 
[gw0] [100%] FAILED tests/test_cart.py::test_total[1 - 2] 
`;
    expect(namesOf(text)).toEqual(["pytest: tests/test_cart.py::test_total[1 - 2]"]);
  });

  it("of pytest with subtests", () => {
    const text = `============================= test session starts ==============================
test_sub.py::test_each SUBPASSED[square] (number=0)                      [ 50%]
test_sub.py::test_each SUBFAILED[square] (number=1)                      [ 50%]
test_sub.py::test_each FAILED                                            [ 50%]
========================= 2 failed, 1 passed in 0.30s ==========================
`;
    expect(digest(text)).toMatchObject({ failed: 1, failures: [{ id: "test_sub.py::test_each [square] (number=1)" }] });
  });

  it("of Rust before 1.73", () => {
    const text = `
running 2 tests
test tests::adds ... FAILED
test tests::breaks ... FAILED

failures:

---- tests::adds stdout ----
thread 'tests::adds' panicked at 'assertion failed: \`(left == right)\`
  left: \`3\`,
 right: \`4\`: sum', src/lib.rs:10:9
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

---- tests::breaks stdout ----
thread 'tests::breaks' panicked at 'no shop', src/lib.rs:15:9


failures:
    tests::adds
    tests::breaks

test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
    expect(digest(text).failures).toMatchObject([
      { id: "tests::adds", file: "src/lib.rs", line: 10, message: expect.stringContaining("left: 3, right: 4") },
      { id: "tests::breaks", file: "src/lib.rs", line: 15, message: "no shop" },
    ]);
  });

  it("of Rust tests ended by a signal", () => {
    const text = `
running 1 test
error: test failed, to rerun pass \`--lib\`

Caused by:
  process didn't exit successfully: \`/project/target/debug/deps/shop-0123456789abcdef\` (signal: 6, SIGABRT: process abort signal)
`;
    expect(namesOf(text)).toEqual(["cargo test: --lib"]);
  });

  it("of Go from 1.20 on, with a test timeout", () => {
    const text = `panic: test timed out after 300ms
running tests:
\tTestSlow (0s)

goroutine 17 [running]:
FAIL\texample.com/shop\t0.307s
FAIL
`;
    expect(digest(text).failures).toMatchObject([
      { tool: "go test", id: "example.com/shop TestSlow", message: "panic: test timed out after 300ms" },
    ]);
  });

  it("of Go from 1.24 on, with builds in its JSON", () => {
    const text = `{"ImportPath":"example.com/shop [example.com/shop.test]","Action":"build-output","Output":"# example.com/shop [example.com/shop.test]\\n"}
{"ImportPath":"example.com/shop [example.com/shop.test]","Action":"build-output","Output":"./cart.go:4:9: undefined: missing\\n"}
{"ImportPath":"example.com/shop [example.com/shop.test]","Action":"build-fail"}
{"Time":"2026-01-01T00:00:00Z","Action":"start","Package":"example.com/shop"}
{"Time":"2026-01-01T00:00:00Z","Action":"output","Package":"example.com/shop","Output":"FAIL\\texample.com/shop [build failed]\\n"}
{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"example.com/shop","Elapsed":0,"FailedBuild":"example.com/shop [example.com/shop.test]"}
`;
    expect(namesOf(text)).toEqual(["go: cart.go: undefined: missing"]);
  });

  it("of Go with testify", () => {
    const text = `--- FAIL: TestTotal (0.00s)
    cart_test.go:12: 
        \tError Trace:\t/project/cart_test.go:12
        \tError:      \tNot equal: 
        \t            \texpected: 3
        \t            \tactual  : 4
        \tTest:       \tTestTotal
FAIL
FAIL\texample.com/shop\t0.003s
`;
    expect(digest(text).failures).toMatchObject([
      { id: "example.com/shop TestTotal", line: 12, message: "Not equal:", expected: "3", actual: "4" },
    ]);
  });

  it("of Maven with surefire before 2.20", () => {
    const text = `Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.052 sec <<< FAILURE! - in com.example.CalcTest
adds(com.example.CalcTest)  Time elapsed: 0.004 sec  <<< FAILURE!
java.lang.AssertionError: expected:<3> but was:<4>
	at org.junit.Assert.fail(Assert.java:88)
	at com.example.CalcTest.adds(CalcTest.java:12)
`;
    expect(digest(text).failures).toMatchObject([
      { tool: "maven", id: "com.example.CalcTest.adds", line: 12, expected: "3", actual: "4" },
    ]);
  });

  it("of the compiler of Kotlin", () => {
    const text = `e: file:///project/src/Cart.kt:3:5 Unresolved reference: missing
e: /project/src/Cart.kt: (9, 1): Expecting '}'
w: file:///project/src/Cart.kt:4:5 Variable 'error' is never used
`;
    expect(namesOf(text)).toEqual([
      "kotlinc: src/Cart.kt: Unresolved reference: missing",
      "kotlinc: src/Cart.kt: Expecting '}'",
    ]);
  });

  it("of make before 4.0", () => {
    expect(namesOf("make[1]: *** [all] Error 2\nmake: *** [sub] Error 2\n")).toEqual(["make: all"]);
  });

  it("of ShellCheck before 0.7.1", () => {
    const text =
      "\nIn run.sh line 3:\necho $1\n     ^-- SC2086: Double quote to prevent globbing and word splitting.\n";
    expect(namesOf(text)).toEqual(["shellcheck: run.sh: SC2086 Double quote to prevent globbing and word splitting."]);
  });
});
