import type { Usage } from "../../../model/reply.ts";
import type { ServiceKind } from "../../../recover/service-problem.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { errorOrText, type StatedError } from "./stated-error.ts";
import {
  actOf,
  addUsage,
  amountAt,
  denialsIn,
  eventAt,
  openMessage,
  openToolCalls,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  tokensOf,
  toolAct,
  type UsageFields,
} from "./stream-event.ts";

/** OpenCode. */
export const opencodeStream: ToolStream = { openReader, openWatch };

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

const forbids = /^The user (?:has specified a rule which prevents|rejected permission)/;

function openReader(): StreamReader {
  const message = openMessage();
  let usage: Usage = {};
  let error: StatedError | null = null;
  const calls = openToolCalls();
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "tool_use" && forbids.test(textAt(event, "part", "state", "error") ?? "")) {
      calls.add(textAt(event, "part", "tool") ?? "", actOf(eventAt(event, "part", "state", "input")));
    }
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
      ...errorOrText(error, message.read(), now),
      usage,
      ...denialsIn(calls),
    }),
  };
}

function openWatch(): WorkWatch {
  let usage: Usage = {};
  return (event) => {
    const type = event["type"];
    if (type === "text") return sayAct(textAt(event, "part", "text"));
    if (type === "tool_use") return toolAct(textAt(event, "part", "tool"), event, "part", "state", "input");
    if (type !== "step_finish") return null;
    usage = addUsage(usage, readUsage(event, ["part"], fields));
    return tokensOf(usage);
  };
}
