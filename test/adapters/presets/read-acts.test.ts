import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actsIn, openActs } from "../../../src/adapters/presets/read-acts.ts";

const stream = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../fixtures/streams", `${name}.ndjson`), "utf8");

const acts = (shell: string): string =>
  `I look at it.\n${shell} echo a > a.txt\nThe task is done as asked.\n\nTASK_COMPLETE\n`;

describe("the acts in the output of a real tool", () => {
  it.each([
    ["claude-2.1.330-pass", "Bash"],
    ["codex-0.169.0-pass", "shell"],
    ["opencode-1.18.33-pass", "bash"],
    ["gemini-0.61.0-pass", "run_shell_command"],
    ["qwen-0.24.4-pass", "run_shell_command"],
    ["copilot-1.0.102-pass", "bash"],
    ["droid-0.225.2-pass", "Execute"],
  ])("are what a person reads, without the events around them: %s", (name, shell) => {
    expect(actsIn(stream(name))).toBe(acts(shell));
  });

  it("are known from the first event on, before the agent has acted", () => {
    for (const name of ["claude-2.1.330-pass", "codex-0.169.0-pass", "gemini-0.61.0-pass", "copilot-1.0.102-pass"]) {
      const [first = ""] = stream(name).split("\n");
      expect(actsIn(first)).toBe("");
      expect(actsIn(first.slice(0, 60))).toBe("");
    }
  });

  it("are the same if the output arrives in pieces", () => {
    const reader = openActs();
    const bytes = Buffer.from(stream("claude-2.1.330-pass"));
    for (let at = 0; at < bytes.length; at += 97) reader.take(bytes.subarray(at, at + 97));
    expect(reader.read()).toBe(acts("Bash"));
  });

  it("lose the oldest ones of a long output", () => {
    const say = (text: string) => JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } });
    const lines = Array.from({ length: 3000 }, (_, index) => say(`${index} ${"x".repeat(60)}`));
    const read = actsIn(lines.join("\n")) ?? "";
    expect(read).toMatch(/^…\n\d+ x/);
    expect(read.endsWith(`2999 ${"x".repeat(60)}\n`)).toBe(true);
    expect(read.length).toBeLessThan(130_000);
  });

  it.each(["", "plain text\n", '{"level":30,"msg":"a log in JSON"}\n', '{"type":"log","text":"another"}\n', "{\n"])(
    "are not looked for in the output of another program: %j",
    (text) => {
      expect(actsIn(text)).toBeNull();
    },
  );
});
