import { describe, expect, it } from "vitest";
import { classifyError } from "../../src/recover/classify-error.ts";

describe("classifyError", () => {
  it.each([
    ["File not found: src/parser.ts", "missing file"],
    ["ENOENT: no such file or directory, open 'x'", "missing file"],
    ["Cannot find module './parser' imported from src/a.ts", "missing file"],
    ["error TS2307: Cannot find module './x' or its corresponding type declarations.", "missing file"],
    ["Cannot find module 'zod'", "missing dependency"],
    ["ModuleNotFoundError: No module named 'requests'", "missing dependency"],
    ["sh: 1: jq: not found", "missing dependency"],
    ["SyntaxError: Unexpected token '}'", "syntax"],
    ["src/a.ts(3,1): error TS1005: ';' expected.", "syntax"],
    ["src/a.ts(3,1): error TS2322: Type 'string' is not assignable to type 'number'.", "type"],
    ["TypeError: x is not a function", "type"],
    ["ESLint: 3 problems", "lint"],
    ["npm run lint failed", "lint"],
    ["biome found 2 errors", "lint"],
    ["Verify failed (exit 1): 3 tests failed", "test"],
    ["AssertionError: nope", "test"],
    ["Expected 4 but got 5", "test"],
    ["Run 1 of 2\nexpected 4, received 5\nDone", "test"],
    ["What it got, expected nobody", "error"],
    ["Verify timed out", "timeout"],
    ["Timeout of 5000ms exceeded", "timeout"],
    ["connect ETIMEDOUT 10.0.0.1:443", "timeout"],
    ["EACCES: permission denied, open '/etc/x'", "permission"],
    ["connect ECONNREFUSED 127.0.0.1:5432", "network"],
    ["getaddrinfo ENOTFOUND example.com", "network"],
    ["Task execution failed", "error"],
    ["Task did not complete", "error"],
    ["", "error"],
    ["something odd", "error"],
    [`${"x".repeat(2000)} EACCES`, "error"],
  ])("takes %j for a %s", (error, type) => {
    expect(classifyError(error)).toBe(type);
  });
});
