import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FailureSet, failureSetOf } from "../../src/model/failure-set.ts";
import type { TaskFields } from "../../src/model/task.ts";
import { fingerprint } from "../../src/model/text.ts";
import { classifyError, type FixCause, type FixTaskSource, writeFixTask } from "../../src/recover/write-fix-task.ts";
import { prop } from "../support/prop.ts";
import {
  countOf,
  digestOf,
  evidenceWith,
  failedCheck,
  measuredFailure,
  nameOf,
  setOf,
} from "../support/sample-failure.ts";

const failed = (part: Partial<FixCause> = {}): FixCause => ({
  kind: "task",
  error: "File not found: src/parser.ts",
  attemptedFix: "Checked alternate paths",
  ...part,
});
const original = {
  id: "1.3",
  title: "Add failure parser",
  fields: {
    do: "Add parsing logic to implement.md",
    files: "plugins/ralph-specum/commands/implement.md",
    doneWhen: "Parser extracts error details",
    verify: 'grep -q "Parse Failure" implement.md',
    commit: "feat(coordinator): add failure parser",
  },
};
const write = (part: Partial<FixTaskSource> = {}) =>
  writeFixTask({ task: original, failure: failed(), attempt: 1, ...part });
const withFields = (fields: TaskFields, title = "x") => write({ task: { id: "1.3", title, fields } });

