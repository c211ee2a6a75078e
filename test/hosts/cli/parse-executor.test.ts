import { describe, expect, it } from "vitest";
import { executorNames, parseExecutor } from "../../../src/hosts/cli/parse-executor.ts";

describe("parseExecutor", () => {
  it("takes every known tool", () => {
    expect(executorNames).toContain("claude");
    expect(executorNames.map(parseExecutor)).toEqual(executorNames);
  });

  it("takes a name in any case", () => {
    expect(parseExecutor(" Claude ")).toBe("claude");
  });

  it.each([
    ["cluade", "Did you mean claude?"],
    ["GEMINY", "Did you mean gemini?"],
    ["frobnicator", "Give any other program as a command line with --exec"],
  ])("says what to do instead of %j", (name, hint) => {
    expect(() => parseExecutor(name)).toThrow(
      expect.objectContaining({ blame: "input", code: "preset-unknown", hint }),
    );
  });
});
