import { describe, expect, it } from "vitest";
import { readRealityCheck } from "../../../src/markdown/progress/reality-check.ts";
import { hostileTexts, progressLogs, tornTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const read = (...lines: string[]) =>
  readRealityCheck(["# P", "", "## Reality Check (BEFORE)", ...lines, ""].join("\n"));

describe("readRealityCheck", () => {
  it("reads the form of the source system", () => {
    const log = [
      "# Progress",
      "",
      "## Reality Check (BEFORE)",
      "",
      "**Goal type**: Fix",
      "**Reproduction command**: `npm test -- parser`",
      "**Exit code**: 1",
      "**Output**:",
      "```",
      "1 failed",
      "```",
      "",
      "## Learnings",
      "- Command: `other`",
    ].join("\n");
    expect(readRealityCheck(log)).toEqual({ command: "npm test -- parser" });
  });

  it.each([
    ["- Command: `npm test`"],
    ["* **Command**: `npm test` (exit 1)"],
    ["1. Command: run `npm test`"],
    ["- __Reproduction command (CI)__: ``npm test``"],
    ["**Command:** `npm test`"],
    ["- **Repro**:\n  - Command: `npm test`"],
    ["**Commands**:\n`npm test`"],
    ["**Command**:\n\n```bash\nnpm test\n```"],
    ["**Command**:\n\nFrom the root\n\n```\nnpm test\n```"],
    ["- Command:\n  ```sh\n  $ npm test\n  ```"],
    ["Command: none\n\nCommand: `npm test`"],
    ["Command: ` `, `x\n\nCommand: `npm test`"],
    ["Command: ```run `npm test`"],
    ["> Command: `quoted`\n\nCommand: `npm test`"],
    ["**Goal type**: Fix\n\n```bash\n# the bug\nnpm test\n```"],
    ["```bash\n# the bug\n\nnpm test\n```"],
    ["**Output**:\n\n```\nfailed\n```\n\n```\nnpm test\n```"],
    ["```json\n{}\n```\n\n```\nnpm test\n```"],
    ["    indented\n\n```\nnpm test\n```"],
    ["```\n\n```\n\n```\nnpm test\n```"],
    ["**Output**:\nfailed\n\n```\nnpm test\n```"],
    ["```\nnpm test\n```\n\n```\nother\n```"],
    ["**Command**:\n\n```text\nfailed\n```\n\n```\nnpm test\n```"],
  ])("reads %j", (section) => {
    expect(read(section)).toEqual({ command: "npm test" });
  });

  it("reads several lines after a label", () => {
    expect(read("**Command**:", "```sh", "cd a", "", "npm test", "```")).toEqual({ command: "cd a\n\nnpm test" });
  });

  it("reads several lines after a label and text below it", () => {
    expect(read("**Command**:", "From the root", "```", "cd a", "npm test", "```")).toEqual({
      command: "cd a\nnpm test",
    });
  });

  it("keeps the indentation of a line beyond that of its fence", () => {
    expect(read("- Command:", "  ```", "  if cd a; then", "    npm test", "  fi", "  ```")).toEqual({
      command: "if cd a; then\n  npm test\nfi",
    });
  });

  it("keeps backticks and backslashes of a command", () => {
    expect(read("Command: ``grep '`\\d' a``")).toEqual({ command: "grep '`\\d' a" });
  });

  it("reads a dollar as a prompt only at the start of a line", () => {
    expect(read("Command:", "```", "$ cd a", "grep '$ ' b", "```")).toEqual({ command: "cd a\ngrep '$ ' b" });
  });

  it("reads only the start of a long line", () => {
    expect(read(`Command: ${"a ".repeat(10_000)} \`npm test\``)).toBeNull();
    expect(read(`Command: \`npm test\` ${"a ".repeat(10_000)}`)).toEqual({ command: "npm test" });
  });

  it.each([
    ["**No reproduction needed**: This is a feature, not a fix"],
    ["Command: npm test"],
    ["**Reproduction**: `npm test`"],
    ["Command: `npm test"],
    ["```\ncd a\nnpm test\n```"],
    ["```\nnpm test"],
    ["**Output**:\n```\nfailed\n```"],
    ["It fails with `TypeError`"],
    ["- Command:\n  ```\n  npm test\n  cd a\n\nNothing else."],
    ["Command:\n\nIt fails with `TypeError`"],
    ["`TypeError` is thrown"],
    ["**Output**:\n`TypeError`"],
    ["**Command**:\n```\n\n```"],
    ["    In a:\n    npm test\n    1 failed"],
    ["> quoted\n\n```text\nCommand: `printed`\n```"],
    ["<!-- Command: `npm test` -->"],
    [""],
  ])("finds no command in %j", (section) => {
    expect(read(section)).toBeNull();
  });

  it("is null without the section", () => {
    expect(readRealityCheck("")).toBeNull();
    expect(readRealityCheck("## Reality Check (AFTER)\nCommand: `x`\n")).toBeNull();
    expect(readRealityCheck("```\n## Reality Check (BEFORE)\nCommand: `x`\n```\n")).toBeNull();
  });

  prop("reads any text, and a command that it contains", [progressLogs, hostileTexts, tornTexts], (log, said, torn) => {
    const text = `${log}\n## Reality Check (BEFORE)\n${said}\n${torn}\n`;
    const command = readRealityCheck(text)?.command ?? "";
    for (const line of command.split(/\r\n|\r|\n/)) expect(text).toContain(line.trim());
  });
});
