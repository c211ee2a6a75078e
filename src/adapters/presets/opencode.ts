import { streamIdleMs } from "../../model/limits.ts";
import type { Usage } from "../../model/reply.ts";
import type { ServiceKind } from "../../recover/service-kind.ts";
import { openMessage } from "./output/message-text.ts";
import type { StatedError } from "./output/read-error.ts";
import { errorOrText } from "./output/read-error.ts";
import { amountAt, eventAt, type StreamEvent, textAt } from "./output/stream-event.ts";
import { actOf, denialsIn, openToolCalls, sayAct, toolAct } from "./output/tool-calls.ts";
import { addUsage, readUsage, tokensOf, type UsageFields } from "./output/usage-count.ts";
import type { Preset, StreamReader, WorkWatch } from "./preset.ts";
import { thatFit } from "./setup/tool-rights.ts";

/** OpenCode. */
export const opencode: Preset = {
  name: "opencode",
  command: "opencode run --format json",
  rights: {
    edit: (commands) => ({ args: [], env: { OPENCODE_PERMISSION: JSON.stringify(editRules(commands)) } }),
    full: { args: [], env: { OPENCODE_PERMISSION: JSON.stringify("allow") } },
  },
  idleTimeoutMs: streamIdleMs,
  openReader,
  openWatch,
};

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

/** A later rule overrides an earlier one. Each part of a compound command is checked. */
const editRules = (commands: readonly string[]) => ({
  "*": "deny",
  ...Object.fromEntries(
    ["read", "list", "glob", "grep", "edit", "todoread", "todowrite"].map((tool) => [tool, "allow"] as const),
  ),
  bash: Object.fromEntries([
    ["*", "deny"],
    ...["git add *", "git commit *", ...thatFit(commands.filter(isExact))].map((command) => [command, "allow"]),
    // The rules above would let them write anywhere.
    ...["git add *>*", "git commit *>*"].map((command) => [command, "deny"]),
  ]),
});

/** Characters with a meaning of their own in a rule. */
const isExact = (command: string): boolean => !/[*?]/.test(command);

/** The beginning of its message that a call was denied. */
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
