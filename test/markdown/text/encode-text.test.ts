import { describe, expect, it } from "vitest";
import { encodeText } from "../../../src/markdown/text/encode-text.ts";
import { plainLine } from "../../../src/markdown/text/plain-line.ts";

const lines: readonly string[] = [
  "src/parser.ts(12,5): error TS2339: Property 'id' does not exist on type 'Task'.",
  "src/index.ts:3:10 - error TS2307: Cannot find module '../parser.js' or its corresponding type declarations.",
  "error TS2322: Type 'Promise<string>' is not assignable to type 'string'.",
  "error TS7006: Parameter '_event' implicitly has an 'any' type.",
  "● Parser › reads a task with fields",
  "expect(received).toEqual(expected) // deep equality",
  "TypeError: Cannot read properties of undefined (reading 'map')",
  "AssertionError: expected [ 1, 2 ] to deeply equal [ 1, 2, 3 ]",
  "FAIL  test/parser.test.ts > parser > reads a_task_with_underscores",
  'Error: Failed to resolve import "./missing" from "src/main.ts". Does the file exist?',
  "Error: Test timed out in 5000ms.",
  "  12:7  error  'unused_value' is assigned a value but never used  @typescript-eslint/no-unused-vars",
  "✖ 3 problems (2 errors, 1 warning)",
  "src/a.ts:4:1 lint/suspicious/noExplicitAny ━━━━ Unexpected any. Specify a different type.",
  "E       AssertionError: assert 3 == 4",
  "FAILED tests/test_parser.py::test_reads_tasks[crlf-True] - ValueError: bad *args",
  "TypeError: Parser.__init__() missing 1 required positional argument: 'text'",
  "ModuleNotFoundError: No module named 'yaml'",
  'File "/app/main.py", line 7, in <module>',
  "IndentationError: unexpected indent (parser.py, line 12)",
  "./main.go:14:2: undefined: parseTask",
  "--- FAIL: TestParse/crlf (0.00s)",
  "panic: runtime error: index out of range [3] with length 3",
  "go: github.com/acme/parser@v1.2.3: invalid version: unknown revision v1.2.3",
  "error[E0382]: borrow of moved value: `tasks`",
  "error[E0308]: mismatched types: expected `&str`, found `String`",
  "thread 'main' panicked at src/main.rs:4:5: called `Option::unwrap()` on a `None` value",
  "npm ERR! code ELIFECYCLE",
  'npm error Missing script: "test:unit"',
  "npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fparser - Not found",
  "bash: line 1: fixpoint: command not found",
  "grep: src/*.ts: No such file or directory",
  'sh: 1: Syntax error: "(" unexpected',
  "cp: cannot stat 'dist/$NAME.js': No such file or directory",
  "Program.cs(10,13): error CS0103: The name 'foo_bar' does not exist in the current context",
  "error CS0246: The type or namespace name 'List<>' could not be found (are you missing a using directive?)",
  'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "s" is null',
  "make: *** [Makefile:12: test] Error 1",
  "fatal: not a git repository (or any of the parent directories): .git",
  "C:\\Users\\me\\project\\src\\parser.ts: unexpected token, expected ',' (3:14)",
];

const changed: Readonly<Record<string, string>> = {
  "error TS2322: Type 'Promise<string>' is not assignable to type 'string'.":
    "error TS2322: Type 'Promise\\<string>' is not assignable to type 'string'.",
  "TypeError: Parser.__init__() missing 1 required positional argument: 'text'":
    "TypeError: Parser.\\_\\_init__() missing 1 required positional argument: 'text'",
  'File "/app/main.py", line 7, in <module>': 'File "/app/main.py", line 7, in \\<module>',
};

