import type { Usage } from "../../../model/reply.ts";
import { structuredClaim } from "../../../parse/claim.ts";
import type { ReaderOptions, StreamReader, ToolStream, WorkWatch } from "../preset.ts";
import { failedText, readError } from "./stated-error.ts";
import {
  addUsage,
  denialsIn,
  eventAt,
  eventsAt,
  openToolCalls,
  parseEvent,
  plainUsage,
  readUsage,
  type StreamEvent,
  sayAct,
  textAt,
  tokensOf,
  toolAct,
} from "./stream-event.ts";

/** Codex counts cached tokens as input tokens. */
export const codexStream: ToolStream = {
  waits: (event) => event["type"] === "error" && waitingForNetwork.test(textAt(event, "message") ?? ""),
  openReader,
  openWatch: () => watch,
};

const waitingForNetwork = /\bwaiting for network\b/i;

/**
 * Return whether the sandbox denied a command: a line reports a read-only file system, and names `.git` or the sandbox.
 */
const isReadOnly = (output: string): boolean =>
  output
    .split("\n")
    .some((line) => /read-only file system/i.test(line) && (/\.git\//.test(line) || /sandbox/i.test(line)));

function openReader({ structuredClaim: isAsked = false }: Partial<ReaderOptions> = {}): StreamReader {
  let text: string | null = null;
  let usage: Usage = {};
  let failed = false;
  let error: string | null = null;
  const calls = openToolCalls();
  const fail = (message: string | null): void => {
    failed = true;
    error = message;
  };
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    const item = eventAt(event, "item");
    if (type === "item.completed" && item["type"] === "command_execution" && item["exit_code"] !== 0) {
      if (isReadOnly(textAt(item, "aggregated_output") ?? "")) calls.add("shell", textAt(item, "command") ?? "");
    } else if (type === "item.completed" && textAt(event, "item", "type") === "agent_message") {
      text = textAt(event, "item", "text") ?? text;
      // Forget an earlier error, which belonged to one connection attempt.
      failed = false;
      error = null;
    } else if (type === "turn.completed") {
      usage = addUsage(usage, readUsage(event, ["usage"], plainUsage));
      failed = false;
      error = null;
    } else if (type === "turn.failed") fail(textAt(event, "error", "message"));
    else if (type === "error") fail(textAt(event, "message"));
  };
  return {
    see,
    end: ({ now }) => {
      const until = error === null ? null : readLocalTime(error, now);
      const problem = error === null ? null : readError({ message: error, until }, now);
      const told = { usage, problem, ...denialsIn(calls) };
      const given = isAsked && !failed && text !== null ? structuredClaim(parseEvent(text)) : null;
      if (given !== null) return { text: given.message, ...told, claim: given.claim };
      return { text: failed ? failedText(error) : text, ...told };
    },
  };
}

const watch: WorkWatch = (event) => {
  if (event["type"] === "turn.completed") return tokensOf(readUsage(event, ["usage"], plainUsage));
  if (event["type"] !== "item.started" && event["type"] !== "item.completed") return null;
  return items.get(textAt(event, "item", "type") ?? "")?.(event) ?? null;
};

const items: ReadonlyMap<string, WorkWatch> = new Map<string, WorkWatch>([
  ["agent_message", (event) => sayAct(textAt(event, "item", "text"))],
  ["command_execution", (event) => ({ tool: "shell", line: withoutShell(textAt(event, "item", "command") ?? "") })],
  [
    "file_change",
    (event) => ({
      tool: "edit",
      line: eventsAt(event, "item", "changes")
        .map((change) => textAt(change, "path") ?? "")
        .join(", "),
    }),
  ],
  ["mcp_tool_call", (event) => toolAct(textAt(event, "item", "tool"), event, "item", "arguments")],
  ["web_search", (event) => toolAct("search", event, "item")],
]);

/** Remove the shell from a command line. */
const withoutShell = (command: string): string => /^\S*sh -l?c '([^']*)'$/.exec(command)?.[1] ?? command;

/**
 * Parse a local time that a tool printed, as in `try again at 6:31 AM` or `try again at Aug 20th, 2026 11:50 AM`. A
 * time without a date means its next occurrence.
 *
 * @param now Milliseconds since 1970.
 * @returns Milliseconds since 1970; null if the text has no time.
 */
export function readLocalTime(text: string, now: number): number | null {
  const said = announcement.exec(text)?.groups;
  if (said === undefined) return null;
  const { date, year, clock } = said;
  const today = new Date(now);
  if (date !== undefined) return timeOf(`${date} ${year} ${clock}`);
  const time = timeOf(`${today.toDateString()} ${clock}`);
  return time === null || time > now ? time : new Date(time).setDate(today.getDate() + 1);
}

const announcement =
  /again at (?:(?<date>[A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th)?, (?<year>\d{4}) )?(?<clock>\d{1,2}:\d\d [AP]M)/;

function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
