import type { Usage } from "../../../model/reply.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import type { WorkWatch } from "../preset.ts";
import { eventsAt, type StreamEvent, textAt, valueAt } from "./stream-event.ts";
import { sayAct, toolAct } from "./tool-calls.ts";
import { addUsage, readUsage, tokensOf, type UsageFields } from "./usage-count.ts";

/**
 * Watches the stream format that `openResultReader` reads. A message comes in several events, and each has its usage so
 * far.
 *
 * @param usage Where a message has its usage.
 */
export function watchMessages(usage: UsageFields): WorkWatch {
  let before: Usage = {};
  let current: Usage = {};
  let id: string | null = null;
  return (event) => {
    if (event["type"] === "tool_call" && event["subtype"] === "started") return callIn(event);
    if (event["type"] !== "assistant") return null;
    const own = textAt(event, "message", "id");
    if (own === null || own !== id) before = addUsage(before, current);
    id = own;
    current = readUsage(event, ["message", "usage"], usage);
    const act = eventsAt(event, "message", "content").reduce<WorkProgress | null>(
      (last, block) => actIn(block) ?? last,
      null,
    );
    return { ...act, ...tokensOf(addUsage(before, current)) };
  };
}

const actIn = (block: StreamEvent): WorkProgress | null =>
  block["type"] === "tool_use" ? toolAct(textAt(block, "name"), block, "input") : sayAct(textAt(block, "text"));

/** In Cursor's stream the only field of a call is its name, such as `shellToolCall`. */
function callIn(event: StreamEvent): WorkProgress | null {
  const call = valueAt(event, "tool_call");
  const [name] = typeof call === "object" && call !== null ? Object.keys(call) : [];
  return name === undefined ? null : toolAct(name.replace(/ToolCall$/, ""), event, "tool_call", name, "args");
}
