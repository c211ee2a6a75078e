import { describe, expect, it } from "vitest";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";

describe("readVerify", () => {
  it.each([
    ["`npm test`", "npm test"],
    ["`npm test`.", "npm test"],
    ["`` echo `date` ``", "echo `date`"],
    ["` a `", "a"],
    ["`  a `", " a"],
    ["` a`.", " a"],
    ["`npm test `", "npm test "],
    ["`a\tb`", "a\tb"],
    ["`a\0b`", "a\uFFFDb"],
    ["`npm test` && `npm run lint`", "npm test && npm run lint"],
    ["`a` && `b`&&`c`.", "a && b && c"],
    ["`grep -c '\\*' a && echo \"$x\"`", "grep -c '\\*' a && echo \"$x\""],
    ["```bash\nset -e\nnpm test\n```", "set -e\nnpm test"],
    ["```\n    if a; then\n      b\n    fi\n    ```", "if a; then\n  b\nfi"],
    ["~~~sh\r\na\r\n\r\nb\r\n~~~", "a\n\nb"],
    ["```bash\na\n```\n\n.", "a"],
    ["`npm test` exits 0", "npm test"],
    ["`npm test` exits with code 0.", "npm test"],
    ["`a` && `b` pass", "a && b"],
    ["`npm test` succeeds", "npm test"],
    ["`npm test` should pass", "npm test"],
  ])("runs the code %j", (value, command) => {
    expect(readVerify(value)).toEqual({ kind: "command", command, word: null });
  });

  it.each([
    ["npm test", "npm test", "npm"],
    ["npm test.", "npm test", "npm"],
    ["go test ./...", "go test ./...", "go"],
    ["cp a .", "cp a .", "cp"],
    ["ls ~/.config", "ls ~/.config", "ls"],
    ["\u00A0npm test", "\u00A0npm test", "\u00A0npm test"],
    ['grep -q "a*b" x.md', 'grep -q "a*b" x.md', "grep"],
    ["CI=1 NAME='a b' npm test", "CI=1 NAME='a b' npm test", "npm"],
    ["! grep x y", "! grep x y", "grep"],
    ["(cd a && make)", "(cd a && make)", "cd"],
    ["Check that it works", "Check that it works", "Check"],
    ["A=1", "A=1", "A=1"],
    ["(", "(", "("],
  ])("runs the bare line %j if its first word is a command", (value, command, word) => {
    expect(readVerify(value)).toEqual({ kind: "command", command, word });
  });

  it.each([
    [undefined, "the task has none"],
    [" \n", "the task has none"],
    ["`npm test` passes on CI", "there is text outside of its code: passes on CI"],
    ["`npm test` exits 1", "there is text outside of its code: exits 1"],
    ["Run `npm test`", "there is text outside of its code: Run"],
    ["`a` || `b`", "there is text outside of its code: ||"],
    ["`a` &&", "there is text outside of its code: &&"],
    ["`a` **and** `b`", "there is text outside of its code: **and**"],
    ["`a` `b`", "there is text outside of its code"],
    ["`a`**and** `b`", "there is text outside of its code: **and**"],
    ["`a`  \n`b`", "there is text outside of its code"],
    ["`a`\n\n`b`", "there is text outside of its code: `b`"],
    ["`a`\n\n.", "there is text outside of its code: ."],
    ["- `a`", "there is text outside of its code: - `a`"],
    ["[a]: `b`", "there is text outside of its code: [a]: `b`"],
    ["```\na\n```\nthen look\nagain", "there is text outside of its code: then look"],
    ["```\na\n```\n```\nb\n```", "there is text outside of its code: ```"],
    ["```\na\n```\n.`b`", "there is text outside of its code: .`b`"],
    ["```\na\n```\n\n`.`", "there is text outside of its code: `.`"],
    [`\`a\` ${"x".repeat(40)}`, `there is text outside of its code: ${"x".repeat(40)}`],
    [`\`a\` ${"\u{1F600}".repeat(50)}`, `there is text outside of its code: ${"\u{1F600}".repeat(39)}…`],
    ["npm test\nnpm run lint", "it has several lines without a code fence"],
    ["```bash\nnpm test", "its fence is not closed"],
    ["```\nnpm test", "its fence is not closed"],
    ["```python\nprint()\n```", "its fence contains python, not shell commands"],
    ["```\n```", "its code is empty"],
    ["` `", "its code is empty"],
    ["`a` && ` `", "its code is empty"],
  ])("does not run %j", (value, reason) => {
    expect(readVerify(value)).toEqual({ kind: "unrunnable", reason });
  });

  it("runs a command of maximum length", () => {
    const source = (path: string): string => `\`cd a\` && \`ls ${path}\``;
    const path = "x".repeat(32_768 - source("").length);
    expect(readVerify(source(path))).toEqual({ kind: "command", command: `cd a && ls ${path}`, word: null });
  });

  it("runs one code span of any length", () => {
    const script = `printf ${"x".repeat(40_000)}`;
    expect(readVerify(`\`${script}\``)).toEqual({ kind: "command", command: script, word: null });
  });

  it("does not run text that a person would not see", () => {
    expect(readVerify("`true` ".repeat(5000))).toEqual({
      kind: "unrunnable",
      reason: "it has more than 32768 characters",
    });
  });
});
