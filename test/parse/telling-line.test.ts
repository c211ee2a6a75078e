import { describe, expect, it } from "vitest";
import { findingsIn, tellingLine } from "../../src/parse/telling-line.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const fence = (...lines: string[]): string => ["```", ...lines, "```"].join("\n");

describe("tellingLine", () => {
  it.each([
    [
      "inside of the last fence",
      `The compiler stops here:\n\n${fence("main.c:4: unknown type")}`,
      "main.c:4: unknown type",
    ],
    ["of the last of several fences", `${fence("error: a")}\n\nThen:\n${fence("error: b")}`, "error: b"],
    ["with error words before the rest of a fence", fence("make: *** Error 2", "real 0m1s"), "make: *** Error 2"],
    [
      "at the end of a fence without error words",
      `It stops:\n${fence("one", "linker: libfoo.so")}\n`,
      "linker: libfoo.so",
    ],
    ["of an open fence", "So:\n```\nTypeError: x is not a function", "TypeError: x is not a function"],
    [
      "above a stack",
      fence("TypeError: boom", "    at f (a.js:1:2)", "    at g (b.js:1:2)", "Node.js v24"),
      "TypeError: boom",
    ],
    [
      "with error words",
      "I tried.\nThe build failed with code 2.\n\nThat is what I saw.",
      "The build failed with code 2.",
    ],
    [
      "that begins the last paragraph",
      "First I looked.\n\nThe socket is closed.\nIt stays so.",
      "The socket is closed.",
    ],
    ["that begins the last list", "What I see:\n\n- the socket is closed\n- so is the file", "the socket is closed"],
    ["before an offer", "The socket is closed.\n\nTell me if I should carry on!", "The socket is closed."],
    ["before courtesy", "The socket is closed.\n\nLet me know what you think.\n\nThanks!", "The socket is closed."],
    ["before a question", "The socket is closed.\n\nWhich port should I use?", "The socket is closed."],
    ["before a rule", "The socket is closed.\n\n---\n", "The socket is closed."],
    ["before a table", "The socket is closed.\n\n| a | b |\n|---|---|\n| 1 | error |", "The socket is closed."],
    ["before a heading", "The socket is closed.\n\n## Next steps", "The socket is closed."],
    ["before a signal", "The socket is closed.\n\nVERIFICATION_FAIL\n", "The socket is closed."],
    ["before a bare heading of a failure", "The socket is closed.\n\nTask 1.1: x FAILED", "The socket is closed."],
    ["without emphasis", "**The socket is closed**", "The socket is closed"],
    ["outside of quotes", "The socket is closed.\n\n> error: a", "The socket is closed."],
  ])("is the line %s", (_, text, line) => {
    expect(tellingLine(text)).toBe(line);
  });

  it.each([
    "",
    "\n \n",
    "```",
    "```\n```",
    "---\n===\n***",
    "| a |\n|---|",
    "# Summary",
    "> error: a",
    "TASK_COMPLETE",
    "**VERIFICATION_FAIL**",
    "Task 1.1: x FAILED",
    "Should I go on?",
    "**Which one?**",
    "Here it is:",
    ...["Tell me if I should carry on!", "Let me know.", "Please tell me more.", "Feel free to ask.", "Happy to help."],
    ...["I'd be happy to go on.", "I’m ready when you are.", "If you want, I can go on.", "I can go on if you like."],
    ...["Thank you!", "Thanks.", "Sorry about that.", "I hope this helps.", "Just say the word.", "Over to you."],
    "1. ✗",
    fence("^^^^", "}", "    at f (a.js:1)", '  File "a.py", line 1'),
  ])("finds no line in %j", (text) => {
    expect(tellingLine(text)).toBeNull();
  });

  prop("it is an informative part of the message", [hostileTexts], (text) => {
    const line = tellingLine(text);
    if (line === null) return;
    expect(text).toContain(line);
    expect(line).toMatch(/[\p{L}\p{N}]/u);
    expect(line).not.toMatch(/^(?:`{3}|~{3})/);
  });
});

describe("findingsIn", () => {
  it.each([
    ["The page is empty.\n\nVERIFICATION_FAIL", "The page is empty."],
    ["Looked.\n\n- a leaks\n- `b` is empty\n\n**VERIFICATION_FAIL**", "a leaks; `b` is empty"],
    ["Looked.\n\n1. a leaks\n2. b is empty\n\nLet me know.\nVERIFICATION_FAIL", "a leaks; b is empty"],
    ["VERIFICATION_FAIL\n\nThe page is empty.\nSo is the list.", "The page is empty. So is the list."],
  ])("of %j are %j", (text, findings) => {
    expect(findingsIn(text)).toBe(findings);
  });

  it("are none without text outside of fences", () => {
    expect(findingsIn("VERIFICATION_FAIL")).toBeNull();
    expect(findingsIn(`${fence("error: a")}\nVERIFICATION_FAIL`)).toBeNull();
  });
});
