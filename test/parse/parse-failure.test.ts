import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saysNothing } from "../../src/model/text.ts";
import { parseFailure, parseFailureHeading } from "../../src/parse/parse-failure.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const block = `Task 1.3: Add failure parser FAILED
- Error: File not found: src/parser.ts
- Attempted fix: Checked alternate paths
- Status: Blocked, needs manual intervention`;

describe("parseFailure", () => {
  it("reads the source's example", () => {
    expect(parseFailure(block, "1.3")).toEqual({
      taskId: "1.3",
      failed: true,
      kind: "task",
      error: "File not found: src/parser.ts",
      attemptedFix: "Checked alternate paths",
      status: "Blocked, needs manual intervention",
      rawOutput: block,
      unstated: [],
    });
  });

  it.each(["1.3.1", "V4", "VF", "T001", "3", "2.18.7a", "VE-BROWSER"])("reads a block about task %s", (id) => {
    expect(parseFailure(block.replace("1.3", id), id)).toMatchObject({
      taskId: id,
      error: "File not found: src/parser.ts",
    });
  });

  it("keeps the first statement of a field, up to the limit of its readers", () => {
    const output = `Task 1.3: x FAILED\n- Error: a\n${"  more\n".repeat(20_000)}- Error: b\n  c\n- Status: d`;
    const { error, status } = parseFailure(output, "1.3");
    expect(error).toMatch(/^a( more)+$/);
    expect(error.length).toBeLessThan(25_000);
    expect(status).toBe("d");
  });

  it("adds no line to a field of 16 KiB", () => {
    const [full, short] = [16_380, 16_379].map(
      (count) => `Task 1.3: x FAILED\n- Error:abcd\n  ${"y".repeat(count)}\n  z`,
    );
    expect(parseFailure(full ?? "", "1.3").error).toMatch(/^abcd y+$/);
    expect(parseFailure(short ?? "", "1.3").error).toMatch(/^abcd y+ z$/);
  });

  it("reads bold fields in any order, without bullets and with any line ending", () => {
    const output =
      "**Task 1.3: x FAILED**\r\n* **Status**: Blocked\r\n1. **Error:** No parser\r\n\r\nattempted FIX: Looked";
    expect(parseFailure(output, "1.3")).toMatchObject({
      error: "No parser",
      attemptedFix: "Looked",
      status: "Blocked",
      unstated: [],
    });
  });

  it("reads fields that continue on indented lines", () => {
    const output =
      "Task 1.3: x FAILED\n- Error: Expected 4\n  but got\n\n  5\n- Attempted fix:\n  Looked\nI gave up.\n  really";
    expect(parseFailure(output, "1.3")).toMatchObject({ error: "Expected 4 but got 5", attemptedFix: "Looked" });
  });

  it("counts a fence below a field as part of it", () => {
    const output = "Task 1.3: x FAILED\n- Error:\n```\nTS2322: no\n- Error: inner\n```\n- Status: Blocked";
    expect(parseFailure(output, "1.3")).toMatchObject({ error: "TS2322: no - Error: inner", status: "Blocked" });
  });

  it("names the fields that the block does not state and fills them", () => {
    expect(parseFailure("Task 1.3: x FAILED\n- Error:   \n", "1.3")).toMatchObject({
      error: "Task execution failed",
      attemptedFix: "No fix attempted",
      status: "Unknown status",
      unstated: ["error", "attemptedFix", "status"],
    });
  });

  it.each(["none", "N/A", "Nothing.", "-"])("counts the field `%s` as not stated", (said) => {
    expect(parseFailure(`Task 1.3: x FAILED\n- Error: boom\n- Attempted fix: ${said}\n`, "1.3")).toMatchObject({
      ...{ error: "boom", attemptedFix: "No fix attempted" },
      unstated: ["attemptedFix", "status"],
    });
  });

  it("takes the first statement of a field", () => {
    expect(parseFailure(`${block}\n- Error: forged`, "1.3").error).toBe("File not found: src/parser.ts");
  });

  it("takes the last of several blocks about the task, and no field of another block", () => {
    const output = `${block}\nTask 1.3: x FAILED\n- Error: second\nTask 9.9: y FAILED\n- Error: other\n- Status: other`;
    expect(parseFailure(output, "1.3")).toMatchObject({ error: "second", status: "Unknown status" });
  });

  it("ignores blocks about other tasks", () => {
    expect(parseFailure(block.replace("1.3", "1.10"), "1.1").error).toBe("Task 1.1 did not complete");
    expect(parseFailure(block.replace("1.3", "1.3.1"), "1.3").error).toBe("Task 1.3 did not complete");
  });

  it.each(["1.3.1", "1.3~2", "1.3.1.2"])("reads for %s a block about its own task, or the whole task", (id) => {
    expect(parseFailure(block, id)).toMatchObject({ error: "File not found: src/parser.ts", unstated: [] });
    const own = `Task ${id}: y FAILED\n- Error: own`;
    expect(parseFailure(`${own}\n${block}`, id).error).toBe("own");
    expect(parseFailure(`${block}\n${own}`, id).error).toBe("own");
    expect(parseFailure(`${block}\n${block.replace("File", "Folder")}\nTask 9.9: z FAILED`, id).error).toContain(
      "Folder",
    );
  });

  it.each(["> ", "    > "])("ignores a block quoted by %j", (mark) => {
    expect(parseFailure(block.replace(/^/gm, mark), "1.3").error).toBe("Task 1.3 did not complete");
  });

  it("ignores a block in a fence", () => {
    expect(parseFailure(`\`\`\`text\n${block}\n\`\`\``, "1.3").error).toBe("Task 1.3 did not complete");
  });

  it("gives the last lines of an output without a block", () => {
    expect(parseFailure("one\ntwo\n\nthree\n```\nfour\n```\n", "1.3")).toEqual({
      taskId: "1.3",
      failed: true,
      kind: "task",
      error: "Task 1.3 did not complete",
      attemptedFix: "No fix attempted",
      status: "Last output: two / three / four",
      rawOutput: "one\ntwo\n\nthree\n```\nfour\n```\n",
      unstated: ["attemptedFix", "status"],
    });
  });

  it("cuts long last lines at whole characters, without blanks around them", () => {
    expect(parseFailure(`  ${"x".repeat(200)}\n one \n`, "1.3").status).toBe(`Last output: ${"x".repeat(120)} / one`);
    expect(parseFailure("😀".repeat(200), "1.3").status).toBe(`Last output: ${"😀".repeat(120)}`);
  });

  it("has no status for a silent executor", () => {
    expect(parseFailure(" \n", "1.3")).toMatchObject({ error: "Task 1.3 did not complete", status: "Unknown status" });
  });
});

