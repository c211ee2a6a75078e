import { streamIdleMs } from "../../model/limits.ts";
import { openResultReader } from "./output/result-reader.ts";
import { anthropicUsage } from "./output/usage-count.ts";
import { watchMessages } from "./output/watch-messages.ts";
import type { Preset } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";
import { type Rights, thatFit } from "./setup/tool-rights.ts";

/** Claude Code. */
export const claude: Preset = {
  name: "claude",
  command: "claude -p --output-format stream-json --verbose",
  rights: { edit: claudeEdit, full: { args: ["--dangerously-skip-permissions"] } },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "claude",
        env: [
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_AUTH_TOKEN",
          "CLAUDE_CODE_OAUTH_TOKEN",
          "CLAUDE_CODE_USE_BEDROCK",
          "CLAUDE_CODE_USE_VERTEX",
          "CLAUDE_CODE_USE_FOUNDRY",
        ],
        files: [".claude/.credentials.json", ".claude/settings.json", ".claude.json"],
        remedy: "run claude /login, or export ANTHROPIC_API_KEY=\u2026",
      },
      surroundings,
    ),
  openWatch: () => watchMessages(anthropicUsage),
  claimWords: ({ json }) => ["--json-schema", json()],
  openReader: () =>
    openResultReader({
      result: {
        input: anthropicUsage.input.map((field) => ["usage", ...field]),
        output: anthropicUsage.output.map((field) => ["usage", ...field]),
        cost: ["total_cost_usd"],
      },
    }),
};

/** Files of the workspace, and commands that a rule names one by one. */
function claudeEdit(commands: readonly string[]): Rights {
  const named = thatFit(commands.filter(isExact)).map((command) => command.replace(/[\\()]/g, "\\$&"));
  const rules = ["git add:*", "git commit:*", ...named].map((rule) => `Bash(${rule})`);
  return { args: ["--permission-mode", "acceptEdits", "--allowedTools", ...rules] };
}

/** In a rule a star stands for anything. */
const isExact = (command: string): boolean => !command.includes("*");
