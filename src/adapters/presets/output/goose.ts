import type { Usage } from "../../../model/reply.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { errorOrText, type StatedError } from "./stated-error.ts";
import {
  eventsAt,
  openMessage,
  plainUsage,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  toolAct,
} from "./stream-event.ts";

/** Goose. */
export const gooseStream: ToolStream = { openReader, openWatch: () => watch };

function openReader(): StreamReader {
  const message = openMessage();
  let id: string | null = null;
  let usage: Usage = {};
  let error: StatedError | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "message" && textAt(event, "message", "role") === "assistant") {
      const piece = eventsAt(event, "message", "content").filter((block) => block["type"] === "text");
      // Another id means that another message begins.
      if (textAt(event, "message", "id") !== id) message.end();
      id = textAt(event, "message", "id");
      message.add(piece.map((block) => textAt(block, "text") ?? "").join(""));
      error = null;
    } else if (type === "message") message.end();
    else if (type === "error") {
      message.end();
      error = { message: textAt(event, "error") };
    } else if (type === "complete") {
      usage = readUsage(event, [], { ...plainUsage, cost: ["cost_usd"] });
    }
  };
  return {
    see,
    end: ({ now }) => ({ ...errorOrText(error, message.read(), now), usage }),
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
