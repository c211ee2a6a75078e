import { streamIdleMs } from "../../model/limits.ts";
import type { Usage } from "../../model/reply.ts";
import { failedText, readError } from "./output/read-error.ts";
import { type StreamEvent, textAt } from "./output/stream-event.ts";
import { sayAct, toolAct } from "./output/tool-calls.ts";
import { anthropicUsage, readUsage } from "./output/usage-count.ts";
import type { Preset, StreamReader, WorkWatch } from "./preset.ts";
import { checkLogin } from "./setup/check-login.ts";

/** Factory's Droid. */
export const droid: Preset = {
  name: "droid",
  command: "droid exec --output-format stream-json",
  rights: {
    edit: { why: "it runs what its agent states to be of low risk", instead: "--auto low" },
    full: { args: ["--skip-permissions-unsafe"] },
  },
  idleTimeoutMs: streamIdleMs,
  checkFirst: (surroundings) =>
    checkLogin(
      {
        tool: "droid",
        env: ["FACTORY_API_KEY"],
        files: [".factory/auth.encrypted", ".factory/auth.v2.file", ".factory/auth.json", ".factory/settings.json"],
        remedy: "start droid and log in, or export FACTORY_API_KEY=\u2026",
      },
      surroundings,
    ),
  openReader,
  openWatch: () => watch,
};

function openReader(): StreamReader {
  let text: string | null = null;
  let usage: Usage = {};
  /** The text of the failed end, for when there was no error. */
  let finalText: string | null = null;
  let failed = false;
  let error: string | null = null;
  const see = (event: StreamEvent): void => {
    const type = event["type"];
    if (type === "message" && event["role"] === "assistant") {
      text = textAt(event, "text") ?? text;
      failed = false;
      error = null;
    } else if (type === "completion") {
      finalText = textAt(event, "finalText");
      text = finalText ?? text;
      usage = readUsage(event, ["usage"], anthropicUsage);
      failed = event["isError"] === true;
      if (!failed) error = null;
    } else if (type === "error") {
      failed = true;
      // The command line repeats in general words what the agent has reported before.
      if (error === null || event["source"] !== "cli") error = textAt(event, "message");
    }
  };
  return {
    see,
    end: ({ now }) => ({
      text: failed ? failedText(error ?? finalText) : text,
      usage,
      problem: error === null ? null : readError({ message: error }, now),
    }),
  };
}

const watch: WorkWatch = (event) => {
  const type = event["type"];
  if (type === "tool_call") return toolAct(textAt(event, "toolName"), event, "parameters");
  return type === "message" && event["role"] === "assistant" ? sayAct(textAt(event, "text")) : null;
};
