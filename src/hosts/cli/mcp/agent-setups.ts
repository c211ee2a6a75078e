import { agentForms } from "../../node/setup/agent-forms.ts";

/** A config file, and the text to create it with. */
export interface SetupFile {
  /** Path relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

/** Instructions to set up an agent to work through a spec. */
interface AgentSetup {
  /**
   * Config files in the project. @param call The words of the command line that serves the tools; `hook` returns the
   * command line of a hook.
   */
  files(call: readonly string[], hook: (event: string) => string): readonly SetupFile[];
  readonly note?: string;
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const toml = (table: string, values: object): string =>
  [`[${table}]`, ...Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`), ""].join("\n");

const { claude, codex, opencode, gemini, copilot } = agentForms;

/** Setups by agent name, as typed after `install`. */
export const agentSetups = {
  claude: {
    files: (call, hook) => [
      { path: ".mcp.json", text: json({ mcpServers: { fixpoint: claude.server(call) } }) },
      {
        path: ".claude/settings.json",
        text: json({
          enabledMcpjsonServers: ["fixpoint"],
          permissions: { allow: ["mcp__fixpoint"] },
          hooks: claude.hooks(hook),
        }),
      },
    ],
  },
  codex: {
    files: (call, hook) => [
      { path: ".codex/config.toml", text: toml("mcp_servers.fixpoint", codex.server(call)) },
      { path: ".codex/hooks.json", text: json({ hooks: codex.hooks(hook) }) },
    ],
    note: "Codex reads these files once it trusts the project, and asks about the hook",
  },
  opencode: {
    files: (call) => [
      {
        path: "opencode.json",
        text: json({ $schema: "https://opencode.ai/config.json", mcp: { fixpoint: opencode.server(call) } }),
      },
    ],
    note: "OpenCode has no hook that can keep an agent from stopping, so nothing reminds the agent to report",
  },
  gemini: {
    files: (call, hook) => [
      {
        path: ".gemini/settings.json",
        text: json({ mcpServers: { fixpoint: gemini.server(call) }, hooks: gemini.hooks(hook) }),
      },
    ],
  },
  copilot: {
    files: (call, hook) => [
      { path: ".github/mcp.json", text: json({ mcpServers: { fixpoint: copilot.server(call) } }) },
      { path: ".github/hooks/fixpoint.json", text: json({ version: 1, hooks: copilot.hooks(hook) }) },
    ],
  },
} satisfies Record<keyof typeof agentForms, AgentSetup>;

export type AgentName = keyof typeof agentSetups;
