import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/model/failure.ts";
import type { TaskFields } from "../../src/model/task.ts";
import { type FixTaskSource, writeFixTask } from "../../src/recover/write-fix-task.ts";
import { prop } from "../support/prop.ts";

const failed = (part: Partial<Failure> = {}): Failure => ({
  taskId: "1.3",
  failed: true,
  kind: "task",
  error: "File not found: src/parser.ts",
  attemptedFix: "Checked alternate paths",
  status: "Blocked, needs manual intervention",
  rawOutput: "",
  unstated: [],
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
      files: "plugins/ralph-specum/commands/implement.md",
      verify: 'grep -q "Parse Failure" implement.md',
      commit: "fix(recovery): address missing file from task 1.3",
    });
  });

  it("cuts its texts at whole characters, the summary to one line", () => {
    const fix = write({ failure: failed({ error: `no\n parser ${"😀".repeat(600)}`, attemptedFix: "y".repeat(600) }) });
    expect(fix.summary).toBe(`no parser ${"😀".repeat(40)}`);
    expect(fix.error).toBe(`no\n parser ${"😀".repeat(489)}`);
    expect(fix.attemptedFix).toHaveLength(500);
    expect(write({ failure: failed({ error: `${"x".repeat(49)} y` }) }).summary).toBe("x".repeat(49));
  });

  it("has words of its own for what was not stated", () => {
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
  ])("takes of %j the scope %s", (part, scope) => {
    expect(write(part).commit).toBe(`fix(${scope}): address missing file from task 1.3`);
  });

  it("has a Verify of its own for a task without one", () => {
    expect(withFields({ files: "a.ts" }).verify).toBe("echo 'Verify manually'");
    expect(withFields({ verify: "  " }).verify).toBe("echo 'Verify manually'");
  });

  it.each([
    [{ do: "1. Write `src/core/parser.ts`\n2. Export it from src/index.ts" }, "x", "src/core"],
    [{ do: "Say so", doneWhen: "docs/guide/start.md exists." }, "x", "docs/guide"],
    [{}, "Add lib/a.b/c.py: parser", "lib/a.b"],
    [{ do: "Write ./run/all.sh" }, "x", "./run"],
    [{ do: "Write /init.sh" }, "x", "/"],
    [{ do: "See https://example.com/a/b.html and/or npm/yarn with Node.js, then package.json" }, "x", "."],
    [{ do: "Write data/all.json" }, "x", "data"],
    [{ do: "Merge feature/v2.alternatives" }, "x", "."],
    [{ do: `${"a/".repeat(148)}b.ts` }, "x", `${"a/".repeat(147)}a`],
    [{ do: `${"a/".repeat(148)}ab.ts` }, "x", "."],
    [{}, "x", "."],
  ])("gives a task without Files and with %j (%s) the folder %s", (fields, title, files) => {
    expect(withFields(fields, title).files).toBe(files);
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 700 });
const failures = fc.record({
  error: anyText,
  attemptedFix: anyText,
  kind: fc.constantFrom("task" as const, "timeout" as const, "crash" as const),
  unstated: fc.subarray(["error", "attemptedFix", "status"] as const),
});
const ids = fc.constantFrom("1.3", "1.3.1", "V4", "T001", "3", "2.18.7a");

describe("writeFixTask, for every failure", () => {
  prop(
    "I3 I4 its id is its parent's and the number",
    [ids, failures, fc.integer({ min: 1, max: 99 })],
    (id, part, attempt) => {
      const fix = writeFixTask({ task: { ...original, id }, failure: failed({ ...part, taskId: "9.9" }), attempt });
      expect(fix.id).toBe(`${id}.${attempt}`);
      expect(fix.fixOf).toBe(id);
      expect(fix.id.slice(0, fix.id.lastIndexOf("."))).toBe(fix.fixOf);
    },
  );

  prop("I12 Files and Verify are the original's, whatever was printed", [failures], (part) => {
    const { files, verify } = write({ failure: failed(part) });
    expect({ files, verify }).toEqual({ files: original.fields.files, verify: original.fields.verify });
  });

  prop("I19 its texts are filled and bounded", [failures], (part) => {
    const fix = write({ failure: failed(part) });
    expect(fix.summary).toMatch(/^[^\r\n]+$/);
    expect([...fix.summary].length).toBeLessThanOrEqual(50);
    for (const text of [fix.error, fix.attemptedFix]) {
      expect(text.trim()).not.toBe("");
      expect([...text].length).toBeLessThanOrEqual(500);
    }
    expect(fix.commit).toMatch(/^fix\(coordinator\): address [a-z ]+ from task 1\.3$/);
  });
});
