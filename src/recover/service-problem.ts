import type { ServiceProblem } from "../model/reply.ts";
import { clamp } from "../model/text.ts";
import { readClockTime } from "./clock-time.ts";

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;
/** Maximum wait; a message with a longer wait is ignored. */
const longestMs = 7 * dayMs;

/**
 * Read the time at which the cause of an error ends. Forms: `try again in 5m30s`, `retry-after: 120`, `resets at` with
 * an ISO 8601 or HTTP date, `limit reached|` with seconds since 1970, and clock times such as
 * `resets 9pm (Europe/Paris)`.
 *
 * @param text Message of a service or its program.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds since 1970, at most seven days ahead; null if no time is given, or the time has passed.
 */
export function readResetTime(text: string, now: number): number | null {
  for (const { index, 0: word } of text.matchAll(announcements)) {
    const start = index + word.length;
    const said = text.slice(start, start + 80).replace(fillers, "");
    const clock = readTime(said) ?? readClockTime(said, now);
    const time = clock ?? now + (readDuration(said) ?? (bareUnits[word.toLowerCase()] ?? noUnit)(said));
    if (isAhead(time, now)) return Math.round(time);
  }
  return null;
}

export const isAhead = (time: number, now: number): boolean => time > now && time <= now + longestMs;

const announcements =
  /retry[-_ ]?(?:after[-_]ms|after|delay|in)|reset[-_ ]time|resets?[-_ ]?(?:at|in)?|again|wait|until|available|limit reached(?=\|)/gi;

const fillers = /^[\s"'=:(|]{0,8}(?:(?:in|at|on|about|approximately|after|for)[\s"'=:]{1,4}){0,3}/i;

function readTime(said: string): number | null {
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|UTC|[+-]\d\d:\d\d)/.exec(said);
  if (iso !== null) return Date.parse(iso[0].replace(/ ?UTC/, "Z").replace(" ", "T"));
  const http = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/.exec(said);
  if (http !== null) return Date.parse(http[0]);
  const epoch = /^(?:\d{13}|\d{10})(?!\d)/.exec(said);
  if (epoch === null) return null;
  return epoch[0].length === 13 ? Number(epoch[0]) : Number(epoch[0]) * secondMs;
}

function readDuration(said: string): number | null {
  let total: number | null = null;
  for (const [part] of said.matchAll(durations)) total = (total ?? 0) + Number.parseFloat(part) * unitMs(part);
  return total;
}

const durations =
  /\d{1,9}(?:\.\d{1,9})? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])[ ,]{0,2}(?:and )?/giy;

function unitMs(part: string): number {
  if (/\d ?(?:ms|milli)/i.test(part)) return 1;
  if (/\d ?s/i.test(part)) return secondMs;
  if (/\d ?m/i.test(part)) return 60 * secondMs;
  return /\d ?h/i.test(part) ? 60 * 60 * secondMs : dayMs;
}

/** A wait stated without a unit counts as zero. */
const noUnit = (): number => 0;

