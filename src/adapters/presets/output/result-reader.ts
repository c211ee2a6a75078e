import type { Claim, Usage } from "../../../model/reply.ts";
import { structuredClaim } from "../../../parse/claim.ts";
import type { WorkProgress } from "../../../ports/executor.ts";
import { readStderr } from "../../../recover/classify-failure.ts";
import { isAhead, type ServiceKind } from "../../../recover/service-problem.ts";
import type { StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { failedText, readError, type StatedError } from "./stated-error.ts";
import {
  actOf,
  addUsage,
  amountAt,
  anthropicUsage,
  denialsIn,
  eventAt,
  eventsAt,
  openToolCalls,
  plainUsage,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  tokensOf,
  toolAct,
  type UsageFields,
  valueAt,
} from "./stream-event.ts";

const codes: ReadonlyMap<string, ServiceKind> = new Map([
  ["rate_limit", "rate-limit"],
  ["authentication_failed", "auth"],
  ["oauth_org_not_allowed", "permission"],
  ["billing_error", "permission"],
]);

/** Differences between tools whose stream has Claude Code's format. */
interface ResultStream {
  /** Fields with usage in the result. */
  readonly result?: UsageFields;
  /** Fields with usage in each message. */
  readonly messages?: UsageFields;
  /** Fields with usage in each message, for progress (`plainUsage` by default). */
  readonly watched?: UsageFields;
  /** Tools that an agent needs, each with the act that is impossible without it. */
  readonly acts?: ReadonlyMap<string, string>;
}

/** Read a stream in Claude Code's format, which other tools have adopted. */
export const resultStream = (form: ResultStream): Required<Pick<ToolStream, "openReader" | "openWatch">> => ({
  openReader: () => openResultReader(form),
  openWatch: () => watchMessages(form.watched ?? plainUsage),
});

export const claudeStream = resultStream({
  result: {
    input: anthropicUsage.input.map((field) => ["usage", ...field]),
    output: anthropicUsage.output.map((field) => ["usage", ...field]),
    cost: ["total_cost_usd"],
  },
  watched: anthropicUsage,
});

/** Read `assistant` messages and a final `result`, which has the final message and says whether it is an error. */
function openResultReader({ acts = new Map(), ...usage }: ResultStream): StreamReader {
  let lastMessage: string | null = null;
  let result: string | null = null;
  let claim: Claim | null = null;
  let used: Usage = {};
  let error: StatedError | null = null;
  let unexplained = false;
  let resetsAt: number | null = null;
  const calls = openToolCalls();

  const seeMessage = (event: StreamEvent): void => {
    if (usage.messages !== undefined) used = addUsage(used, readUsage(event, ["message", "usage"], usage.messages));
    for (const block of eventsAt(event, "message", "content")) {
      if (block["type"] === "tool_use") calls.call(textAt(block, "id") ?? "", ...calledIn(block, "name", "input"));
    }
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
    // Earlier messages are not final, even if this result has no message.
    result = failed ? failedText(message) : (message ?? "");
    // Use the message in a structured claim, because the text of the result repeats the claim as JSON.
    const given = failed ? null : structuredClaim(valueAt(event, "structured_output"));
    claim = given?.claim ?? null;
    if (given !== null) result = given.message || lastMessage;
    if (usage.result !== undefined) used = readUsage(event, [], usage.result);
    for (const denial of eventsAt(event, "permission_denials")) {
      const [tool, input] = calledIn(denial, "tool_name", "tool_input");
      calls.add(tool, actOf(input));
    }
  };
  /** Note which tools are missing. Ignore a list without the tool that reads files, because the list is incomplete. */
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
      } else if (retries) error = { message: renderRetry(event), kind: "rate-limit" };
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

/** Describe a retry. Only stderr has the reason. */
function renderRetry(event: StreamEvent): string {
  const [attempt, most, delayMs] = ["attempt", "maxRetries", "delayMs"].map((field) => amountAt(event, "data", field));
  const pause = delayMs == null ? "" : ` in ${delayMs / 1000} s`;
  return `The service does not answer; the tool retries${pause} (${attempt ?? "?"} of ${most ?? "?"})`;
}
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
 * Find the error in a result that claims success, as in older versions of Qwen Code. Without output tokens, no model
 * wrote the result.
 */
const unsaidErrorIn = (event: StreamEvent): string | null =>
  amountAt(event, "usage", "output_tokens") === 0
    ? (/\[API Error: ([^\n]{1,2000})\]$/.exec(textAt(event, "result") ?? "")?.[1] ?? null)
    : null;

function errorOf(event: StreamEvent): string | null {
  const list = valueAt(event, "errors");
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  return textAt(event, "error") ?? textAt(event, "error", "message") ?? (texts.length === 0 ? null : texts.join("\n"));
}

/** Watch messages for progress. A message spans several events, each with the usage of the message so far. */
function watchMessages(usage: UsageFields): WorkWatch {
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

/**
 * Read the call in an event of Cursor's stream: an object with one field, which names the tool, such as
 * `shellToolCall`.
 */
function callIn(event: StreamEvent): WorkProgress | null {
  const call = valueAt(event, "tool_call");
  const [name] = typeof call === "object" && call !== null ? Object.keys(call) : [];
  return name === undefined ? null : toolAct(name.replace(/ToolCall$/, ""), event, "tool_call", name, "args");
}
