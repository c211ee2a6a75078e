import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../src/markdown/encode-text.ts";
import { plainLine } from "../../src/markdown/plain-line.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

/** What a reader sees; code spans without their marks. */
function seen(node: Nodes): string {
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  return "children" in node && ["root", "paragraph"].includes(node.type)
    ? node.children.map(seen).join("")
    : `<${node.type}>`;
}
const bare = (text: string): string => text.replace(/[`\s]/g, "");

describe("encodeText", () => {
  it.each([
    "File not found: src/parser.ts",
    "TypeError: Cannot read properties of undefined (reading 'id')",
    "src/a.ts(12,5): error TS2339: Property 'x' does not exist on type 'Y'.",
    "expect(received).toBe(expected) // Object.is equality",
    "npm ERR! code ELIFECYCLE",
    "FAIL test/foo_bar.test.ts > adds 2 * 3 * 4",
    "error[E0382]: borrow of moved value: `x`",
    "C:\\Users\\me\\project not found",
    "AssertionError: 1 != 2 at tests/test_a.py:10",
    "bash: foo: command not found",
    "[ERROR] arr[0] is 50% of $HOME & ~/x | y",
    "foo_bar* and #12, a=b {x} <= =>",
  ])("leaves %j as it is", (text) => {
    expect(encodeText(text, "x ")).toBe(text);
  });

  it.each([
    ["Promise<string>", "Promise\\<string>"],
    ["- [x] 1.3 done", "- \\[x\\] 1.3 done"],
    ["[VERIFY] and [FIX 1.3]", "\\[VERIFY\\] and \\[FIX 1.3\\]"],
    ["TASK_COMPLETE", "TASK\\_COMPLETE"],
    ["<!-- a", "<\\!-- a"],
    ["__init__()", "\\_\\_init__()"],
    ["[a](b)", "\\[a](b)"],
    ["&amp;", "\\&amp;"],
    ["\\*", "\\\\*"],
    ["\\[x]", "\\\\\\[x\\]"],
    ["`[x]`", "\\`\\[x\\]`"],
  ])("writes %j as %j", (text, expected) => {
    expect(encodeText(text, "x ")).toBe(expected);
  });

  it("looks at what stands behind the text", () => {
    expect(encodeText("a\\", 'x "', '" b')).toBe("a\\\\");
    expect(encodeText("a `b", 'x "', '" `c')).toBe("a \\`b");
  });

  it("escapes everything when the text would not even be a paragraph", () => {
    expect(encodeText("# a", "")).toBe("\\# a");
    expect(encodeText("***", "")).toBe("\\*\\*\\*");
  });
});

describe("encodeText, for every output of an executor", () => {
  prop("I13: reads as the plain line it was made from", [hostileTexts], (text) => {
    const line = plainLine(text, 500);
    const source = `Error "${encodeText(line, 'Error "', '" no')}" no longer`;
    expect(bare(seen(fromMarkdown(source)))).toBe(bare(`Error "${line}" no longer`));
    expect(source).not.toMatch(/(?<!\\)\[[ xX]\]|TASK_COMPLETE/);
  });
});
