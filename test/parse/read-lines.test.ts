import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/parse/read-lines.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const kinds = (text: string): string[] => readLines(text).map(({ kind, text: line }) => `${kind} ${line}`);

describe("readLines", () => {
  it("splits at every line ending", () => {
    expect(kinds("a\nb\r\nc\rd")).toEqual(["spoken a", "spoken b", "spoken c", "spoken d"]);
  });

  it("keeps an empty message as one empty line", () => {
    expect(kinds("")).toEqual(["spoken "]);
  });

  it.each(["```", "~~~", "  ```ts", "````"])("tells what stands in a fence opened by %j", (mark) => {
    const fence = mark.trim().replace("ts", "");
    expect(kinds(`a\n${mark}\nb\n${fence}\nc`)).toEqual(["spoken a", "fenced b", "spoken c"]);
  });

  it("closes a fence with at least as many marks of the same kind and nothing behind them", () => {
    expect(kinds("````\na\n```\n~~~~\n```` b\n`````  \nc")).toEqual([
      "fenced a",
      "fenced ```",
      "fenced ~~~~",
      "fenced ```` b",
      "spoken c",
    ]);
  });

  it("lets an unclosed fence reach to the end", () => {
    expect(kinds("```\na\n\nb")).toEqual(["fenced a", "fenced ", "fenced b"]);
  });

  it("takes a code span of three backticks for text", () => {
    expect(kinds("```a``` b\nc")).toEqual(["spoken ```a``` b", "spoken c"]);
  });

  it("opens a fence of tildes whatever stands behind them", () => {
    expect(kinds("~~~ a`b`\nc\n~~~\nd")).toEqual(["fenced c", "spoken d"]);
  });

  it("tells quoted lines, also indented ones", () => {
    expect(kinds("> a\n  > b\n>\nc > d")).toEqual(["quoted > a", "quoted   > b", "quoted >", "spoken c > d"]);
  });

  it("opens no fence inside a quote", () => {
    expect(kinds("> ```\na")).toEqual(["quoted > ```", "spoken a"]);
  });

  it("cuts a line of more than 16 KiB and marks the cut", () => {
    const [line] = readLines(`TASK_COMPLETE${" ".repeat(20_000)}not`);
    expect(line?.text).toBe(`TASK_COMPLETE${" ".repeat(16 * 1024 - 13)}…`);
  });

  it("keeps a line of 16 KiB", () => {
    expect(readLines("x".repeat(16 * 1024))[0]?.text).toHaveLength(16 * 1024);
  });
});

describe("readLines, for every text", () => {
  const fragment = fc.constantFrom("\n", "\r\n", "```", "~~~", "````", "> ", "  ", "a", "`");
  const text = joined(fc.oneof(fragment, fc.string({ unit: "binary" })), 30);

  prop("I13 no line holds a line ending or is longer than the cap", [text], (message) => {
    for (const line of readLines(message)) expect(line.text).toMatch(/^[^\r\n]{0,16385}$/);
  });

  prop("I13 what a fence longer than any run encloses is never spoken", [text], (message) => {
    const fence = "`".repeat(message.length + 3);
    expect(readLines(`${fence}\n${message}\n${fence}`).every(({ kind }) => kind === "fenced")).toBe(true);
  });
});

describe("readLines, line by line", () => {
  it("keeps one of empty lines in a row", () => {
    expect(readLines("a\n\n\nb").map(({ text }) => text)).toEqual(["a", "", "b"]);
  });

  it.each(["", " ", "\t"])("finds a fence behind %j", (indentation) => {
    expect(readLines(`${indentation}~~~\na\n${indentation}~~~\nb`)).toEqual([
      { kind: "fenced", text: "a" },
      { kind: "spoken", text: "b" },
    ]);
  });
});
