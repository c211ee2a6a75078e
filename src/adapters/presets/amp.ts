import { type Preset, streamIdleMs } from "./preset.ts";
import { openResultReader } from "./result-reader.ts";

/** Amp. Its input tokens include those from a cache. */
export const amp: Preset = {
  name: "amp",
  command: "amp -x --stream-json",
  idleTimeoutMs: streamIdleMs,
  openReader: () => openResultReader({ messages: { input: [["input_tokens"]], output: [["output_tokens"]] } }),
};
