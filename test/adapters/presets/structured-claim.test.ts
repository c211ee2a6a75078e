import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../src/adapters/presets/output/stream-event.ts";
import type { StreamReading } from "../../../src/adapters/presets/preset.ts";
import { findPreset } from "../../../src/adapters/presets/presets.ts";

const recorded = (stream: string): string =>
  readFileSync(join(import.meta.dirname, "../../fixtures", `${stream}.ndjson`), "utf8");

function readingOf(tool: string, stream: string, structuredClaim: boolean): StreamReading | undefined {
  const reader = findPreset(tool).openReader?.({ structuredClaim });
  for (const line of stream.split("\n")) {
    const event = parseEvent(line.trim());
    if (event !== null) reader?.see(event);
  }
  return reader?.end({ exitCode: 0, stderr: "", now: 0 });
}

describe("a structured claim", () => {
  it.each([
    ["claude", "claims/claude-2.1.330-claim"],
    ["codex", "claims/codex-0.169.0-claim"],
  ])("is read from the stream of %s that was asked for it, and its message is kept (%s)", (tool, stream) => {
    expect(readingOf(tool, recorded(stream), true)).toMatchObject({
      text: "Trying: to write it\nThe old one requires manual steps.",
      claim: { kind: "complete" },
      problem: null,
    });
  });

  it.each([
    ["claude", "streams/claude-2.1.330-pass"],
    ["codex", "streams/codex-0.169.0-pass"],
  ])("is missing in a stream of %s that answered with text (%s)", (tool, stream) => {
    const reading = readingOf(tool, recorded(stream), true);
    expect(reading?.text).toBe("The task is done as asked.\n\nTASK_COMPLETE");
    expect(reading?.claim).toBeUndefined();
  });

  it("is not read from a message of Codex that only looks like it: it was not requested", () => {
    const reading = readingOf("codex", recorded("claims/codex-0.169.0-claim"), false);
    expect(reading?.text).toMatch(/^\{"kind":"complete"/);
    expect(reading?.claim).toBeUndefined();
  });

  it("is missing if the turn has failed", () => {
    const failed = recorded("claims/claude-2.1.330-claim").replace(
      '"is_error":false,"num_turns"',
      '"is_error":true,"num_turns"',
    );
    expect(readingOf("claude", failed, true)?.claim).toBeUndefined();
  });
});
