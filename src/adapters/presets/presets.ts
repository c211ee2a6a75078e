import { InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/text.ts";
import { codexStream } from "./output/codex.ts";
import { copilotStream } from "./output/copilot.ts";
import { droidStream } from "./output/droid.ts";
import { geminiStream } from "./output/gemini.ts";
import { gooseStream } from "./output/goose.ts";
import { opencodeStream } from "./output/opencode.ts";
import { claudeStream, resultStream } from "./output/result-reader.ts";
import { plainUsage } from "./output/stream-event.ts";
import { claudeEdit, noRights, opencodeRules, type Preset } from "./preset.ts";
import { checkCodex } from "./setup/check-codex.ts";
import { checkGemini } from "./setup/check-gemini.ts";
import { checkLogin, checkRights, type ToolEnvironment, type Trouble } from "./setup/tool-environment.ts";

export const presets: readonly Preset[] = [
  {
    name: "claude",
    command: "claude -p --output-format stream-json --verbose",
    rights: { edit: claudeEdit, full: { args: ["--dangerously-skip-permissions"] } },
    login: {
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
    asksFirst: {
      options: /^--(?:permission-mode|permission-prompt-tool|allowed-?tools|settings|dangerously-skip-permissions)\b/i,
      settings: [
        "~/.claude/settings.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
        "/etc/claude-code/managed-settings.json",
      ],
      keys: ["permissions"],
    },
    claimWords: ({ json }) => ["--json-schema", json()],
    ...claudeStream,
  },
  {
    name: "codex",
    command: "codex exec --json -",
    rights: {
      edit: {
        why: "it runs any command, in a sandbox without network that can only write the workspace",
        instead: "--sandbox workspace-write --add-dir .git",
      },
      full: { args: ["--dangerously-bypass-approvals-and-sandbox"] },
    },
    checkFirst: checkCodex,
    claimWords: ({ file }) => ["--output-schema", file()],
    ...codexStream,
  },
  {
    name: "gemini",
    command: "gemini --output-format stream-json",
    rights: {
      edit: {
        why: "a command that it allows may write files anywhere",
        instead: "--approval-mode auto_edit",
      },
      full: { args: ["--approval-mode", "yolo"] },
    },
    checkFirst: checkGemini,
    ...geminiStream,
  },
  {
    name: "opencode",
    command: "opencode run --format json",
    rights: {
      edit: (commands) => ({ args: [], env: { OPENCODE_PERMISSION: JSON.stringify(opencodeRules(commands)) } }),
      full: { args: [], env: { OPENCODE_PERMISSION: JSON.stringify("allow") } },
    },
    ...opencodeStream,
  },
  {
    name: "amp",
    command: "amp -x --stream-json",
    rights: {
      edit: { why: "its own settings decide what it may run", instead: null },
      full: { args: ["--dangerously-allow-all"] },
    },
    login: {
      env: ["AMP_API_KEY"],
      files: [".local/share/amp/secrets.json", ".config/amp/settings.json"],
      remedy: "run amp login, or export AMP_API_KEY=\u2026",
    },
    // Amp's input tokens include cached tokens.
    ...resultStream({ messages: plainUsage }),
  },
  {
    name: "cursor",
    command: "cursor-agent -p --output-format stream-json",
    rights: {
      edit: { why: "its own settings decide what it may run", instead: null },
      full: { args: ["--force"] },
    },
    login: {
      env: ["CURSOR_API_KEY"],
      files: [".cursor/cli-config.json", ".config/cursor/auth.json"],
      remedy: "run cursor-agent login, or export CURSOR_API_KEY=\u2026",
    },
    // Cursor reports errors on stderr, not in its stream.
    ...resultStream({ result: { input: [["usage", "inputTokens"]], output: [["usage", "outputTokens"]] } }),
  },
  {
    name: "qwen",
    command: "qwen --output-format stream-json",
    rights: {
      edit: {
        why: "it writes files anywhere, and runs any command inside an allowed one, as in `$(…)`",
        instead: "--approval-mode auto-edit",
      },
      full: { args: ["--approval-mode", "yolo"] },
    },
    login: {
      env: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY"],
      files: [".qwen/settings.json", ".qwen/oauth_creds.json", ".qwen/.env", ".env"],
      remedy: "start qwen and enter /auth, or export OPENAI_API_KEY=\u2026",
    },
    asksFirst: {
      options: /^(?:-y|--yolo|--approval-mode|--allowed-tools)\b/,
      settings: ["~/.qwen/settings.json", ".qwen/settings.json"],
      keys: ["tools", "permissions"],
    },
    // Qwen's input tokens include cached tokens. Its tool list omits the tools that need approval.
    ...resultStream({
      result: { input: [["usage", "input_tokens"]], output: [["usage", "output_tokens"]] },
      acts: new Map([
        ["write_file", "write files"],
        ["run_shell_command", "run commands"],
      ]),
    }),
  },
  {
    name: "copilot",
    command: "copilot --output-format json --no-ask-user",
    // Copilot's rules name programs and subcommands, not whole commands, so the coordinator runs Verify.
    rights: {
      edit: () => ({
        args: [
          // Without this option, Copilot could also write to the folder for temporary files.
          "--disallow-temp-dir",
          ...["write", "shell(git add)", "shell(git commit)"].map((tool) => `--allow-tool=${tool}`),
        ],
      }),
      full: { args: ["--allow-all"] },
    },
    login: {
      env: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
      files: [".copilot/config.json", ".config/gh/hosts.yml"],
      remedy: "start copilot and enter /login, or export COPILOT_GITHUB_TOKEN=\u2026",
    },
    asksFirst: { options: /^--(?:allow-\w|yolo)/, settings: [], keys: [] },
    ...copilotStream,
  },
  {
    name: "droid",
    command: "droid exec --output-format stream-json",
    rights: {
      edit: { why: "it runs whatever its agent rates as low risk", instead: "--auto low" },
      full: { args: ["--skip-permissions-unsafe"] },
    },
    login: {
      env: ["FACTORY_API_KEY"],
      files: [".factory/auth.encrypted", ".factory/auth.v2.file", ".factory/auth.json", ".factory/settings.json"],
      remedy: "start droid and log in, or export FACTORY_API_KEY=\u2026",
    },
    ...droidStream,
  },
  {
    name: "goose",
    command: "goose run -i - --output-format stream-json -q",
    rights: {
      edit: { why: "its modes allow all commands or none", instead: null },
      full: { args: [], env: { GOOSE_MODE: "auto" } },
    },
    ...gooseStream,
  },
  {
    name: "aider",
    command: "aider --message-file /dev/stdin --yes-always --no-pretty",
    // This option keeps Aider from running the commands that its agent suggests.
    rights: { edit: () => ({ args: ["--no-suggest-shell-commands"] }), full: noRights },
  },
  {
    name: "crush",
    command: "crush run --quiet",
    rights: { edit: { why: "it allows whatever its agent requests", instead: null }, full: noRights },
  },
];

/**
 * Find a preset by name.
 *
 * @param name Such as `claude`, in upper or lower case.
 * @throws {InputError} `preset-unknown`
 */
export function findPreset(name: string): Preset {
  const preset = presets.find((each) => each.name === name.trim().toLowerCase());
  if (preset !== undefined) return preset;
  const names = presets.map((each) => each.name);
  const nearest = nearestName(name.trim(), names);
  throw new InputError(`Cannot use executor \`${name}\`, expected one of ${names.join(", ")}`, {
    code: "preset-unknown",
    hint: nearest === undefined ? "Give any other program as a command line with --exec" : `Did you mean ${nearest}?`,
  });
}

/** Whether a command line starts a known tool. The folder of the program does not matter. */
export function isToolProgram(program: string): boolean {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return presets.some(({ command }) => command.startsWith(`${name} `));
}

/**
 * Problems that would keep a tool from working, judged by its files and the environment. Starts no program and writes
 * nothing.
 */
export function troubleOf(preset: Preset, surroundings: ToolEnvironment): readonly Trouble[] {
  const { name, login, checkFirst, asksFirst, rights } = preset;
  const found = checkFirst?.(surroundings) ?? (login === undefined ? [] : checkLogin(name, login, surroundings));
  if (asksFirst === undefined) return found;
  const words =
    typeof rights.edit === "function"
      ? ["--permissions", "edit"]
      : ["--executor-args", `${name}: ${rights.edit.instead}`, "--commit", "all"];
  return [...found, ...checkRights(name, asksFirst, words, surroundings)];
}
