import { streamIdleMs } from "../../model/limits.ts";
import type { Usage } from "../../model/reply.ts";
import { openMessage } from "./output/message-text.ts";
import type { StatedError } from "./output/read-error.ts";
import { errorOrText } from "./output/read-error.ts";
import { eventsAt, type StreamEvent, textAt } from "./output/stream-event.ts";
import { sayAct, toolAct } from "./output/tool-calls.ts";
import { readUsage } from "./output/usage-count.ts";
import type { Preset, StreamReader, WorkWatch } from "./preset.ts";

/** Goose. */
export const goose: Preset = {
  name: "goose",
  command: "goose run -i - --output-format stream-json -q",
  rights: {
    edit: { why: "its modes allow all commands or none", instead: null },
    full: { args: [], env: { GOOSE_MODE: "auto" } },
  },
  idleTimeoutMs: streamIdleMs,
  openReader,
  openWatch: () => watch,
};

function openReader(): StreamReader {
  const message = openMessage();
  let id: string | null = null;
  let usage: Usage = {};
  let error: StatedError | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "message" && textAt(event, "message", "role") === "assistant") {
      const piece = eventsAt(event, "message", "content").filter((block) => block["type"] === "text");
      // A message comes in pieces under one id.
      if (textAt(event, "message", "id") !== id) message.end();
      id = textAt(event, "message", "id");
      message.add(piece.map((block) => textAt(block, "text") ?? "").join(""));
      error = null;
    } else if (type === "message") message.end();
    else if (type === "error") {
      message.end();
      error = { message: textAt(event, "error") };
    } else if (type === "complete") {
      usage = readUsage(event, [], { input: [["input_tokens"]], output: [["output_tokens"]], cost: ["cost_usd"] });
    }
  };
  return {
    see,
    end: ({ now }) => ({
      ...errorOrText(error, message.read(), now),
      usage,
    }),
  };
}

const watch: WorkWatch = (event) => {
  if (event["type"] !== "message" || textAt(event, "message", "role") !== "assistant") return null;
  const block = eventsAt(event, "message", "content").at(-1) ?? {};
  const call = ["toolCall", "value"];
  return block["type"] === "toolRequest"
    ? toolAct(textAt(block, ...call, "name"), block, ...call, "arguments")
    : sayAct(textAt(block, "text"));
};
