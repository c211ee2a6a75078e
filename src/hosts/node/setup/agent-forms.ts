interface AgentForms {
  /** Config of a server. @param call Command line that starts the server, as words. */
  server(call: readonly string[]): object;
  /** Hooks at the end of a turn; not given if the agent has none. @param hook Returns the command line for an event. */
  hooks?(hook: (event: string) => string): object;
}

export const workPrompt =
  "Work through the plan with the tools of fixpoint: next_task, report_result, until it has ended.";

/** Time limit of an agent for a call of a tool, in two units. The tools of fixpoint answer within 45 s. */
const [timeoutSeconds, timeoutMs] = [60, 60_000];

const program = ([command, ...args]: readonly string[]) => ({ command, args });

const hooked = (command: string) => [{ hooks: [{ type: "command", command }] }];

export const agentForms = {
  claude: {
    server: program,
    hooks: (hook) => ({ Stop: hooked(hook("stop")), SubagentStop: hooked(hook("subagent-stop")) }),
  },
  codex: {
    // Without `required`, the first turn begins without the tools if the server takes more than a second to start.
    server: (call) => ({ ...program(call), tool_timeout_sec: timeoutSeconds, required: true }),
    hooks: (hook) => ({ Stop: hooked(hook("stop")) }),
  },
  opencode: {
    server: (call) => ({ type: "local", command: call, enabled: true, timeout: timeoutMs }),
  },
  gemini: {
    server: (call) => ({ ...program(call), timeout: timeoutMs }),
    hooks: (hook) => ({ AfterAgent: hooked(hook("after-agent")) }),
  },
  copilot: {
    server: (call) => ({ type: "local", ...program(call), tools: ["*"] }),
    hooks: (hook) => ({ agentStop: [{ type: "command", bash: hook("stop") }] }),
  },
} satisfies Record<string, AgentForms>;
