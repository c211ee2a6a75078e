/**
 * All names of spans, metrics and attributes. The conventions for generative AI (`gen_ai`, version 0.1.0) are still in
 * development.
 */
export const names = {
  error: "error.type",
  exitCode: "process.exit.code",
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  tokenType: "gen_ai.token.type",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  costUsd: "fixpoint.usage.cost_usd",
  run: "fixpoint.run.number",
  resumed: "fixpoint.run.resumed",
  outcome: "fixpoint.run.outcome",
  turn: "fixpoint.turn.number",
  tasks: "fixpoint.turn.tasks",
  task: "fixpoint.task.id",
  attempt: "fixpoint.attempt.number",
  executor: "fixpoint.attempt.executor",
  rung: "fixpoint.attempt.rung",
  level: "fixpoint.attempt.level",
} as const;

/** Attributes with content: texts of plans, prompts, replies, commands and output. */
export const contentNames = {
  spec: "fixpoint.spec.name",
  title: "fixpoint.task.title",
  input: "gen_ai.input.messages",
  output: "gen_ai.output.messages",
  command: "gen_ai.tool.call.arguments",
  result: "gen_ai.tool.call.result",
} as const;

export const operations = { run: "invoke_workflow", attempt: "invoke_agent", verify: "execute_tool" } as const;

export const workflow = "fixpoint";

/** Bucket boundaries in seconds: agent calls take minutes, runs take hours. */
const durations = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Metrics, by name. */
export const metrics = {
  "gen_ai.invoke_agent.duration": {
    kind: "histogram",
    unit: "s",
    description: "Duration of a run or an agent call",
    bounds: durations,
  },
  "gen_ai.execute_tool.duration": {
    kind: "histogram",
    unit: "s",
    description: "Duration of a Verify command",
    bounds: durations,
  },
  "fixpoint.turn.duration": {
    kind: "histogram",
    unit: "s",
    description: "Duration of the work on a task or batch, until the next one is chosen",
    bounds: durations,
  },
  "gen_ai.client.token.usage": {
    kind: "histogram",
    unit: "{token}",
    description: "Tokens of an agent call",
    bounds: tokens,
  },
  "fixpoint.usage.cost": {
    kind: "counter",
    unit: "{USD}",
    description: "Cost of agent calls",
    bounds: null,
  },
} as const;
export type MetricName = keyof typeof metrics;