describe("encodeText", () => {
  it.each([
    "File not found: src/parser.ts",
    "TypeError: Cannot read properties of undefined (reading 'id')",
    "src/a.ts(12,5): error TS2339: Property 'x' does not exist on type 'Y'.",
    "expect(received).toBe(expected) // Object.is equality",
    "npm ERR! code ELIFECYCLE",
    "FAIL test/foo_bar.test.ts > adds 2 * 3 * 4",
    "error[E0382]: borrow of moved value: `x`",
    "C:\\Users\\me\\project not found",
    "AssertionError: 1 != 2 at tests/test_a.py:10",
    "bash: foo: command not found",
    "[ERROR] arr[0] is 50% of $HOME & ~/x | y",
    "foo_bar* and #12, a=b {x} <= =>",
    "- Prüfe die Länge",
    '"Sort" (1.2)',
    "1. Überall",
    "commit as `Ada <ada@acme.dev>`",
    "expected `<button type=submit>` to be disabled",
    "unknown entity &nope; in `a.html`",
  ])("keeps %j", (text) => {
    expect(encodeText(text, "x ")).toBe(text);
  });

  it.each([
    ["Promise<string>", "Promise\\<string>"],
    ["- [x] 1.3 done", "- \\[x\\] 1.3 done"],
    ["[VERIFY] and [FIX 1.3]", "\\[VERIFY\\] and \\[FIX 1.3\\]"],
    ["[FIX [x] and [FIXED]", "\\[FIX \\[x\\] and [FIXED]"],
    ["TASK_COMPLETE", "TASK\\_COMPLETE"],
    ["<!-- a", "<\\!-- a"],
    ["<a!b@c.d>", "\\<a!b@c.d>"],
    ["<a.b@c.d>", "\\<a.b@c.d>"],
    ["__init__()", "\\_\\_init__()"],
    ["[a](b)", "\\[a](b)"],
    ["&amp;", "\\&amp;"],
    ["Tom & Jerry &amp; Co", "Tom & Jerry \\&amp; Co"],
    ["\\*", "\\\\*"],
    ["C:\\Users\\me\\*.ts", "C:\\Users\\me\\\\*.ts"],
    ["\\[x]", "\\\\\\[x\\]"],
    ["`[x]`", "\\`\\[x\\]`"],
  ])("writes %j as %j", (text, expected) => {
    expect(encodeText(text, "x ")).toBe(expected);
  });

  it("considers the text after it", () => {
    expect(encodeText("a\\", 'x "', '" b')).toBe("a\\\\");
    expect(encodeText("a `b", 'x "', '" `c')).toBe("a \\`b");
    expect(encodeText("C:\\*\\", "x ", " (2 files)")).toBe("C:\\\\*\\");
  });

  it.each([
    ["1 < 2", "**Task:** ", ""],
    [": 1 < 2", "**Task**", ""],
    ["1 < 2", "x ", " **failed**"],
    ["1 < 2", "x ", "**failed**"],
  ])("keeps %j, whatever %j and %j around it mean", (text, before, after) => {
    expect(encodeText(text, before, after)).toBe(text);
  });

  it("escapes the mark of any block except a paragraph", () => {
    expect(encodeText("# a", "")).toBe("\\# a");
    expect(encodeText("***", "")).toBe("\\***");
    expect(encodeText("12) <div>", "")).toBe("12\\) \\<div>");
    expect(encodeText("1. Überall", "")).toBe("1\\. Überall");
    expect(encodeText("- é", "")).toBe("\\- é");
    expect(encodeText("Überall - é", "")).toBe("Überall - é");
    expect(encodeText("", "")).toBe("");
  });

  it("escapes a tag that only other parsers recognize", () => {
    expect(encodeText("<img src=//x.invalid/a onerror=b>", "x ")).toBe("\\<img src=//x.invalid/a onerror=b>");
    expect(encodeText("a <b c=d", "x ")).toBe("a <b c=d");
  });

  it("escapes a rule after a bullet", () => {
    expect(encodeText("--", "")).toBe("\\--");
    expect(encodeText("**", "")).toBe("\\**");
    expect(encodeText("--", "x ")).toBe("--");
  });

  it("escapes every mark of a text with very many emphasis marks", () => {
    expect(encodeText("*a_".repeat(60), "x ")).toBe("\\*a\\_".repeat(60));
    expect(encodeText("a_b ".repeat(101), "x ")).toBe("a\\_b ".repeat(101));
    expect(encodeText("a_b ".repeat(100), "x ")).toBe("a_b ".repeat(100));
  });

  it("escapes every mark of a text with very many nested links", () => {
    expect(encodeText(`${"[".repeat(5)}a${"](b)".repeat(5)}`, "x ")).toBe(`${"\\[".repeat(5)}a${"](b)".repeat(5)}`);
    expect(encodeText(`${"[".repeat(30)}a${"](b)".repeat(30)}`, "x ")).toBe(
      `${"\\[".repeat(30)}a${"\\]\\(b\\)".repeat(30)}`,
    );
  });
});

describe("error lines of tools", () => {
  const encoded = lines
    .map((line) => plainLine(line, 500))
    .map((line) => [line, encodeText(line, "x Address the error: ")] as const);

  it("stay unchanged in a plan, with a few exceptions", () => {
    expect(Object.fromEntries(encoded.filter(([line, text]) => text !== line))).toEqual(changed);
    expect(lines).toHaveLength(40);
  });
});
