import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../src/adapters/presets/output/stream-event.ts";
import { findPreset } from "../../../src/adapters/presets/presets.ts";
import type { WorkProgress } from "../../../src/ports/executor.ts";

const linesOf = (stream: string): string[] =>
  readFileSync(join(import.meta.dirname, "../../fixtures/streams", `${stream}.ndjson`), "utf8").split("\n");

function seenIn(tool: string, lines: readonly string[]): readonly WorkProgress[] {
  const watch = findPreset(tool).openWatch?.();
  if (watch === undefined) throw new Error(`${tool} is not watched`);
  return lines.flatMap((line) => {
    const event = parseEvent(line.trim());
    return (event && watch(event)) ?? [];
  });
}

const looks = { line: "I look at it." };
const ends = { line: "The task is done as asked.\n\nTASK_COMPLETE" };

describe("the activity of a real tool", () => {
  it.each<[string, string, readonly WorkProgress[]]>([
    [
      "claude",
      "claude-2.1.330-pass",
      [
        { ...looks, tokens: 151 },
        { tool: "Bash", line: "echo a > a.txt", tokens: 151 },
        { ...ends, tokens: 151 },
      ],
    ],
    [
      "codex",
      "codex-0.169.0-pass",
      [
        looks,
        { tool: "shell", line: "echo a > a.txt" },
        { tool: "shell", line: "echo a > a.txt" },
        ends,
        { tokens: 400 },
      ],
    ],
    [
      "opencode",
      "opencode-1.18.33-pass",
      [looks, { tool: "bash", line: "echo a > a.txt" }, { tokens: 200 }, ends, { tokens: 400 }],
    ],
    ["gemini", "gemini-0.61.0-pass", [looks, { tool: "run_shell_command", line: "echo a > a.txt" }, ends]],
    [
      "qwen",
      "qwen-0.24.4-pass",
      [
        { ...looks, tokens: 0 },
        { tool: "run_shell_command", line: "echo a > a.txt", tokens: 200 },
        { ...ends, tokens: 400 },
      ],
    ],
    ["copilot", "copilot-1.0.102-pass", [looks, { tool: "bash", line: "echo a > a.txt" }, ends]],
    ["droid", "droid-0.225.2-pass", [looks, { tool: "Execute", line: "echo a > a.txt" }, ends]],
  ])("of %s (%s)", (tool, stream, seen) => {
    expect(seenIn(tool, linesOf(stream))).toEqual(seen);
  });

  it("uses the first line of a tool's input, and all of it if nothing is known", () => {
    const call = (input: object) =>
      JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", name: "Tool", input }] } });
    expect(seenIn("claude", [call({ command: "\ncat <<'EOF' > a\nb\nEOF" }), call({ anything: 7 })])).toEqual([
      { tool: "Tool", line: "cat <<'EOF' > a" },
      { tool: "Tool", line: '{"anything":7}' },
    ]);
  });

  it.each([
    [
      "cursor",
      { type: "tool_call", subtype: "started", tool_call: { readToolCall: { args: { path: "a.txt" } } } },
      { tool: "read", line: "a.txt" },
    ],
    [
      "goose",
      {
        type: "message",
        message: {
          role: "assistant",
          content: [{ type: "toolRequest", toolCall: { value: { name: "shell", arguments: { command: "ls" } } } }],
        },
      },
      { tool: "shell", line: "ls" },
    ],
    [
      "codex",
      { type: "item.completed", item: { type: "file_change", changes: [{ path: "a" }, { path: "b" }] } },
      { tool: "edit", line: "a, b" },
    ],
  ])("reads a call of %s as documented", (tool, event, seen) => {
    expect(seenIn(tool, [JSON.stringify(event)])).toEqual([seen]);
  });
});
