import type { Usage } from "../../model/reply.ts";
import type { ServiceKind } from "../../recover/service-kind.ts";
import { failedText } from "./failed-text.ts";
import { type Preset, type StreamReader, streamIdleMs } from "./preset.ts";
import { readError, type StatedError } from "./read-error.ts";
import { amountAt, type StreamEvent, textAt } from "./stream-event.ts";
import { addUsage, readUsage } from "./usage-count.ts";

/** GitHub Copilot CLI. */
export const copilot: Preset = {
  name: "copilot",
  command: "copilot --output-format json --no-ask-user",
  idleTimeoutMs: streamIdleMs,
  openReader,
};

const errorTypes: ReadonlyMap<string, ServiceKind> = new Map([
  ["authentication", "auth"],
  ["authorization", "permission"],
  ["rate_limit", "rate-limit"],
  ["quota", "rate-limit"],
  ["context_limit", "context-exhausted"],
]);

function openReader(): StreamReader {
  let text: string | null = null;
  let perCall: Usage = {};
  let perMessage: Usage = {};
  let error: StatedError | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "assistant.usage") {
      perCall = addUsage(perCall, readUsage(event, ["data"], { input: [["inputTokens"]], output: [["outputTokens"]] }));
    } else if (type === "assistant.message") {
      perMessage = addUsage(perMessage, readUsage(event, ["data"], { input: [], output: [["outputTokens"]] }));
      // What the agent of a tool call says is no message of the agent that was asked.
      if (textAt(event, "data", "parentToolCallId") !== null) return;
      // A message that only calls tools has no text.
      text = textAt(event, "data", "content") || text;
      error = null;
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
      text: error === null ? text : failedText(error.message),
      usage: perCall.outputTokens === undefined ? perMessage : perCall,
      problem: readError(error, now),
    }),
  };
}
