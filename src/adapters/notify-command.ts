import { closeSync } from "node:fs";
import { FixpointError } from "../model/errors.ts";
import type { Notification } from "../model/status.ts";
import { openOutputs, readTail } from "./processes/open-output.ts";
import { scrubEnvironment } from "./processes/redact-secrets.ts";
import { type CommandEnd, runCommand } from "./processes/run-command.ts";

/** Marks the process of a notify command, together with `FIXPOINT_SPEC`. */
export const notifyMark = { FIXPOINT_KEY: "notify" } as const;

/**
 * Run a user's command with `sh -c`. The command's stdin gets the notification as one line of JSON, and variables hold
 * the main fields. Variables that look like secrets are withheld.
 *
 * @param timeoutMs Time limit (10 s by default).
 * @returns The reason why the command failed, in one line; null if it succeeded or `signal` ended it.
 */
export async function notifyCommand(
  command: string,
  notification: Notification,
  signal: AbortSignal,
  timeoutMs = 10_000,
): Promise<string | null> {
  try {
    const { stdout, stderr } = openOutputs();
    try {
      const end = await runCommand(
        "sh",
        ["-c", command],
        {
          cwd: notification.workspace,
          env: { ...scrubEnvironment(process.env), ...variablesOf(notification) },
          stdin: `${JSON.stringify(notification)}\n`,
          ...{ stdout, stderr, timeoutMs, outputCapBytes, graceMs },
        },
        signal,
      );
      return signal.aborted ? null : whyFailed(end, readTail(stderr, tailBytes));
    } finally {
      closeSync(stdout);
      closeSync(stderr);
    }
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return error.message;
  }
}

const outputCapBytes = 1024 * 1024;
const graceMs = 1000;
const tailBytes = 1024;

const variablesOf = ({ event, folder, task, message }: Notification) => ({
  ...notifyMark,
  FIXPOINT_SPEC: folder,
  FIXPOINT_EVENT: event,
  FIXPOINT_MESSAGE: message,
  ...(task !== null && { FIXPOINT_TASK_ID: task }),
});

function whyFailed({ ended, exitCode, signal, limit }: CommandEnd, printed: string): string | null {
  if (ended === "timeout") return `it was stopped after ${(limit ?? 0) / 1000} s`;
  if (ended === "flood") return `it was stopped after ${limit} bytes of output`;
  if (exitCode === 0) return null;
  const last = printed.trim().split("\n").at(-1) ?? "";
  return `${exitCode === null ? `ended by ${signal}` : `exit ${exitCode}`}${last === "" ? "" : `: ${last}`}`;
}
