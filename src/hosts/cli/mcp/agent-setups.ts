/** A file that sets up an agent's command line, as it is when nothing else stands in it. */
export interface SetupFile {
  /** From the workspace. */
  readonly path: string;
  readonly text: string;
}

/** How an agent's command line is set up to work off a spec. */
interface AgentSetup {
  /** The files of the project that it reads. @param call The words that serve the tools; `hook` those of a hook. */
  files(call: readonly string[], hook: (event: string) => string): readonly SetupFile[];
  /** What else has to be known, one line; none when not given. */
  readonly note?: string;
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Longer than fixpoint takes for a call, which answers within 45 s. */
const [timeoutSeconds, timeoutMs] = [60, 60_000];

const server = ([command, ...args]: readonly string[]) => ({ command, args });

const hooked = (command: string) => [{ hooks: [{ type: "command", command }] }];

/** By the names that `install` takes. */
export const agentSetups = {
  claude: {
    files: (call, hook) => [
      { path: ".mcp.json", text: json({ mcpServers: { fixpoint: server(call) } }) },
      {
        path: ".claude/settings.json",
        text: json({
          enabledMcpjsonServers: ["fixpoint"],
          permissions: { allow: ["mcp__fixpoint"] },
          hooks: { Stop: hooked(hook("stop")), SubagentStop: hooked(hook("subagent-stop")) },
        }),
      },
    ],
  },
  codex: {
    files: (call, hook) => [
      {
        path: ".codex/config.toml",
        text: [
          "[mcp_servers.fixpoint]",
          `command = ${JSON.stringify(call[0])}`,
          `args = ${JSON.stringify(call.slice(1))}`,
          `tool_timeout_sec = ${timeoutSeconds}`,
          // Else the first turn begins without its tools where it takes longer than a second to start.
          "required = true",
          "",
        ].join("\n"),
      },
      { path: ".codex/hooks.json", text: json({ hooks: { Stop: hooked(hook("stop")) } }) },
    ],
    note: "Codex reads these files once it trusts the project, and asks about the hook",
  },
  opencode: {
    files: (call) => [
      {
        path: "opencode.json",
        text: json({
          $schema: "https://opencode.ai/config.json",
          mcp: { fixpoint: { type: "local", command: call, enabled: true, timeout: timeoutMs } },
        }),
      },
    ],
    note: "OpenCode has no hook that holds an agent, so nothing reminds it of a report",
  },
  gemini: {
    files: (call, hook) => [
      {
        path: ".gemini/settings.json",
        text: json({
          mcpServers: { fixpoint: { ...server(call), timeout: timeoutMs } },
          hooks: { AfterAgent: hooked(hook("after-agent")) },
        }),
      },
    ],
  },
  copilot: {
    files: (call, hook) => [
      {
        path: ".github/mcp.json",
        text: json({ mcpServers: { fixpoint: { type: "local", ...server(call), tools: ["*"] } } }),
      },
      {
        path: ".github/hooks/fixpoint.json",
        text: json({ version: 1, hooks: { agentStop: [{ type: "command", bash: hook("stop") }] } }),
      },
    ],
  },
} satisfies Record<string, AgentSetup>;

export type AgentName = keyof typeof agentSetups;
