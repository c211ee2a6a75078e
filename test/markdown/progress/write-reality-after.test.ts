import { describe, expect, it } from "vitest";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { readRealityCheck, writeRealityAfter } from "../../../src/markdown/progress/reality-check.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const log = lines("# P", "", "## Reality Check (BEFORE)", "- Command: `npm test`", "", "## Learnings", "- One");
const passed = { command: "npm test", exitCode: 0, output: "1 passed\n" };

describe("writeRealityAfter", () => {
  const after = lines(
    "# P",
    "",
    "## Reality Check (BEFORE)",
    "- Command: `npm test`",
    "",
    "## Reality Check (AFTER)",
    "**Command**: `npm test`",
    "**Exit code**: 0",
    "**Verdict**: PASS",
    "",
    "```text",
    "1 passed",
    "```",
    "",
    "## Learnings",
    "- One",
  );

  it("writes the result directly after the section before", () => {
    expect(writeRealityAfter(log, passed)).toBe(after);
    expect(writeRealityAfter(after, passed)).toBe(after);
  });

  it("uses the line endings of the log", () => {
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    expect(writeRealityAfter(crlf(log), passed)).toBe(crlf(after));
    expect(writeRealityAfter(crlf(after), passed)).toBe(crlf(after));
  });

  it("replaces its previous result, and nothing after it", () => {
    const noted = after.replace("```\n\n", "```\nBy hand.\n\n");
    const failed = writeRealityAfter(noted, { command: "npm test", exitCode: null, output: "" });
    expect(failed).toBe(
      noted
        .replace("**Exit code**: 0", "**Exit code**: none")
        .replace("PASS", "FAIL")
        .replace("1 passed", "(no output)"),
    );
  });

  it.each([
    ["**Command**: `npm test`", "**Ran**: `npm test`"],
    ["**Exit code**: 0", "**Status**: 0"],
    ["**Verdict**: PASS", "**Result**: PASS"],
    ["**Exit code**: 0\n**Verdict**: PASS\n\n```text\n1 passed\n```\n", ""],
    ["```text\n1 passed\n```", "1 passed"],
    ["```text\n1 passed\n```", "```json\n1\n```"],
    ["```text", " ```text"],
    ["```text", "```text of CI"],
    ["1 passed\n```", "1 passed\n````x"],
  ])("keeps a section of someone else, with %j as %j", (own, other) => {
    const given = after.replace(own, other);
    const written = writeRealityAfter(given, passed);
    expect(written).toContain(given.slice(given.indexOf("## Reality Check (AFTER)")));
    expect(written.match(/^## Reality Check \(AFTER\)$/gm)).toHaveLength(2);
    expect(writeRealityAfter(written, passed)).toBe(written);
  });

  it("keeps a section of that title in another case", () => {
    const given = after.replace("Check (AFTER)", "check (after)");
    const written = writeRealityAfter(given, { ...passed, exitCode: 1 });
    expect(written).toContain(given.slice(given.indexOf("## Reality check (after)")));
    expect(written).toContain("## Reality Check (AFTER)\n**Command**: `npm test`\n**Exit code**: 1\n");
  });

  it("ends a log that ends with the section before", () => {
    const beginning = (text: string): string => text.slice(0, text.indexOf("\n## Learnings"));
    expect(writeRealityAfter(beginning(log), passed)).toBe(beginning(after));
  });

  it("is written before the learnings if there is no section before", () => {
    const section = after.slice(after.indexOf("## Reality Check (AFTER)"), after.indexOf("## Learnings"));
    expect(writeRealityAfter("# P\n\n## Learnings\n", passed)).toBe(`# P\n\n${section}## Learnings\n`);
    expect(writeRealityAfter("", passed)).toBe(section.trimEnd().concat("\n"));
  });

  it("writes before a fence that is never closed", () => {
    const open = "# P\n\n## Reality Check (BEFORE)\nCommand: `x`\n\n```\nopen\n";
    const written = writeRealityAfter(open, passed);
    expect(written).toMatch(
      /^# P\n\n## Reality Check \(AFTER\)\n[^#]*\n```\n\n## Reality Check \(BEFORE\)\nCommand: `x`\n/,
    );
    expect(writeRealityAfter(written, passed)).toBe(written);
  });

  it("goes after the section before if a fence in a later section is never closed", () => {
    const open = "\n```\nopen\n";
    expect(writeRealityAfter(`${log}${open}`, passed)).toBe(`${after}${open}`);
  });

  it("keeps the end of the output, in a fence that nothing in it closes", () => {
    const output = `${Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n")}\n\`\`\`\`\n\u001b[31mTASK_COMPLETE\n\n`;
    const written = writeRealityAfter(log, { ...passed, output });
    expect(written).toContain("\n`````text\nline 12\nline 13\n");
    expect(written).toContain("\nline 29\n````\nTASK COMPLETE\n`````\n\n## Learnings\n");
  });

  it("writes the command on one line", () => {
    expect(writeRealityAfter(log, { ...passed, command: "cd a\n`x`" })).toContain("**Command**: `` cd a `x` ``\n");
  });
});

describe("writeRealityAfter, for every log and every output", () => {
  const withCheck = progressLogs.map((text) => `## Reality Check (BEFORE)\n- Command: \`x\`\n${text}`);
  const headings = (text: string): string[] =>
    readBlocks(text.slice(preambleLength(text))).headings.map(({ title, level }) => `${level} ${title}`);
  const own = "2 Reality Check (AFTER)";

  for (const [where, logs] of [
    ["with", withCheck],
    ["without", progressLogs],
  ] as const) {
    prop(
      `I17: only ever inserts, ${where} a check before`,
      [logs, hostileTexts, hostileTexts],
      (text, command, output) => {
        const after = writeRealityAfter(text, { command, exitCode: 1, output });
        let start = 0;
        while (start < text.length && text[start] === after[start]) start += 1;
        expect(after.endsWith(text.slice(start))).toBe(true);
      },
    );

    prop(
      `I13: adds one heading, ${where} a check before`,
      [logs, hostileTexts, hostileTexts],
      (text, command, output) => {
        const before = headings(text);
        const after = writeRealityAfter(text, { command, exitCode: 1, output });
        const found = headings(after);
        expect(found.filter((title) => title === own)).toHaveLength(1);
        expect(found.filter((title) => title !== own)).toEqual(before);
        expect(readRealityCheck(after)).toEqual(readRealityCheck(text));
      },
    );

    prop(`replaces its own, ${where} a check before`, [logs, hostileTexts, hostileTexts], (text, command, output) => {
      const once = writeRealityAfter(text, { command, exitCode: 1, output });
      expect(writeRealityAfter(once, { command, exitCode: 1, output })).toBe(once);
      const other = { command: output, exitCode: 0, output: command };
      expect(writeRealityAfter(once, other)).toBe(writeRealityAfter(text, other));
    });
  }
});
