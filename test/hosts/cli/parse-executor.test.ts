import { describe, expect, it } from "vitest";
import { executorNames, parseExecutor, parseExecutors } from "../../../src/hosts/cli/parse-executor.ts";

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

describe("parseExecutors", () => {
  it("tells what is for all attempts from what is for a rung", () => {
    expect(parseExecutors(["claude,codex", "fix: claude --model opus", " Pivot : ./strong.sh: --hard "])).toEqual({
      executor: ["claude", "codex"],
      rungs: { fix: "claude --model opus", pivot: "./strong.sh: --hard" },
    });
    expect(parseExecutors([])).toEqual({ executor: undefined });
  });

  it.each([
    ["fixx: claude", "bad-option", "Did you mean fix?"],
    ["model: claude", "bad-option", undefined],
    ["fix:", "bad-option", 'For example: --executor "fix: claude --model opus"'],
    ["fix: ./agent 'open", "command-unreadable", expect.stringContaining("as you would in a shell")],
    ["cluade", "preset-unknown", "Did you mean claude?"],
  ])("refuses %j", (text, code, hint) => {
    expect(() => parseExecutors([text])).toThrow(expect.objectContaining({ blame: "input", code, hint }));
  });
});
