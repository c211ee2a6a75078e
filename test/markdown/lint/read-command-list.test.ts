import { describe, expect, it } from "vitest";
import { readCommandList } from "../../../src/markdown/lint/read-command-list.ts";

const command = (...words: string[]) => ({ words, files: [] });

describe("readCommandList", () => {
  it("returns the pipelines of each statement", () => {
    expect(readCommandList("! CI=1 make all | tail -1 && a=1; cat")).toEqual([
      [
        { operator: null, isNegated: true, commands: [command("make", "all"), command("tail", "-1")] },
        { operator: "&&", isNegated: false, commands: [command()] },
      ],
      [{ operator: null, isNegated: false, commands: [command("cat")] }],
    ]);
  });

  it("separates the files of a command from its other arguments", () => {
    expect(readCommandList(">log; <in make all 2> 'a b'")).toEqual([
      [{ operator: null, isNegated: false, commands: [{ words: [], files: ["log"] }] }],
      [{ operator: null, isNegated: false, commands: [{ words: ["make", "all"], files: ["in", "'a b'"] }] }],
    ]);
  });
});
