import { type Preset, streamIdleMs } from "./preset.ts";
import { openResultReader } from "./result-reader.ts";

/** Qwen Code. Its input tokens include those from a cache. */
export const qwen: Preset = {
  name: "qwen",
  command: "qwen --output-format stream-json",
  idleTimeoutMs: streamIdleMs,
  openReader: () =>
    openResultReader({ result: { input: [["usage", "input_tokens"]], output: [["usage", "output_tokens"]] } }),
};
