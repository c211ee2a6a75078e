import { streamIdleMs } from "../../model/limits.ts";
import { openResultReader } from "./output/result-reader.ts";
import { watchMessages } from "./output/watch-messages.ts";
import type { Preset } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";

/** Qwen Code. Its input tokens include those from a cache. */
export const qwen: Preset = {
  name: "qwen",
  command: "qwen --output-format stream-json",
  rights: {
    edit: {
      why: "it writes files anywhere, and what is in a command that it allows runs, too",
      instead: "--approval-mode auto-edit",
    },
    full: { args: ["--approval-mode", "yolo"] },
  },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "qwen",
        env: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY"],
        files: [".qwen/settings.json", ".qwen/oauth_creds.json", ".qwen/.env", ".env"],
        remedy: "start qwen and enter /auth, or export OPENAI_API_KEY=\u2026",
      },
      surroundings,
    ),
  openWatch: () => watchMessages({ input: [["input_tokens"]], output: [["output_tokens"]] }),
  openReader: () =>
    openResultReader({ result: { input: [["usage", "input_tokens"]], output: [["usage", "output_tokens"]] } }, acts),
};

/** It leaves out tools that need a person's approval. */
const acts = new Map([
  ["write_file", "write files"],
  ["run_shell_command", "run commands"],
]);
