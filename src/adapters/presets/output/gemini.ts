import type { Usage } from "../../../model/reply.ts";
import { lastLine } from "../../../recover/classify-failure.ts";
import type { ServiceKind } from "../../../recover/service-problem.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { failedText, readError, type StatedError } from "./stated-error.ts";
import {
  denialsIn,
  eventAt,
  openMessage,
  openToolCalls,
  plainUsage,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  toolAct,
} from "./stream-event.ts";

export const geminiStream: ToolStream = { openReader, openWatch: () => watch };

/** Exit codes for a failed login and an untrusted folder. */
const exitCodes: ReadonlyMap<number, ServiceKind> = new Map([
  [41, "auth"],
  [55, "permission"],
]);

function openReader(): StreamReader {
  const message = openMessage();
  const calls = openToolCalls();
  let usage: Usage = {};
  let error: StatedError | null = null;
  /** The last error; null after a later message. */
  let failure: StatedError | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    const id = textAt(event, "tool_id") ?? "";
    if (type === "tool_use") calls.call(id, textAt(event, "tool_name") ?? "", eventAt(event, "parameters"));
    if (type === "tool_result" && textAt(event, "error", "type") === "policy_violation") calls.deny(id);
    if (type === "message" && event["role"] === "assistant") {
      if (event["delta"] !== true) message.end();
      message.add(textAt(event, "content") ?? "");
      failure = null;
    } else if (type === "tool_use" || type === "tool_result" || type === "message") message.end();
    else if (type === "error" && event["severity"] === "error") {
      message.end();
      error = { message: textAt(event, "message") };
      failure = error;
    } else if (type === "result") {
      usage = readUsage(event, ["stats"], plainUsage);
      const told = textAt(event, "error", "message") ?? error?.message ?? null;
      error = event["status"] === "error" ? { message: told } : null;
      failure = error ?? failure;
    }
  };
  return {
    see,
    end: ({ exitCode, stderr, now }) => {
      const kind = exitCodes.get(exitCode);
      const told = error?.message ?? lastLine(stderr);
      return {
        text: failure === null ? message.read() : failedText(failure.message),
        usage,
        problem: readError(kind === undefined ? error : { message: told, kind }, now),
        ...denialsIn(calls),
      };
    },
  };
}

const watch: WorkWatch = (event) => {
  if (event["type"] === "tool_use") return toolAct(textAt(event, "tool_name"), event, "parameters");
  const isSaid = event["type"] === "message" && event["role"] === "assistant";
  return isSaid ? sayAct(textAt(event, "content")) : null;
};
