import { describe, expect, it } from "vitest";
import { readLines } from "../../src/parse/read-lines.ts";
import { fenceText } from "../../src/prompt/fence-text.ts";
import { prop } from "../support/prop.ts";
import { textsWith } from "../support/texts.ts";

describe("fenceText", () => {
  it("puts a text between labelled fences", () => {
    expect(fenceText("a\nb", "text")).toBe("```text\na\nb\n```");
  });

  it("takes fences longer than any run of backticks inside", () => {
    expect(fenceText("a ```` b `` c", "text")).toBe("`````text\na ```` b `` c\n`````");
  });
});

describe("fenceText, for every text", () => {
  const text = textsWith(["`", "```", "~~~", "\n", "\r", " "], 20);

  prop("I22 nothing in it closes the fence", [text], (inside) => {
    const [last, ...rest] = readLines(`${fenceText(inside, "text")}\nbehind`).reverse();
    expect(last).toEqual({ kind: "spoken", text: "behind" });
    expect(rest.every(({ kind }) => kind === "fenced")).toBe(true);
  });
});
