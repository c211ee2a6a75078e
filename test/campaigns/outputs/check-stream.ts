import assert from "node:assert/strict";
import { parseEvent } from "../../../src/adapters/presets/output/stream-event.ts";
import { presets } from "../../../src/adapters/presets/presets.ts";
import { Reply } from "../../../src/model/reply.ts";

const now = Date.UTC(2026, 0, 1);

export function checkStream(lines: readonly string[]): void {
  const events = lines.map((line) => parseEvent(line.trim())).filter((event) => event !== null);
  for (const { name, openReader } of presets) {
    const reader = openReader?.();
    if (reader === undefined) continue;
    for (const event of events) reader.see(event);
    const { text, usage, problem } = reader.end({ exitCode: 1, stderr: "", now });
    const reply = { text: text ?? "", usage, ...(problem !== null && { problem }) };
    const parsed = Reply.safeParse(JSON.parse(JSON.stringify(reply)));
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
    // A quoted error must not contain a signal on a line of its own.
    if (text?.startsWith("Error: "))
      assert.ok(!/[\n\r]/.test(text) || !text.includes("_COMPLETE"), `${name}: an error of several lines`);
  }
}
