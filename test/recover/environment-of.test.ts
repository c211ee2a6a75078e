import { describe, expect, it } from "vitest";
import type { FailureDigest } from "../../src/model/failure.ts";
import type { FailedCheck } from "../../src/model/failure-set.ts";
import { environmentOf } from "../../src/recover/environment-of.ts";
import { evidenceWith, failedCheck, measuredFailure, plainFailure } from "../support/sample-failure.ts";

const printed = (tail: string, part: Parameters<typeof evidenceWith>[1] = {}): FailureDigest =>
  plainFailure("x", { evidence: evidenceWith([], { source: "last-line", tail, ...part }) });
const failedIn = (...files: (string | null)[]): FailureDigest => {
  const ids = files.map((_, index) => `t${index}`);
  const failures = ids.map((id, index): FailedCheck => failedCheck(id, { file: files[index] ?? null }));
  return measuredFailure(ids, { evidence: evidenceWith([], { failures }) });
};

describe("environmentOf", () => {
  it.each([
    ["sh: 1: vitest: not found", "the program vitest is missing"],
    ["bash: line 1: cargo: command not found", "the program cargo is missing"],
    ["/bin/sh: ./run.sh: not found", "the program ./run.sh is missing"],
    ["./gradlew: 3: java: not found", "the program java is missing"],
    ["Error: spawn /usr/bin/chromium ENOENT", "the program /usr/bin/chromium is missing"],
    ["env: node: No such file or directory", "the program node is missing"],
    ["env: ‘python3’: No such file or directory", "the program python3 is missing"],
    ["write failed: ENOSPC", "the disk is full"],
    ["tar: a: Cannot write: No space left on device", "the disk is full"],
    ["Error: ENOMEM", "the machine is out of memory"],
    ["fork: Cannot allocate memory", "the machine is out of memory"],
    ["FATAL ERROR: JavaScript heap out of memory", "the machine is out of memory"],
    ["Error: EMFILE: too many open files", "too many files are open"],
    ["ENFILE", "too many files are open"],
  ])("finds in %j: %s", (line, told) => {
    for (const output of [line, `before\n${line}\nbehind`]) {
      expect(environmentOf(printed(output), () => [])).toBe(told);
      expect(environmentOf(printed("", { head: output }), () => [])).toBe(told);
    }
    expect(environmentOf(printed("", { failures: [failedCheck("t", { message: line })] }), () => [])).toBe(told);
  });

  it.each([
    "AssertionError: expected 404 page not found: true",
    "module xENOSPCx",
    "ApiError: GET /users: not found",
    "user: not found",
    "Route /a: handler was not found there",
    "ENOENT: no such file or directory, open 'src/a.ts'",
    "3 failed",
    "",
  ])("attributes %j to the task", (line) => {
    expect(environmentOf(printed(line), () => [])).toBeNull();
  });

  it("attributes a check to the task if its file is named after one of the task's, or its output mentions one", () => {
    expect(environmentOf(failedIn("test/sum.test.js"), () => ["src/sum.js"])).toBeNull();
    expect(environmentOf(failedIn("test/all.test.js"), () => ["src/ui.js"])).toMatch(/^checks fail in files/);
    const told = failedIn("test/all.test.js");
    const evidence = { ...told.evidence, command: { ...told.evidence?.command, tail: "at add (src/ui.js:3)" } };
    expect(environmentOf({ ...told, evidence } as FailureDigest, () => ["src/ui.js"])).toBeNull();
  });

  it("reads only messages if a tool reported the failures", () => {
    const printedIt = printed("ok 1 - retries on ENOSPC", { source: "tools", failures: [failedCheck("adds")] });
    expect(environmentOf(printedIt, () => [])).toBeNull();
  });

  it("returns nothing for a failure without a command", () => {
    expect(environmentOf(plainFailure("ENOSPC"), () => ["src/a.ts"])).toBeNull();
    const evidence = { command: null, claim: "ENOSPC", findings: "ENOSPC" };
    expect(environmentOf(plainFailure("ENOSPC", { evidence }), () => ["src/a.ts"])).toBeNull();
  });

  it("returns program names of up to 100 characters, and reads only the end of an output", () => {
    expect(environmentOf(printed(`sh: 1: ${"p".repeat(100)}: not found`), () => [])).toBe(
      `the program ${"p".repeat(100)} is missing`,
    );
    expect(environmentOf(printed(`sh: 1: ${"p".repeat(101)}: not found`), () => [])).toBeNull();
    expect(environmentOf(printed(`ENOSPC${"\n".repeat(4000)}`), () => [])).toBeNull();
  });
});

describe("environmentOf, if checks fail in files of no task", () => {
  it.each([
    [["other/b.test.ts"], ["src/a.ts"]],
    [
      ["other/b.test.ts", "other/c.test.ts"],
      ["src/a.ts", "test"],
    ],
    [["src/ab.ts"], ["src/a"]],
  ])("reports checks in the files %j if tasks name %j", (files, declared) => {
    expect(environmentOf(failedIn(...files), () => declared)).toBe(
      `checks fail in files that no task names: ${files.map((_, index) => `t${index}`).join("; ")}`,
    );
  });

  it.each([
    ["a file of a task", ["src/a.ts"], ["src/a.ts"]],
    ["a file below a folder of a task", ["src/deep/a.ts"], ["src"]],
    ["a file of a task, reported from another folder", ["/project/src/a.ts"], ["src/a.ts"]],
    ["one file of a task among others", ["other/b.ts", "src/a.ts"], ["src/a.ts"]],
    ["a check without a file", ["other/b.ts", null], ["src/a.ts"]],
    ["a plan that names no files", ["other/b.ts"], []],
  ])("reports nothing for %s", (_, files, declared) => {
    expect(environmentOf(failedIn(...files), () => declared)).toBeNull();
  });

  it("reports nothing if not all of them are known", () => {
    const failure = failedIn("other/b.ts", "other/c.ts");
    const { command, ...rest } = failure.evidence ?? evidenceWith([]);
    const fewer = command && { ...command, failures: command.failures.slice(1) };
    expect(environmentOf({ ...failure, evidence: { ...rest, command: fewer } }, () => ["src/a.ts"])).toBeNull();
    const { failing: _, ...unknown } = failure;
    expect(environmentOf(unknown, () => ["src/a.ts"])).toBeNull();
  });

  it("lists three of many, and returns the same for every task", () => {
    const failure = failedIn("o/a.ts", "o/b.ts", "o/c.ts", "o/d.ts", "o/e.ts");
    const told = "checks fail in files that no task names: t0; t1; t2 and 2 more";
    expect(environmentOf(failure, () => ["src/a.ts"])).toBe(told);
    expect(environmentOf({ ...failure, error: "other", attemptedFix: "x" }, () => ["src/a.ts", "src/b.ts"])).toBe(told);
  });
});
