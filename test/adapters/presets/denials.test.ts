import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StreamReader } from "../../../src/adapters/presets/preset.ts";
import { findPreset } from "../../../src/adapters/presets/presets.ts";
import { readEvents } from "../../support/read-events.ts";

const streams = join(import.meta.dirname, "../../fixtures/streams");

async function denialsOf(tool: string, stream: string) {
  const reader = findPreset(tool).openReader?.() as StreamReader;
  const file = openSync(join(streams, `${stream}.ndjson`), "r");
  try {
    await readEvents(file, reader.see);
    return reader.end({ exitCode: 0, stderr: "", now: 0 }).denials;
  } finally {
    closeSync(file);
  }
}

// The expected actions were read from the recorded streams manually.
it.each([
  [
    "claude-2.1.330-commit+accept",
    [{ tool: "Bash", act: "touch a.txt && git add a.txt && git commit -qm feat-a && echo COMMITTED" }],
  ],
  ["copilot-1.0.102-one", [{ tool: "bash", act: "echo a > a.txt" }]],
  [
    "codex-0.169.0-commit",
    [
      {
        tool: "shell",
        act: "/bin/bash -lc 'touch a.txt && git add a.txt && git commit -qm feat-a && echo COMMITTED'",
      },
    ],
  ],
  ["gemini-0.61.0-denied+autoedit", [{ tool: "run_shell_command", act: "echo a > a.txt" }]],
  ["opencode-1.18.33-denied+rules", [{ tool: "bash", act: "echo a > a.txt" }]],
  [
    "qwen-0.24.4-denied+default",
    [
      { tool: "write_file", act: "write files" },
      { tool: "run_shell_command", act: "run commands" },
    ],
  ],
])("reads denials of the tool from %s", async (stream, denials) => {
  expect(await denialsOf(stream.split("-")[0] ?? "", stream)).toEqual(denials);
});

it("reads the denied action of a stream that broke off", () => {
  const reader = findPreset("claude").openReader?.() as StreamReader;
  const input = { command: "npm\n  test" };
  reader.see({ type: "assistant", message: { content: [{ type: "tool_use", id: "1", name: "Bash", input }] } });
  reader.see({ type: "system", subtype: "permission_denied", tool_name: "Bash", tool_use_id: "1" });
  expect(reader.end({ exitCode: 143, stderr: "", now: 0 }).denials).toEqual([{ tool: "Bash", act: "npm test" }]);
});

it("does not read an agent's text about denials as a denial", () => {
  for (const tool of ["claude", "qwen", "copilot", "codex", "gemini", "opencode"]) {
    const reader = findPreset(tool).openReader?.() as StreamReader;
    const text = 'permission_denied "code":"denied" .git/index.lock: Read-only file system policy_violation';
    reader.see({ type: "assistant", message: { content: [{ type: "text", text }] } });
    reader.see({ type: "assistant.message", data: { content: text } });
    reader.see({ type: "message", role: "assistant", content: text });
    reader.see({ type: "text", part: { text } });
    reader.see({ type: "item.completed", item: { type: "agent_message", text } });
    expect(reader.end({ exitCode: 0, stderr: "", now: 0 }).denials).toBeUndefined();
  }
});
