import type { Claim } from "../../../model/claim.ts";
import type { Usage } from "../../../model/reply.ts";
import { structuredClaim } from "../../../parse/structured-claim.ts";
import { isAhead } from "../../../recover/read-reset-time.ts";
import { readStderr } from "../../../recover/read-stderr.ts";
import type { ServiceKind } from "../../../recover/service-kind.ts";
import type { StreamReader } from "../preset.ts";
import { failedText, readError, type StatedError } from "./read-error.ts";
import { amountAt, eventAt, eventsAt, type StreamEvent, textAt, valueAt } from "./stream-event.ts";
import { actOf, denialsIn, openToolCalls } from "./tool-calls.ts";
import { addUsage, readUsage, type UsageFields } from "./usage-count.ts";

/** Codes that name an error of the service. */
const codes: ReadonlyMap<string, ServiceKind> = new Map([
  ["rate_limit", "rate-limit"],
  ["authentication_failed", "auth"],
  ["oauth_org_not_allowed", "permission"],
  ["billing_error", "permission"],
]);

/**
 * Reads the stream format that Claude Code introduced and others adopted: `assistant` messages, and at the end a
 * `result` with the final message and whether it is an error.
 *
 * @param usage Where the stream reports usage: in the result, or in each message.
 * @param acts Tools that an agent needs, by what it cannot do without them.
 */
export function openResultReader(
  usage: { readonly result?: UsageFields; readonly messages?: UsageFields },
  acts: ReadonlyMap<string, string> = new Map(),
): StreamReader {
  let lastMessage: string | null = null;
  let result: string | null = null;
  let claim: Claim | null = null;
  let used: Usage = {};
  let error: StatedError | null = null;
  /** Whether this is a retry for which the stream names no reason. */
  let unexplained = false;
  let resetsAt: number | null = null;
  const calls = openToolCalls();

  const seeMessage = (event: StreamEvent): void => {
    if (usage.messages !== undefined) used = addUsage(used, readUsage(event, ["message", "usage"], usage.messages));
    for (const block of eventsAt(event, "message", "content")) {
      if (block["type"] === "tool_use") calls.call(textAt(block, "id") ?? "", ...calledIn(block, "name", "input"));
    }
    // A message of a subagent is no message of the agent that was asked.
    if (textAt(event, "parent_tool_use_id") !== null) return;
    const text = textOf(event);
    const code = textAt(event, "error");
    error = code === null ? null : { message: text, kind: codes.get(code) ?? null };
    lastMessage = text ?? lastMessage;
  };
  const seeResult = (event: StreamEvent): void => {
    const unsaid = unsaidErrorIn(event);
    const isError = valueAt(event, "is_error") === true || textAt(event, "subtype")?.startsWith("error") === true;
    const failed = isError || unsaid !== null;
    const message = unsaid ?? textAt(event, "result") ?? errorOf(event);
    const status = amountAt(event, "api_error_status");
    error = failed ? { message: message ?? error?.message ?? null, status, kind: error?.kind ?? null } : null;
    // Earlier messages are no final message, even when this result has none.
    result = failed ? failedText(message) : (message ?? "");
    // Its result is then the claim again, as JSON.
    const given = failed ? null : structuredClaim(valueAt(event, "structured_output"));
    claim = given?.claim ?? null;
    if (given !== null) result = given.message || lastMessage;
    if (usage.result !== undefined) used = readUsage(event, [], usage.result);
    for (const denial of eventsAt(event, "permission_denials")) {
      const [tool, input] = calledIn(denial, "tool_name", "tool_input");
      calls.add(tool, actOf(input));
    }
  };
  /** A complete list has the tool that reads files. */
  const seeTools = (tools: unknown): void => {
    if (!Array.isArray(tools) || !tools.includes("read_file")) return;
    for (const [tool, act] of acts) if (!tools.includes(tool)) calls.add(tool, act);
  };

  return {
    see: (event) => {
      const type = event["type"];
      const retries = type === "system" && event["subtype"] === "retry";
      if (retries || type === "assistant" || type === "result") unexplained = retries;
      if (type === "assistant") seeMessage(event);
      else if (type === "result") seeResult(event);
      else if (type === "user") error = null;
      else if (type === "system" && event["subtype"] === "init") seeTools(event["tools"]);
      else if (type === "system" && event["subtype"] === "permission_denied") {
        calls.deny(textAt(event, "tool_use_id") ?? "");
      } else if (type === "rate_limit_event" && textAt(event, "rate_limit_info", "status") === "rejected") {
        const seconds = amountAt(event, "rate_limit_info", "resetsAt");
        resetsAt = seconds === null ? null : seconds * 1000;
        error = { message: null, kind: "rate-limit" };
      } else if (type === "system" && event["subtype"] === "api_retry") {
        const status = amountAt(event, "error_status");
        error = { message: textAt(event, "error"), status, kind: status === null ? "offline" : null };
      } else if (retries) error = { message: tellRetry(event), kind: "rate-limit" };
    },
    end: ({ stderr, now }) => {
      const problem = (unexplained ? readStderr(stderr, now) : null) ?? readError(error, now);
      const until = problem?.kind === "rate-limit" && resetsAt !== null && isAhead(resetsAt, now) ? resetsAt : null;
      return {
        text: result ?? lastMessage,
        usage: used,
        ...(claim !== null && { claim }),
        problem: problem === null || until === null ? problem : { ...problem, until },
        ...denialsIn(calls),
      };
    },
  };
}

/** Only stderr has the reason. */
function tellRetry(event: StreamEvent): string {
  const [attempt, most, delayMs] = ["attempt", "maxRetries", "delayMs"].map((field) => amountAt(event, "data", field));
  const pause = delayMs == null ? "" : ` in ${delayMs / 1000} s`;
  return `The service does not answer, the tool tries again${pause} (${attempt ?? "?"} of ${most ?? "?"})`;
}
/** The tool of a call, and its input. */
const calledIn = (event: StreamEvent, tool: string, input: string): [string, StreamEvent] => [
  textAt(event, tool) ?? "",
  eventAt(event, input),
];

function textOf(event: StreamEvent): string | null {
  const texts = eventsAt(event, "message", "content").map((block) => textAt(block, "text"));
  const told = texts.filter((text) => text !== null);
  return told.length === 0 ? null : told.join("\n");
}

/**
 * The error in a result that claims success, as in older versions of Qwen Code. No model wrote it, since there is not
 * one output token.
 */
const unsaidErrorIn = (event: StreamEvent): string | null =>
  amountAt(event, "usage", "output_tokens") === 0
    ? (/\[API Error: ([^\n]{1,2000})\]$/.exec(textAt(event, "result") ?? "")?.[1] ?? null)
    : null;

/** An error is a text, an object with a message, or a list of texts. */
function errorOf(event: StreamEvent): string | null {
  const list = valueAt(event, "errors");
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  return textAt(event, "error") ?? textAt(event, "error", "message") ?? (texts.length === 0 ? null : texts.join("\n"));
}
