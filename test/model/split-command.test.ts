import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCommand } from "../../src/model/split-command.ts";
import { prop } from "../support/prop.ts";

describe("splitCommand", () => {
  it.for([
    ["claude -p", ["claude", "-p"]],
    ["  a\t b\n", ["a", "b"]],
    ["sh -c 'echo \"$HOME\"; ls | wc'", ["sh", "-c", 'echo "$HOME"; ls | wc']],
    ['a "b \\" c" \'d \\ e\' f\\ g', ["a", 'b " c', "d \\ e", "f g"]],
    ["a '' \"\"", ["a", "", ""]],
    ["a'b'\"c\"d", ["abcd"]],
    ['a \\\n b\\\nc "d\\\ne"', ["a", "bc", "de"]],
    ['a $HOME * ~ | & # `id` "\\n"', ["a", "$HOME", "*", "~", "|", "&", "#", "`id`", "\\n"]],
  ] as const)("splits %j", ([line, words]) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.for([
    ["", /expected the name of a program/],
    [" \n", /expected the name of a program/],
    ["'' a", /expected the name of a program/],
    ["a 'b", /an end to the `'` at character 3/],
    ['a "b \\"', /an end to the `"` at character 3/],
    ["a \\", /an end to the `\\` at character 3/],
  ] as const)("refuses %j", ([line, message]) => {
    expect(() => splitCommand(line)).toThrow(
      expect.objectContaining({ code: "command-unreadable", blame: "input", message: expect.stringMatching(message) }),
    );
  });
});

describe("splitCommand, for every list of words", () => {
  prop("gives back words that were quoted", [fc.array(fc.string({ unit: "binary" }), { minLength: 1 })], (words) => {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    expect(splitCommand(`x ${quoted}`)).toEqual(["x", ...words]);
  });

  it("splits as sh does", () => {
    const characters = fc.constantFrom("a", "é", " ", "\t", "\n", "'", '"', "\\", "\\\n", '\\"', "=", "-");
    const lines = fc
      .sample(fc.string({ unit: characters, maxLength: 12 }), { numRuns: 500, seed: 1 })
      .map((line) => `x ${line.replaceAll(/(?<!\\)\n/g, " ")}`)
      .filter((line) => !line.includes("\\\\\n") && isReadable(line));
    // One shell for all: each line's words behind its number.
    const script = lines.map((line, index) => `printf '%s\\0' ${index} ${line}\nprintf '\\0\\0'\n`).join("");
    const printed = execFileSync("sh", { input: script, encoding: "utf8" }).split("\0\0\0").slice(0, -1);
    expect(lines.length).toBeGreaterThan(100);
    expect(printed).toEqual(lines.map((line, index) => [index, ...splitCommand(line)].join("\0")));
  });
});

function isReadable(line: string): boolean {
  try {
    return splitCommand(line).every((word) => word !== "");
  } catch {
    return false;
  }
}
