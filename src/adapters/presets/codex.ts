import { streamIdleMs } from "../../model/limits.ts";
import type { Usage } from "../../model/reply.ts";
import { structuredClaim } from "../../parse/structured-claim.ts";
import { failedText, readError } from "./output/read-error.ts";
import { readLocalTime } from "./output/read-local-time.ts";
import { eventAt, eventsAt, parseEvent, type StreamEvent, textAt } from "./output/stream-event.ts";
import { denialsIn, openToolCalls, sayAct, toolAct } from "./output/tool-calls.ts";
import { addUsage, readUsage, tokensOf, type UsageFields } from "./output/usage-count.ts";
import type { Preset, ReaderOptions, StreamReader, WorkWatch } from "./preset.ts";
import { checkCodex } from "./setup/check-codex.ts";

/** Codex. Its input tokens include those from a cache. */
export const codex: Preset = {
  name: "codex",
  command: "codex exec --json -",
  rights: {
    edit: {
      why: "it runs any command, in a sandbox without network that writes only the workspace",
      instead: "--sandbox workspace-write --add-dir .git",
    },
    full: { args: ["--dangerously-bypass-approvals-and-sandbox"] },
  },
  idleTimeoutMs: streamIdleMs,
  waits: (event) => event["type"] === "error" && waitingForNetwork.test(textAt(event, "message") ?? ""),
  checkFirst: checkCodex,
  openReader,
  openWatch: () => watch,
  claimWords: ({ file }) => ["--output-schema", file()],
};

const waitingForNetwork = /\bwaiting for network\b/i;
const fields: UsageFields = { input: [["input_tokens"]], output: [["output_tokens"]] };

/** Whether the sandbox has denied a command: `.git` is read-only in there, and the message may name the sandbox. */
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
      // An earlier error was one attempt to reach the service.
      failed = false;
      error = null;
    } else if (type === "turn.completed") {
      usage = addUsage(usage, readUsage(event, ["usage"], fields));
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
  if (event["type"] === "turn.completed") return tokensOf(readUsage(event, ["usage"], fields));
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

/** The command without the shell that runs it. */
const withoutShell = (command: string): string => /^\S*sh -l?c '([^']*)'$/.exec(command)?.[1] ?? command;
