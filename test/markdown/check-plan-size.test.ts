import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, readTree } from "../../src/markdown/blocks/read-tree.ts";
import { checkPlanSize } from "../../src/markdown/check-plan-size.ts";
import { prop } from "../support/prop.ts";

const nested = (depth: number, line: (level: number) => string): string =>
  Array.from({ length: depth }, (_, level) => line(level)).join("\n");

const ways: Readonly<Record<string, (depth: number) => string>> = {
  "two blanks": (depth) => nested(depth, (level) => `${"  ".repeat(level)}- [ ] a`),
  tabs: (depth) => nested(depth, (level) => `${"\t".repeat(level)}- a`),
  numbers: (depth) => nested(depth, (level) => `${"   ".repeat(level)}1. a`),
  "one line": (depth) => `${"- ".repeat(depth)}a`,
  quotes: (depth) => `${">".repeat(depth)}a`,
  "quotes and items": (depth) =>
    nested(depth, (level) => `${"> ".repeat(Math.ceil(level / 2))}${"- ".repeat(level / 2)}- a`),
  "items after quotes": (depth) => nested(depth - 1, (level) => `> ${"  ".repeat(level)}* a`),
  "Windows line endings": (depth) => nested(depth, (level) => `${"  ".repeat(level)}+ a\r`),
};

const depthOf = ({ type, children }: Block): number =>
  (type === "listItem" || type === "blockquote" ? 1 : 0) + Math.max(0, ...children.map(depthOf));

const codeOf = (markdown: string): string | null => {
  try {
    checkPlanSize(markdown);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("checkPlanSize", () => {
  it.each(Object.entries(ways))("accepts 64 levels and no more: %s", (_, write) => {
    expect(codeOf(write(64))).toBeNull();
    const text = write(65);
    expect(codeOf(text)).toBe(depthOf(readTree(text)) > 64 ? "plan-too-deep" : null);
    expect(codeOf(write(99))).toBe("plan-too-deep");
  });

  it("reads to a last line without an ending, whatever endings the others have", () => {
    expect(["- [ ] a\n- [ ] b", "- [ ] a\r\n- [ ] b", "- [ ] a\r- [ ] b"].map(codeOf)).toEqual([null, null, null]);
  });

  it("reports the line, with front matter counted", () => {
    const text = `---\ntitle: a\n---\n# Tasks\n\n${ways["two blanks"]?.(70)}\n`;
    expect(() => checkPlanSize(text, "`tasks.md`")).toThrow(
      expect.objectContaining({
        blame: "input",
        message: "Cannot use `tasks.md`, expected no more than 64 levels of nested lists and quotes: line 70 has more",
      }),
    );
  });

  it("accepts what only looks deep: code, rules, wide tables, text", () => {
    for (const line of [" ".repeat(400), "\t".repeat(80), "-".repeat(300), "*".repeat(300), `${"1.".repeat(90)} a`]) {
      expect(codeOf(`- [ ] 1.1 A\n\n${line}x\n${line}\n`)).toBeNull();
    }
    expect(codeOf(`\`\`\`\n${ways["two blanks"]?.(100)}\n\`\`\`\n`)).toBeNull();
  });

  it("accepts 500 000 items, and 16 MiB, and no more", () => {
    expect(codeOf("- a\n".repeat(500_000))).toBeNull();
    expect(codeOf("- a\n".repeat(500_001))).toBe("plan-too-large");
    expect(codeOf("- - a\n".repeat(250_001))).toBe("plan-too-large");
    expect(codeOf("x".repeat(16 * 1024 * 1024))).toBeNull();
    expect(codeOf("x".repeat(16 * 1024 * 1024 + 1))).toBe("plan-too-large");
  });

  const start = fc.constantFrom("  ", "    ", "\t", "- ", "* ", "1. ", "12) ", "> ", ">", "-", "   ", "");
  const line = fc.tuple(fc.array(start, { maxLength: 90 }), fc.constantFrom("a", "[ ] a", "", "```", "# a"));
  prop("agrees with the parser on every nesting", [fc.array(line, { minLength: 1, maxLength: 12 })], (lines) => {
    const text = lines.map(([starts, rest]) => `${starts.join("")}${rest}`).join("\n");
    expect(codeOf(text)).toBe(depthOf(readTree(text)) > 64 ? "plan-too-deep" : null);
  });
});
