import { describe, expect, it } from "vitest";
import { parseExecutors } from "../../../../src/hosts/cli/options/parse-executor.ts";

describe("parseExecutors", () => {
  it("separates executors for all attempts from those for a rung", () => {
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
    ["fix: ./agent 'open", "command-unreadable", expect.stringContaining("as in a shell")],
    ["cluade", "preset-unknown", "Did you mean claude?"],
  ])("refuses %j", (text, code, hint) => {
    expect(() => parseExecutors([text])).toThrow(expect.objectContaining({ blame: "input", code, hint }));
  });
});