describe("writeFixTask", () => {
  it("writes the source's example", () => {
    expect(write({ scope: "recovery" })).toEqual({
      id: "1.3.1",
      fixOf: "1.3",
      summary: "File not found: src/parser.ts",
      error: "File not found: src/parser.ts",
      attemptedFix: "Checked alternate paths",
      doneWhen: 'Error "File not found: src/parser.ts" no longer occurs',
      files: "plugins/ralph-specum/commands/implement.md",
      verify: 'grep -q "Parse Failure" implement.md',
      commit: "fix(recovery): address missing file from task 1.3",
      madeFor: { fingerprint: fingerprint("File not found: src/parser.ts") },
    });
  });

  it("targets the first of the failed checks, and accepts a decrease of them", () => {
    const ids = ["adds", "takes", "halves"];
    const failure = measuredFailure(ids, { error: "Verify failed (exit 1), 3 failing: adds: adds is wrong" });
    expect(write({ failure })).toMatchObject({
      summary: "adds: adds is wrong",
      error: "adds: adds is wrong",
      doneWhen: "adds no longer fails, and no other check fails except: takes; halves",
      commit: "fix(coordinator): address test from task 1.3",
      madeFor: { fingerprint: failure.fingerprint, failing: setOf(...ids), first: nameOf("adds") },
    });
    expect(write({ failure: measuredFailure(["adds"]) }).doneWhen).toBe(
      "adds no longer fails, and no other check fails",
    );
  });

  it("lists at most eight checks in its goal, and the number of the others", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `t${index + 1}`);
    expect(write({ failure: measuredFailure(ids) }).doneWhen).toBe(
      "t1 no longer fails, and no other check fails except: t2; t3; t4; t5; t6; t7; t8; and 4 more",
    );
    const long = ids.map((id) => `${id} ${"x".repeat(300)}`);
    expect([...write({ failure: measuredFailure(long) }).doneWhen].length).toBeLessThanOrEqual(500);
  });

  it("states the expected and the actual value of the check", () => {
    const check = failedCheck("adds", { message: "wrong sum", expected: "3", actual: "4" });
    const evidence = evidenceWith([], { failures: [check] });
    expect(write({ failure: measuredFailure(["adds"], { evidence }) }).error).toBe(
      "adds: wrong sum (expected 3, got 4)",
    );
  });

  it("quotes the last output if no tool reports the failures, but targets the error", () => {
    const error = "Verify failed (exit 1): a line is wrong";
    for (const source of ["last-line", "passing-run", "failing-run"] as const) {
      const fix = write({ failure: failed({ error, evidence: evidenceWith(["one", "a line"], { source }) }) });
      expect(fix).toMatchObject({
        ...{ summary: "a line is wrong", error: "a line is wrong" },
        doneWhen: 'Error "a line is wrong" no longer occurs',
      });
      expect(fix.madeFor).toStrictEqual({ fingerprint: fingerprint(error) });
    }
  });

  it("targets the error if nothing more is known", () => {
    const told = (error: string, part: Parameters<typeof evidenceWith>[1], failing?: FailureSet) =>
      write({
        failure: failed({ error, evidence: evidenceWith([], part), ...(failing !== undefined && { failing }) }),
      }).doneWhen;
    const failures = [failedCheck("a line")];
    expect(told("Verify timed out", { source: "last-line", failures, timedOut: true })).toBe(
      'Error "Verify timed out" no longer occurs',
    );
    expect(told("Verify failed (exit 3)", { source: "nothing" })).toBe(
      'Error "Verify failed (exit 3)" no longer occurs',
    );
    expect(told("Verify failed (exit 1), 4 failing", { source: "count" }, countOf(4))).toBe(
      'Error "Verify failed (exit 1), 4 failing" no longer occurs',
    );
  });

  it("names the fix that it supersedes", () => {
    expect(write({ supersedes: "1.3.1", attempt: 2 })).toMatchObject({ id: "1.3.2", supersedes: "1.3.1" });
    expect(write({ supersedes: null })).not.toHaveProperty("supersedes");
  });

  it("truncates its texts at whole characters, the summary to one line", () => {
    const fix = write({ failure: failed({ error: `no\n parser ${"😀".repeat(600)}`, attemptedFix: "y".repeat(600) }) });
    expect(fix.summary).toBe(`no parser ${"😀".repeat(39)}…`);
    expect(fix.error).toBe(`no\n parser ${"😀".repeat(489)}`);
    expect(fix.attemptedFix).toHaveLength(500);
    expect(write({ failure: failed({ error: `${"x".repeat(49)} y` }) }).summary).toBe(`${"x".repeat(49)}…`);
    const message = "rounds once for each rate: got { '19': 3 }, expected { '19': 2 }";
    expect(write({ failure: failed({ error: message }) }).summary).toBe("rounds once for each rate: got { '19': 3 },…");
  });

  it("keeps the error that the executor reports beside that of Verify", () => {
    const beside = { ...failed({ error: "Verify failed (exit 1)" }), reported: "spaces stay spaces." };
    expect(write({ failure: beside })).toMatchObject({
      error: "Verify failed (exit 1)",
      attemptedFix: "spaces stay spaces. Checked alternate paths",
    });
    const untried = { ...beside, unstated: ["attemptedFix" as const] };
    expect(write({ failure: untried }).attemptedFix).toBe("spaces stay spaces. No previous fix attempted");
  });

  it("has default texts for missing fields", () => {
    const failure = failed({ error: "Task execution failed", unstated: ["error", "attemptedFix", "status"] });
    expect(write({ failure })).toMatchObject({
      summary: "task 1.3 failure",
      error: "Task execution failed",
      attemptedFix: "No previous fix attempted",
      commit: "fix(coordinator): address error from task 1.3",
    });
    expect(write({ failure: failed({ error: " \n" }) })).toMatchObject({
      summary: "task 1.3 failure",
      error: "Task execution failed",
    });
  });

  it("names a time limit in the commit message whatever the error says", () => {
    expect(write({ failure: failed({ kind: "timeout" }) }).commit).toBe(
      "fix(coordinator): address timeout from task 1.3",
    );
  });

  it.each([
    [{ scope: "given", spec: "demo" }, "given"],
    [{ scope: null, spec: "demo" }, "coordinator"],
    [{ task: { ...original, fields: { commit: "`fix(a/b-c)!: x`" } }, spec: "demo" }, "a/b-c"],
    [{ task: { ...original, fields: { commit: "** fix(core): x **" } }, spec: "demo" }, "core"],
    [{ task: { ...original, fields: { commit: "feat: x (y): z" } }, spec: "demo" }, "demo"],
    [{ task: { ...original, fields: { commit: "feat: call f(y): z" } }, spec: "demo" }, "demo"],
    [{ task: { ...original, fields: {} }, scope: " ", spec: "demo" }, "demo"],
    [{ task: { ...original, fields: {} }, spec: "" }, "recovery"],
    [{ task: { ...original, fields: {} } }, "recovery"],
  ])("derives from %j the scope %s", (part, scope) => {
    expect(write(part).commit).toBe(`fix(${scope}): address missing file from task 1.3`);
  });

  it("has no Verify for a task without one", () => {
    expect(withFields({ files: "a.ts" }).verify).toBeNull();
    expect(withFields({ verify: "  " }).verify).toBeNull();
  });

  it.each([
    [{ do: "1. Write `src/core/parser.ts`\n2. Export it from src/index.ts" }, "x", "src/core/parser.ts, src/index.ts"],
    [{ do: "Say so", doneWhen: "docs/guide/start.md exists." }, "x", "docs/guide/start.md"],
    [{}, "Add lib/a.b/c.py: parser", "lib/a.b/c.py"],
    [{ do: "Read docs/all.md" }, "Create User in src/models/user.py", "src/models/user.py"],
    [{}, "Move src/a.ts to src/b.ts, and src/a.ts goes", "src/a.ts, src/b.ts"],
    [
      {},
      Array.from({ length: 9 }, (_, n) => `a/${n}.ts`).join(),
      "a/0.ts, a/1.ts, a/2.ts, a/3.ts, a/4.ts, a/5.ts, a/6.ts, a/7.ts",
    ],
    [{ do: "Write ./run/all.sh" }, "x", "./run/all.sh"],
    [{ do: "Write /init.sh" }, "x", "/init.sh"],
    [{ do: "See https://example.com/a/b.html and/or npm/yarn with Node.js, then package.json" }, "x", "."],
    [{ do: "Write data/all.json" }, "x", "data/all.json"],
    [{ do: "Merge feature/v2.alternatives" }, "x", "."],
    [{ do: `${"a/".repeat(148)}b.ts` }, "x", `${"a/".repeat(148)}b.ts`],
    [{ do: `${"a/".repeat(148)}ab.ts` }, "x", "."],
    [{}, "x", "."],
  ])("gives a task without Files and with %j (%s) the paths %s", (fields, title, files) => {
    expect(withFields(fields, title).files).toBe(files);
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 700 });
const checks = fc.array(
  fc.record({
    tool: fc.constant("vitest"),
    id: anyText,
    file: fc.constant(null),
    line: fc.constant(null),
    message: anyText.map((text) => `x${text}`),
  }),
  { minLength: 1, maxLength: 20 },
);
const failures = fc
  .record({
    error: anyText,
    attemptedFix: anyText,
    kind: fc.constantFrom("task" as const, "timeout" as const, "crash" as const),
    unstated: fc.subarray(["error" as const, "attemptedFix" as const, "status" as const]),
    checks: fc.option(checks),
  })
  .map(({ checks: failed, ...part }) => ({
    ...part,
    ...(failed !== null && {
      failing: failureSetOf(digestOf([], { failures: failed, failed: failed.length })) as FailureSet,
      evidence: evidenceWith([], { failures: failed }),
    }),
  }));