const bareNumber = (unitMs: number) => (said: string) => {
  const number = /^\d{1,9}(?=[\s"',;})\]]|$)/.exec(said);
  return number === null ? 0 : Number(number[0]) * unitMs;
};

/** Readers of header values, which are numbers without a unit. */
const bareUnits: Readonly<Record<string, (said: string) => number>> = {
  "retry-after": bareNumber(secondMs),
  retry_after: bareNumber(secondMs),
  "retry-after-ms": bareNumber(1),
  retry_after_ms: bareNumber(1),
};

export type ServiceKind = ServiceProblem["kind"];

/** Messages of services and their programs; a line that matches several kinds belongs to the first of these kinds. */
const wordings: readonly (readonly [ServiceKind, readonly RegExp[]])[] = [
  [
    "context-exhausted",
    [
      /\binput token count .{0,20}exceeds the maximum number of tokens allowed/i,
      /context[_ ]length[_ ]exceeded|maximum context length|prompt is too long|ContextOverflowError/i,
      /context (?:window|length|limit) (?:is |was |has been )?(?:exceeded|exhausted|full|overflow)/i,
      /exceed(?:s|ed)? (?:the |its )?(?:model's )?(?:maximum )?context|room in the model's context window/i,
    ],
  ],
  // A pause does not solve a problem of this kind. With a reset time, the same words describe a limit.
  [
    "permission",
    [
      /\b(?:insufficient|not enough|out of|no) (?:credits?|funds|balance)\b|\bcredits? (?:exhausted|used up|depleted)\b/i,
      /\bmodel_not_found\b|\b(?:unknown|invalid|unsupported|no such) model\b|\bissue with the selected model\b/i,
      /\bmodel ["'`]?[\w.:/-]{1,80}["'`]? (?:is |was )?(?:not found|does not exist|not (?:available|supported))\b/i,
      /\binsufficient_quota\b|\bquota exceeded\. check your plan and billing details/i,
      /\bcheck your plan and billing details\b(?!.{0,100}\b(?:re)?try (?:again )?(?:in|after)\b)/i,
      /\bnot (?:running )?in(?:side)? a trusted directory\b/i,
    ],
  ],
  [
    "rate-limit",
    [
      /too many requests|rate[-_ ]limit(?:ed|s)?[-_ ](?:error|exceeded|reached|hit)|\bRateLimitError\b/i,
      /\b(?:error|exceeded|reached|hit):? (?:[\w']{1,15} ){0,4}rate[-_ ]limit|\b(?:are|been|is|was) rate[- ]limited/i,
      /\b(?:usage|session|weekly|daily|hourly|monthly|5-hour|request|token) (?:limit|quota) (?:reached|exceeded|hit)/i,
      /\b(?:usage|session|weekly|daily|hourly|monthly|5-hour) limit\b.{0,40}\bresets?\b/i,
      /\b(?:hit|reached|exceeded|exhausted) your (?:[\w-]{1,20} ){0,4}(?:limit|quota|capacity)\b/i,
      /\bquota (?:exceeded|exhausted)|\bexceeded your (?:current )?quota\b|\bRESOURCE_EXHAUSTED\b/i,
      /\boverloaded_error\b|\b529 overloaded\b|\b(?:api|model|server|service|engine) is (?:currently |temporarily )?overloaded\b/i,
      /\bmodel is at capacity\b|\bcurrently experiencing high demand\b/i,
      /\b(?:HTTP(?:\/[\d.]{1,3})?|status(?:[_ ]?code)?|error(?: code)?|code)["']?[ :=]{1,3}(?:429|529)\b/i,
      /^(?:\w{1,40}: )?429 ["{]|\w \(429\)/,
    ],
  ],
  // Authenticated, but not authorized.
  ["permission", [/(?:\bAPI Error:|\(HTTP) 403\b/]],
  [
    "auth",
    [
      /\bnot (?:logged in|authenticated|signed in)\b|\b(?:login|sign-in|authentication) (?:is )?required\b/i,
      /\bplease (?:run|use) .{0,30}\blog-?in\b|\bplease (?:log|sign) in\b|\bbad credentials\b/i,
      /\b(?:invalid|incorrect|missing|no|expired|unknown) (?:x-)?api[-_ ]key\b/i,
      /\bapi[-_ ]key (?:is |was |has )?(?:not set|not found|not valid|missing|invalid|expired|required|revoked)\b/i,
      /\bauthentication_(?:error|failed)\b|\bauthentication (?:failed|error)\b|\b(?:Provider)?Auth(?:entication)?Error\b/i,
      /\b(?:oauth|access|refresh|auth) token (?:has |is )?(?:expired|invalid|revoked)\b|^error: unauthorized\b/i,
      /\b(?:HTTP(?:\/[\d.]{1,3})?|status(?:[_ ]?code)?|error(?: code)?|code)["']?[ :=]{1,3}401\b/i,
      /^(?:\w{1,40}: )?401 ["{]|\w \(401\)|\b401:? unauthorized\b/i,
      /\bplease set an auth method\b|\binvalid auth method selected\b|\bno auth type is selected\b/i,
      /\bno authentication information found\b|^missing environment variable: `\w{1,80}`|^(?:error: )?login failed: /i,
    ],
  ],
  [
    "permission",
    [
      /\bpermission_(?:error|denied)\b|\bPermissionDeniedError\b|\bbilling_error\b|\bpayment required\b/i,
      /\bcredit balance is too low\b|\bnot have (?:access|permission) to (?:this|the) (?:model|organization|api)\b/i,
      /\b(?:HTTP(?:\/[\d.]{1,3})?|status(?:[_ ]?code)?|error(?: code)?|code)["']?[ :=]{1,3}40[23]\b/i,
      /^(?:\w{1,40}: )?40[23] ["{]|\w \(40[23]\)|\b403:? forbidden\b/i,
    ],
  ],
  [
    "offline",
    [
      /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH|ECONNREFUSED)\b/,
      /\bnetwork is unreachable\b|\bno route to host\b|\bcould not resolve host\b|\bno internet connection\b/i,
      /\btemporary failure in name resolution\b|\bname or service not known\b|\bnodename nor servname\b/i,
      /\bdns error\b|\b(?:(?:unable|failed) to|cannot) connect to (?:the )?(?:api|server|service)\b/i,
      /\b50[234]:? (?:bad gateway|service (?:temporarily )?unavailable|gateway time-?out)/i,
      /\berror sending request for url\b|\bfailed to lookup address information\b/i,
      /\bunable to connect\. is the computer able to access the url\b/i,
    ],
  ],
];

/** Messages of programs about their own provider, which may run on this machine. Their kind is `offline`. */
const ofProvider: readonly RegExp[] = [
  /\bAPIConnectionError\b|^(?:\w{0,40}error: )?connection error\.$|\bAPI Error: connection (?:error|refused|dropped)\b/i,
  /^request timed out\.$|\bthe socket connection was closed unexpectedly\b|\(cause: other side closed\)/i,
  /\(cause: fetch failed\)|\bfetch failed sending request\b|\bconnection failed: error sending request\b/i,
  /\breconnecting\.{3} waiting for network\b|\bstream disconnected before completion\b|\bcannot connect to API\b/i,
  /\bcould not connect to (?:local model )?provider\b|\bfailed native model HTTP request\b|\bcouldn't connect to the \w{1,40} server\b/i,
  /\/v1\/(?:chat\/completions|messages|responses)\b.{0,200}\bconnection refused\b/i,
  /(?:API ?Error|\blast error|\bunexpected status):? (?:\{"error":\{"code":)?5\d\d\b|^(?:\w{1,40}: )?5\d\d \{"type":"error"/i,
  /\bthe server had an error (?:while )?processing your request\b|"status":"(?:INTERNAL|UNAVAILABLE)"/i,
  /\b(?:openai|anthropic|litellm)\.(?:exceptions\.)?InternalServerError\b/,
];

export const isAboutProvider = (line: string): boolean => ofProvider.some((form) => form.test(line));

export const kindOfMessage = (line: string): ServiceKind | null =>
  wordings.find(([, forms]) => forms.some((form) => form.test(line)))?.[0] ??
  (isAboutProvider(line) ? "offline" : null);

const statuses: Readonly<Record<number, ServiceKind>> = {
  401: "auth",
  402: "permission",
  403: "permission",
  429: "rate-limit",
  500: "offline",
  502: "offline",
  503: "offline",
  504: "offline",
  529: "rate-limit",
};

export const kindOfStatus = (status: number): ServiceKind | null => statuses[status] ?? null;

const read = 4096;
const kept = 300;

/**
 * Derive the problem of an executor from an error message of its service.
 *
 * @param message Message of the service, never text of an agent or output of its tools.
 * @param now Milliseconds since 1970; without it, no reset time is read.
 * @param kind Kind of the problem, if it is already determined, such as by a status code.
 * @returns Null for any other error.
 */
export function readServiceProblem(
  message: string,
  now?: number,
  kind: ServiceKind | null = null,
): ServiceProblem | null {
  const line = message
    .slice(0, read)
    .replace(/\s{1,100}/g, " ")
    .trim();
  const told = kind ?? kindOfMessage(line);
  return told === null ? null : serviceProblem(told, line, now === undefined ? null : readResetTime(line, now));
}

export const serviceProblem = (kind: ServiceKind, line: string, until: number | null): ServiceProblem => ({
  kind,
  message: clamp(line, kept),
  ...(until !== null && { until }),
});
