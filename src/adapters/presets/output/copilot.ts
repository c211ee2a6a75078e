import type { Usage } from "../../../model/reply.ts";
import type { ServiceKind } from "../../../recover/service-problem.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { errorOrText, type StatedError } from "./stated-error.ts";
import {
  addUsage,
  amountAt,
  denialsIn,
  eventAt,
  openToolCalls,
  parseEvent,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  toolAct,
} from "./stream-event.ts";

export const copilotStream: ToolStream = { openReader, openWatch: () => watch };

const errorTypes: ReadonlyMap<string, ServiceKind> = new Map([
  ["authentication", "auth"],
  ["authorization", "permission"],
  ["rate_limit", "rate-limit"],
  ["quota", "permission"],
  ["context_limit", "context-exhausted"],
]);

/** Read the error of a call to the model: JSON with a message, a JSON string, or plain text. */
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
      if (textAt(event, "data", "parentToolCallId") !== null) return;
      // A message that only calls tools has no text.
      text = textAt(event, "data", "content") || text;
      error = null;
    } else if (type === "model.call_failure" && textAt(event, "data", "source") === "top_level") {
      // Copilot retries by itself, so this is an error only if all retries fail.
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
