import { describe, expect, it } from "vitest";
import { readCommandList } from "../../../src/markdown/lint/read-command-list.ts";

const command = (...words: string[]) => ({ words, isRedirected: false });

describe("readCommandList", () => {
  it("gives the pipelines of each statement", () => {
    expect(readCommandList("! CI=1 make all | tail -1 && a=1; cat")).toEqual([
      [
        { operator: null, isNegated: true, commands: [command("make", "all"), command("tail", "-1")] },
        { operator: "&&", isNegated: false, commands: [command()] },
      ],
      [{ operator: null, isNegated: false, commands: [command("cat")] }],
    ]);
  });

  it("gives a redirection without a command", () => {
    expect(readCommandList(">log")).toEqual([
      [{ operator: null, isNegated: false, commands: [{ words: [], isRedirected: true }] }],
    ]);
  });

  it("does not read a redirection to nothing", () => {
    expect(readCommandList("make && >")).toBeNull();
  });
});
