import { describe, expect, it } from "vitest";
import { demandsPassingTests } from "../../../src/markdown/lint/judge-command.ts";

describe("demandsPassingTests", () => {
  it.each([
    "npm test",
    "npm run test:unit -- parser",
    "cd app && pnpm exec vitest run a.test.ts",
    "npx vitest run",
    "pnpm dlx vitest run",
    "bun x vitest run",
    "PYTHONPATH=. .venv/bin/python -m pytest tests/test_a.py -x",
    "./node_modules/.bin/jest a && echo RED_PASS",
    "cargo test parser 2>&1",
    "go test ./...",
    "node --test a.js",
  ])("is true for %j", (script) => {
    expect(demandsPassingTests(script)).toBe(true);
  });

  it.each([
    "! npm test",
    "npm test || echo RED_PASS",
    "npm test 2>&1 | grep -q FAIL && echo RED_PASS",
    "npm test; test $? -ne 0",
    "cargo test --no-run",
    "pytest --collect-only -q",
    "cargo check",
    "npm run build",
    "grep -q test a.ts",
    "if npm test; then exit 1; fi",
    "a=1",
    "",
  ])("is false for %j", (script) => {
    expect(demandsPassingTests(script)).toBe(false);
  });
});
