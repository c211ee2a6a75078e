import type { Usage } from "../../../model/reply.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { failedText, readError } from "./stated-error.ts";
import { anthropicUsage, readUsage, type StreamEvent, sayAct, textAt, toolAct } from "./stream-event.ts";

/** Factory's Droid. */
export const droidStream: ToolStream = { openReader, openWatch: () => watch };

function openReader(): StreamReader {
  let text: string | null = null;
  let usage: Usage = {};
  let finalText: string | null = null;
  let failed = false;
  let error: string | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "message" && event["role"] === "assistant") {
      text = textAt(event, "text") ?? text;
      failed = false;
      error = null;
    } else if (type === "completion") {
      finalText = textAt(event, "finalText");
      text = finalText ?? text;
      usage = readUsage(event, ["usage"], anthropicUsage);
      failed = event["isError"] === true;
      if (!failed) error = null;
    } else if (type === "error") {
      failed = true;
      // Prefer the agent's own report, which the command line repeats in general words.
      if (error === null || event["source"] !== "cli") error = textAt(event, "message");
    }
  };
  return {
    see,
    end: ({ now }) => ({
      text: failed ? failedText(error ?? finalText) : text,
      usage,
      problem: error === null ? null : readError({ message: error }, now),
    }),
  };
}

const watch: WorkWatch = (event) => {
  const type = event["type"];
  if (type === "tool_call") return toolAct(textAt(event, "toolName"), event, "parameters");
  return type === "message" && event["role"] === "assistant" ? sayAct(textAt(event, "text")) : null;
};
