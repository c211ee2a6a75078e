import type { Usage } from "../../model/reply.ts";
import type { ServiceKind } from "../../recover/service-kind.ts";
import { failedText } from "./failed-text.ts";
import { openMessage } from "./message-text.ts";
import { type Preset, type StreamReader, streamIdleMs } from "./preset.ts";
import { readError, type StatedError } from "./read-error.ts";
import { amountAt, type StreamEvent, textAt } from "./stream-event.ts";
import { addUsage, readUsage, type UsageFields } from "./usage-count.ts";

/** OpenCode. */
export const opencode: Preset = {
  name: "opencode",
  command: "opencode run --format json",
  idleTimeoutMs: streamIdleMs,
  openReader,
};

const names: ReadonlyMap<string, ServiceKind> = new Map([
  ["ProviderAuthError", "auth"],
  ["ContextOverflowError", "context-exhausted"],
]);

const fields: UsageFields = {
  input: [
    ["tokens", "input"],
    ["tokens", "cache", "read"],
    ["tokens", "cache", "write"],
  ],
  output: [
    ["tokens", "output"],
    ["tokens", "reasoning"],
  ],
  cost: ["cost"],
};

function openReader(): StreamReader {
  const message = openMessage();
  let usage: Usage = {};
  let error: StatedError | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "step_start" || type === "tool_use") message.end();
    else if (type === "text") {
      message.add(`${textAt(event, "part", "text") ?? ""}\n`);
      error = null;
    } else if (type === "step_finish") usage = addUsage(usage, readUsage(event, ["part"], fields));
    else if (type === "error") {
      message.end();
      const name = textAt(event, "error", "name");
      error = {
        message: textAt(event, "error", "data", "message") ?? textAt(event, "error", "message") ?? name,
        status: amountAt(event, "error", "data", "statusCode"),
        kind: names.get(name ?? "") ?? null,
      };
    }
  };
  return {
    see,
    end: ({ now }) => ({
      text: error === null ? message.read() : failedText(error.message),
      usage,
      problem: readError(error, now),
    }),
  };
}
