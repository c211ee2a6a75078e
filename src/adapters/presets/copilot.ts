import { streamIdleMs } from "../../model/limits.ts";
import type { Usage } from "../../model/reply.ts";
import type { ServiceKind } from "../../recover/service-kind.ts";
import type { StatedError } from "./output/read-error.ts";
import { errorOrText } from "./output/read-error.ts";
import { amountAt, eventAt, parseEvent, type StreamEvent, textAt } from "./output/stream-event.ts";
import { denialsIn, openToolCalls, sayAct, toolAct } from "./output/tool-calls.ts";
import { addUsage, readUsage } from "./output/usage-count.ts";
import type { Preset, StreamReader, WorkWatch } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";

/** GitHub Copilot CLI. */
export const copilot: Preset = {
  name: "copilot",
  command: "copilot --output-format json --no-ask-user",
  // Its rules name programs and subcommands, not whole commands, so Verify is left to the coordinator.
  rights: {
    edit: () => ({
      args: [
        // Else it would write there, too.
        "--disallow-temp-dir",
        ...["write", "shell(git add)", "shell(git commit)"].map((tool) => `--allow-tool=${tool}`),
      ],
    }),
    full: { args: ["--allow-all"] },
  },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "copilot",
        env: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
        files: [".copilot/config.json", ".config/gh/hosts.yml"],
        remedy: "start copilot and enter /login, or export COPILOT_GITHUB_TOKEN=\u2026",
      },
      surroundings,
    ),
  openReader,
  openWatch: () => watch,
};

const errorTypes: ReadonlyMap<string, ServiceKind> = new Map([
  ["authentication", "auth"],
  ["authorization", "permission"],
  ["rate_limit", "rate-limit"],
  ["quota", "permission"],
  ["context_limit", "context-exhausted"],
]);

/** The error of a call to the model: JSON with a message, a JSON string, or plain text. */
function messageOf(event: StreamEvent): string | null {
  const told = textAt(event, "data", "errorMessage");
  return told === null ? null : (textAt(parseEvent(told) ?? {}, "message") ?? told.replace(/^"|"$/g, ""));
}

function openReader(): StreamReader {
  let text: string | null = null;
  let perCall: Usage = {};
  let perMessage: Usage = {};
  let error: StatedError | null = null;
  const calls = openToolCalls();
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "assistant.usage") {
      perCall = addUsage(perCall, readUsage(event, ["data"], { input: [["inputTokens"]], output: [["outputTokens"]] }));
    } else if (type === "assistant.message") {
      perMessage = addUsage(perMessage, readUsage(event, ["data"], { input: [], output: [["outputTokens"]] }));
      // A message of a subagent is no message of the agent that was asked.
      if (textAt(event, "data", "parentToolCallId") !== null) return;
      // A message that only calls tools has no text.
      text = textAt(event, "data", "content") || text;
      error = null;
    } else if (type === "model.call_failure" && textAt(event, "data", "source") === "top_level") {
      // It tries again by itself, so it is an error only when no try succeeds.
      error = { message: messageOf(event), status: amountAt(event, "data", "statusCode") };
    } else if (type === "tool.execution_start") {
      const id = textAt(event, "data", "toolCallId") ?? "";
      calls.call(id, textAt(event, "data", "toolName") ?? "", eventAt(event, "data", "arguments"));
    } else if (type === "tool.execution_complete" && textAt(event, "data", "error", "code") === "denied") {
      calls.deny(textAt(event, "data", "toolCallId") ?? "");
    } else if (type === "session.error") {
      error = {
        message: textAt(event, "data", "message"),
        status: amountAt(event, "data", "statusCode"),
        kind: errorTypes.get(textAt(event, "data", "errorType") ?? "") ?? null,
      };
    }
  };
  return {
    see,
    end: ({ now }) => ({
      ...errorOrText(error, text, now),
      usage: perCall.outputTokens === undefined ? perMessage : perCall,
      ...denialsIn(calls),
    }),
  };
}

const watch: WorkWatch = (event) => {
  const type = event["type"];
  if (type === "assistant.message") return sayAct(textAt(event, "data", "content"));
  return type === "tool.execution_start"
    ? toolAct(textAt(event, "data", "toolName"), event, "data", "arguments")
    : null;
};
