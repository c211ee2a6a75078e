import { describe, expect, it } from "vitest";
import { isTooDeep, openYaml } from "../../../src/adapters/settings/recovery-map.ts";

const lines = (line: string, count: number): string => line.repeat(count);

describe("isTooDeep", () => {
  it.each([
    ["brackets", (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`],
    ["braces", (n: number) => `${"{a: ".repeat(n)}1${"}".repeat(n)}`],
    ["brackets after more that close than open", (n: number) => `a: ]]\n${"[".repeat(n)}`],
    ["blanks before a line", (n: number) => `a:\n${" ".repeat(n)}b`],
    ["blanks before a line with CRLF", (n: number) => `a:\r\n${" ".repeat(n)}b`],
    ["marks of lists", (n: number) => `${"- ".repeat(n)}a`],
    ["marks of keys", (n: number) => `${"? ".repeat(n)}a`],
    ["marks after blanks", (n: number) => `a:\n${" ".repeat(50)}${"- ".repeat(n - 50)}a`],
    ["brackets after blanks", (n: number) => `a:\n${" ".repeat(50)}${"[".repeat(n - 50)}`],
  ])("counts 100 levels, and no more: %s", (_, nested) => {
    expect([isTooDeep(nested(100)), isTooDeep(nested(101))]).toEqual([false, true]);
  });

  it.each([
    ["sibling lists", `[${lines("[], ", 150)}{}]`],
    ["sibling maps", `[${lines("{}, ", 150)}[]]`],
    ["fields in braces", `{${lines("a: 1, ", 150)}b: 1}`],
    ["items of a list", lines("- a\n", 150)],
    ["items of a list with CRLF", lines("- a\r\n", 150)],
    ["blanks within a line", `a:${" ".repeat(150)}b`],
    ["blanks after a mark", `-${" ".repeat(150)}b`],
    ["words", lines("a ", 150)],
  ])("does not count width as depth: %s", (_, text) => {
    expect(isTooDeep(text)).toBe(false);
  });
});

describe("openYaml", () => {
  const malformed = (message: string | RegExp) =>
    expect.objectContaining({
      code: "yaml-malformed",
      message: typeof message === "string" ? message : expect.stringMatching(message),
      hint: expect.stringContaining("by hand"),
    });

  it("reads a document, an empty one as well", () => {
    expect(openYaml("a: 1\n").document.toJS()).toEqual({ a: 1 });
    expect(openYaml("").document.toJS()).toBeNull();
    expect(openYaml(`a: ${"b".repeat(32 * 1024 - 3)}`).document.errors).toEqual([]);
  });

  it.each([
    ["too long", "a".repeat(32 * 1024 + 1), "Cannot read YAML, expected at most 32768 characters"],
    ["too deep", "[".repeat(101), "Cannot read YAML, expected less nesting"],
    ["wrong in its twelfth line", `${lines("a: 1\n", 1)}${lines("# b\n", 10)}c: [1\n`, / \(line 1[23]\)$/],
    ["two documents", "a: 1\n---\nb: 1\n", /^Cannot read YAML: .*documents/],
    ["a bomb of aliases", `a: &a [1]\n${lines("b: *a\n", 1)}c: &c [${lines("*a, ", 99)}1]\nd: [*c, *c, *c]\n`, /alias/],
  ])("refuses a document that is %s, with its line if that is known", (_, text, message) => {
    expect(() => openYaml(text)).toThrow(malformed(message));
  });

  it("reports the problem in one line, and its position only once", () => {
    const text = `${lines("# b\n", 11)}a: 1\na: 2\n`;
    expect(() => openYaml(text)).toThrow(malformed("Cannot read YAML: Map keys must be unique (line 13)"));
  });

  it("reports the position of a node that cannot be used", () => {
    const { document, malformed: refuse } = openYaml("a: 1\nb: 2\n");
    expect(refuse(document.get("b", true), "b", "a text")).toMatchObject({
      message: "Cannot use `b`, expected a text (line 2)",
    });
    for (const node of [undefined, "b", document.createNode("new")]) {
      expect(refuse(node, "b", "a text")).toMatchObject({ message: "Cannot use `b`, expected a text" });
    }
  });
});