const ids = fc.constantFrom("1.3", "1.3.1", "V4", "T001", "3", "2.18.7a");

describe("writeFixTask, for every failure", () => {
  prop(
    "I3 I4 its id is its parent's and the number",
    [ids, failures, fc.integer({ min: 1, max: 99 })],
    (id, part, attempt) => {
      const fix = writeFixTask({ task: { ...original, id }, failure: failed(part), attempt });
      expect(fix.id).toBe(`${id}.${attempt}`);
      expect(fix.fixOf).toBe(id);
      expect(fix.id.slice(0, fix.id.lastIndexOf("."))).toBe(fix.fixOf);
    },
  );

  prop("I12 Files and Verify are the original's, whatever the output", [failures], (part) => {
    const { files, verify } = write({ failure: failed(part) });
    expect({ files, verify }).toEqual({ files: original.fields.files, verify: original.fields.verify });
  });

  prop("I19 its texts are non-empty and bounded", [failures], (part) => {
    const fix = write({ failure: failed(part) });
    expect(fix.summary).toMatch(/^[^\r\n]+$/);
    expect([...fix.summary].length).toBeLessThanOrEqual(50);
    for (const text of [fix.error, fix.attemptedFix, fix.doneWhen]) {
      expect(text.trim()).not.toBe("");
      expect([...text].length).toBeLessThanOrEqual(500);
    }
    expect(fix.commit).toMatch(/^fix\(coordinator\): address [a-z ]+ from task 1\.3$/);
  });
});

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
  ])("classifies %j as %s", (error, type) => {
    expect(classifyError(error)).toBe(type);
  });
});