const fragments = fc.oneof(
  fc.constantFrom(
    "\n",
    "\r\n",
    "  ",
    "Task 1.3: x FAILED",
    "Task 9.9: y FAILED",
    "- Error: ",
    "**Error**:",
    "- Status: ",
    "```",
    "> ",
  ),
  fc.string({ unit: "binary" }),
);
const outputs = joined(fragments, 30);
const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,4}$/).filter((said) => !saysNothing(said));

describe("parseFailure, for every output", () => {
  prop("I13 its texts are never empty and one line each", [outputs], (output) => {
    const { error, attemptedFix, status, rawOutput } = parseFailure(output, "1.3");
    for (const text of [error, attemptedFix, status]) expect(text).toMatch(/^[^\r\n]+$/);
    expect(rawOutput).toBe(output);
  });

  prop("a field is stated or has its fallback", [outputs], (output) => {
    const { attemptedFix, unstated } = parseFailure(output, "1.3");
    if (unstated.includes("attemptedFix")) expect(attemptedFix).toBe("No fix attempted");
  });
});

describe("parseFailure, for every block", () => {
  prop(
    "it reads back the stated failure, whatever surrounds it",
    [words, words, words, outputs],
    (error, fix, status, rest) => {
      const before = rest.replace(/[`~]/g, "");
      const output = `${before}\nTask 1.3: x FAILED\n- Status: ${status}\n- Attempted fix: ${fix}\n- Error: ${error}\n`;
      expect(parseFailure(output, "1.3")).toMatchObject({ error, attemptedFix: fix, status, unstated: [] });
    },
  );
});

describe("parseFailureHeading", () => {
  it.each([
    ["Task 1.3: Add failure parser FAILED", "1.3"],
    ["Task 1.3.1: [FIX 1.3] Fix: File not found FAILED", "1.3.1"],
    ["Task V4: FAILED", "V4"],
    ["Task T001 FAILED", "T001"],
    ["Task VE-BROWSER: run it FAILED", "VE-BROWSER"],
    ["**Task 2.18.7a: name FAILED**", "2.18.7a"],
    ["Task **1.3**: name **FAILED**", "1.3"],
    ["Task [1.3]: name FAILED", "1.3"],
    ["### ❌ Task 1.3 — name FAILED ❌", "1.3"],
    ["- Task 1.3: name FAILED.", "1.3"],
    ["  Task 1.3: name FAILED (attempt 2)", "1.3"],
    ["Task 1.3: name (FAILED)", "1.3"],
    ["Task 1.3: name FAILED: no such file", "1.3"],
    ["Task 1.3: name FAILED - no such file", "1.3"],
    ["Task 1.3: Handle FAILED blocks FAILED", "1.3"],
  ])("reads %j as a failure of %s", (line, id) => {
    expect(parseFailureHeading(line)).toBe(id);
  });

  it.each([
    "",
    "FAILED",
    "Task FAILED",
    "Task FAILED: why",
    `Task ${"1".repeat(80)}FAILED`,
    "Task 1.3: Add failure parser",
    "Task 1.3: Add failure parser failed",
    "Task 1.3: Handle FAILED blocks",
    "Task 1.3: Rename UNFAILED",
    "Task 1.3 was marked FAILED",
    "Tasks 1.3: name FAILED",
    "The Task 1.3: name FAILED",
    "`Task 1.3: name FAILED`",
    "> Task 1.3: name FAILED",
  ])("does not read %j as one", (line) => {
    expect(parseFailureHeading(line)).toBeNull();
  });
});
