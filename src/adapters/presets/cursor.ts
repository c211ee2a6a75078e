import { streamIdleMs } from "../../model/limits.ts";
import { openResultReader } from "./output/result-reader.ts";
import { watchMessages } from "./output/watch-messages.ts";
import type { Preset } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";

/** Cursor's agent. Its errors are on stderr. */
export const cursor: Preset = {
  name: "cursor",
  command: "cursor-agent -p --output-format stream-json",
  rights: {
    edit: { why: "its settings say what it may run", instead: null },
    full: { args: ["--force"] },
  },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "cursor",
        env: ["CURSOR_API_KEY"],
        files: [".cursor/cli-config.json", ".config/cursor/auth.json"],
        remedy: "run cursor-agent login, or export CURSOR_API_KEY=\u2026",
      },
      surroundings,
    ),
  openWatch: () => watchMessages({ input: [["input_tokens"]], output: [["output_tokens"]] }),
  openReader: () =>
    openResultReader({ result: { input: [["usage", "inputTokens"]], output: [["usage", "outputTokens"]] } }),
};
