import { streamIdleMs } from "../../model/limits.ts";
import { openResultReader } from "./output/result-reader.ts";
import { watchMessages } from "./output/watch-messages.ts";
import type { Preset } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";

/** Amp. Its input tokens include those from a cache. */
export const amp: Preset = {
  name: "amp",
  command: "amp -x --stream-json",
  rights: {
    edit: { why: "its settings say what it may run", instead: null },
    full: { args: ["--dangerously-allow-all"] },
  },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "amp",
        env: ["AMP_API_KEY"],
        files: [".local/share/amp/secrets.json", ".config/amp/settings.json"],
        remedy: "run amp login, or export AMP_API_KEY=\u2026",
      },
      surroundings,
    ),
  openWatch: () => watchMessages({ input: [["input_tokens"]], output: [["output_tokens"]] }),
  openReader: () => openResultReader({ messages: { input: [["input_tokens"]], output: [["output_tokens"]] } }),
};
