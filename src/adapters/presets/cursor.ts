import { type Preset, streamIdleMs } from "./preset.ts";
import { openResultReader } from "./result-reader.ts";

/** Cursor's agent. Its errors are on stderr. */
export const cursor: Preset = {
  name: "cursor",
  command: "cursor-agent -p --output-format stream-json",
  idleTimeoutMs: streamIdleMs,
  openReader: () =>
    openResultReader({ result: { input: [["usage", "inputTokens"]], output: [["usage", "outputTokens"]] } }),
};
