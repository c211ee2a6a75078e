import { type Preset, streamIdleMs } from "./preset.ts";
import { openResultReader } from "./result-reader.ts";
import { anthropicUsage } from "./usage-count.ts";

/** Claude Code. */
export const claude: Preset = {
  name: "claude",
  command: "claude -p --output-format stream-json --verbose",
  idleTimeoutMs: streamIdleMs,
  openReader: () =>
    openResultReader({
      result: {
        input: anthropicUsage.input.map((field) => ["usage", ...field]),
        output: anthropicUsage.output.map((field) => ["usage", ...field]),
        cost: ["total_cost_usd"],
      },
    }),
};
