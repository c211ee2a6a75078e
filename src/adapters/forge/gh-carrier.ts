import { closeSync } from "node:fs";
import { openOutputs } from "../processes/open-output.ts";
import { readTail } from "../processes/read-tail.ts";
import { type Environment, runCommand } from "../processes/run-command.ts";
import { type Carrier, type ForgeReply, longestAnswer, requestTimeoutMs } from "./carrier.ts";

/**
 * Requests by `gh api`, which has the login, and which follows to where logs are kept. The body goes to its stdin: a
 * field on its command line that begins with `@` would be read as a path.
 *
 * @param env All variables of `gh`, its token included.
 */
export const ghCarrier =
  ({ cwd, env, host }: { readonly cwd: string; readonly env: Environment; readonly host?: string }): Carrier =>
  async ({ method, path, body }, signal) => {
    const { stdout, stderr } = openOutputs();
    try {
      const { exitCode } = await runCommand(
        "gh",
        [
          ...["api", "-i", "--method", method],
          ...(host === undefined || host === "github.com" ? [] : ["--hostname", host]),
          ...(body === undefined ? [] : ["--input", "-"]),
          path,
        ],
        {
          cwd,
          env: { ...env, GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1", GH_FORCE_TTY: undefined },
          ...(body !== undefined && { stdin: JSON.stringify(body) }),
          ...{ stdout, stderr, timeoutMs: requestTimeoutMs, outputCapBytes: 2 * longestAnswer },
        },
        signal,
      );
      signal.throwIfAborted();
      const said = readTail(stderr, 2000).trim();
      const reply = readReply(readTail(stdout, longestAnswer));
      if (reply !== null) return reply;
      if (exitCode === 4 || /gh auth login|GH_TOKEN/.test(said)) {
        return { kind: "refused", reason: "gh is not logged in", hint: "Log in with `gh auth login`" };
      }
      return { kind: "offline", detail: said || `gh ended with ${exitCode}` };
    } finally {
      closeSync(stdout);
      closeSync(stderr);
    }
  };

/** What `gh api -i` prints: the line of the status, headers, an empty line, the body. */
function readReply(text: string): ForgeReply | null {
  const [line, status] = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n/.exec(text) ?? [];
  if (line === undefined) return null;
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(line.length, end?.index ?? text.length);
  const headers = head.split(/\r?\n/).flatMap((each) => {
    const sign = each.indexOf(":");
    return sign < 1 ? [] : [[each.slice(0, sign).toLowerCase(), each.slice(sign + 1).trim()] as const];
  });
  const body = end === null ? "" : text.slice(end.index + end[0].length);
  return { kind: "reply", status: Number(status), headers: Object.fromEntries(headers), body };
}
