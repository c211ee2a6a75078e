import type { ServiceProblem } from "../model/reply.ts";
import {
  isAhead,
  kindOfMessage,
  kindOfStatus,
  readResetTime,
  readServiceProblem,
  type ServiceKind,
} from "../recover/service-problem.ts";

const deepest = 8;

/** SDK error classes and system or service error codes, with the kind they indicate. */
const names: ReadonlyMap<string, ServiceKind> = new Map([
  ["RateLimitError", "rate-limit"],
  ["rate_limit_error", "rate-limit"],
  ["rate_limit_exceeded", "rate-limit"],
  ["overloaded_error", "rate-limit"],
  ["AuthenticationError", "auth"],
  ["AI_LoadAPIKeyError", "auth"],
  ["authentication_error", "auth"],
  ["invalid_api_key", "auth"],
  ["PermissionDeniedError", "permission"],
  ["permission_error", "permission"],
  ["billing_error", "permission"],
  ["insufficient_quota", "permission"],
  ["context_length_exceeded", "context-exhausted"],
  ["APIConnectionError", "offline"],
  ["APIConnectionTimeoutError", "offline"],
  ["InternalServerError", "offline"],
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ENETUNREACH",
    "ENETDOWN",
    "EHOSTUNREACH",
    "ETIMEDOUT",
  ].map((code) => [code, "offline"] as const),
  ...["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_SOCKET", "ConnectionRefused", "FailedToOpenSocket"].map(
    (code) => [code, "offline"] as const,
  ),
]);

/** Messages that `fetch` of Node, Bun, Deno and browsers throws if there is no response. */
const noAnswer = /^(?:fetch failed|failed to fetch|load failed|networkerror when attempting to fetch resource\.?)$/i;

/** Kinds from specific to general: in a chain of causes, the most specific kind is used. */
const weights = ["context-exhausted", "permission", "auth", "rate-limit", "offline"] as const;

/**
 * Derive the `problem` in the reply of a function executor from the error of a service call. The error may come from
 * the Anthropic, OpenAI or AI SDK, from `fetch`, or have a `status`, `code` or `cause` of a similar form.
 *
 * @param error Of any type.
 * @param now Milliseconds since 1970, for limits given as durations; the current time if not given.
 * @returns Null if the error says nothing about the service, such as a defect of the program.
 */
export function problemOf(error: unknown, now = Date.now()): ServiceProblem | null {
  const chain = chainOf(error);
  const told = chain.flatMap((each) => {
    const kind = kindOf(each);
    return kind === null ? [] : [{ kind, message: messageOf(each) }];
  });
  const kind = weights.find((each) => told.some((one) => one.kind === each));
  if (kind === undefined) return null;
  const message = told.find((one) => one.kind === kind && one.message !== "")?.message ?? "";
  const problem = readServiceProblem(message || "The service gave no reason", now, kind);
  const until = chain.map((each) => retryAt(each, now)).find((time) => time !== null) ?? null;
  return problem === null || until === null ? problem : { ...problem, until };
}

/** An error, its causes and aggregated errors, each once. */
function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && chain.length < deepest) {
    const next = open.shift();
    if (typeof next !== "object" || next === null || chain.includes(next)) continue;
    chain.push(next);
    const { cause, lastError, error: inner, data } = next as Fields;
    open.push(lastError, cause, inner, data);
  }
  return chain;
}

type Fields = Readonly<Record<string, unknown>>;

function kindOf(error: object): ServiceKind | null {
  const { name, code, type, status, statusCode } = error as Fields;
  const message = messageOf(error);
  // Prefer the message to the status: a status can mean several kinds.
  const said = message === "" ? null : kindOfMessage(message.replace(/\s+/g, " "));
  if (said === "context-exhausted" || said === "permission") return said;
  const ofStatus = [status, statusCode].find((each) => typeof each === "number");
  const classes = [code, type, name, classOf(error)].map((each) => names.get(String(each)) ?? null);
  const known = classes.find((kind) => kind === "permission") ?? classes.find((kind) => kind !== null) ?? null;
  return (
    known ??
    (ofStatus === undefined ? null : kindOfStatus(ofStatus)) ??
    said ??
    (noAnswer.test(message) ? "offline" : null)
  );
}

/** Name of the error's class, which SDKs do not set as `name`. */
const classOf = (error: object): string => (Object.getPrototypeOf(error) as object | null)?.constructor?.name ?? "";

function messageOf(error: object): string {
  const { message } = error as Fields;
  return typeof message === "string" ? message.trim() : "";
}

/** Time at which the response headers allow the next request; null if the headers give no time. */
function retryAt(error: object, now: number): number | null {
  const { headers, responseHeaders, response } = error as Fields;
  for (const each of [headers, responseHeaders, (response as Fields | undefined)?.["headers"]]) {
    const ms = headerOf(each, "retry-after-ms");
    const after = headerOf(each, "retry-after");
    const time = ms === null ? (after === null ? null : readResetTime(`retry-after: ${after}`, now)) : now + Number(ms);
    if (time !== null && isAhead(time, now)) return time;
  }
  return null;
}

function headerOf(headers: unknown, name: string): string | null {
  if (typeof headers !== "object" || headers === null) return null;
  const { get } = headers as { readonly get?: unknown };
  const value: unknown = typeof get === "function" ? get.call(headers, name) : (headers as Fields)[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
