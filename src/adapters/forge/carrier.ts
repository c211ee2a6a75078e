import { closeSync } from "node:fs";
import type { Refused } from "../../ports/forge.ts";
import { openOutputs, readTail } from "../processes/open-output.ts";
import { type Environment, runCommand } from "../processes/run-command.ts";
import { findCommand } from "../processes/shell-command.ts";

export interface ForgeCall {
  readonly method: "GET" | "POST";
  /** Path below the API root, without a leading slash: `graphql`, `repos/ann/shop/pulls`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ForgeReply {
  readonly kind: "reply";
  readonly status: number;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends requests to a forge with the user's login. Throws only if the signal is aborted. */
export type Carrier = (
  call: ForgeCall,
  signal: AbortSignal,
) => Promise<ForgeReply | { readonly kind: "offline"; readonly detail: string } | Refused>;

/** Maximum bytes of a response. The carrier keeps only the end of a longer log. */
const longestAnswer = 64 * 1024 * 1024;
const requestTimeoutMs = 60_000;

/** Variables for access to a forge. A run with a pull request withholds these variables from executors. */
export const forgeVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"] as const;

/**
 * Choose the access to a host: `gh` if installed, else a token from the environment. If GITHUB_API_URL sets the API
 * address, prefer a token, because `gh` ignores that variable.
 */
export function chooseCarrier({
  cwd,
  env,
  host,
}: {
  readonly cwd: string;
  readonly env: Environment;
  readonly host: string;
}): Carrier | Refused {
  const names = host === "github.com" ? forgeVariables : forgeVariables.toReversed();
  const token = names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  const root = env["GITHUB_API_URL"];
  if (token !== undefined && root !== undefined) return fetchCarrier({ root, token });
  if (findCommand("gh", cwd, env["PATH"]) !== null) return ghCarrier({ cwd, env, host });
  if (token === undefined) {
    return {
      kind: "refused",
      reason: "neither `gh` nor a token in GH_TOKEN or GITHUB_TOKEN was found",
      hint: "Install gh and log in with `gh auth login`, or set GH_TOKEN",
    };
  }
  return fetchCarrier({ root: rootOfHost(host), token });
}

const rootOfHost = (host: string): string =>
  host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`;

/**
 * Send requests with `fetch` and a token. A redirect, such as to a log, is followed without the token.
 *
 * @param root API address, such as `https://api.github.com`.
 */
export const fetchCarrier =
  ({ root, token }: { readonly root: string; readonly token: string }): Carrier =>
  async ({ method, path, body }, signal) => {
    const address = rootOf(root, path);
    const either = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
    try {
      const first = await fetch(`${address}/${path}`, {
        method,
        redirect: "manual",
        signal: either,
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": "fixpoint",
          "x-github-api-version": "2022-11-28",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const elsewhere =
        first.status === 301 || first.status === 302 || first.status === 307 ? first.headers.get("location") : null;
      if (elsewhere !== null && method === "GET") await first.body?.cancel();
      const answer =
        elsewhere === null || method !== "GET"
          ? first
          : await fetch(new URL(elsewhere, `${address}/`), { signal: either, headers: { "user-agent": "fixpoint" } });
      const headers = Object.fromEntries(answer.headers.entries());
      return { kind: "reply", status: answer.status, headers, body: await endOf(answer) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: "offline", detail: sayCause(error) };
    }
  };

/** Return the API root for a path: an enterprise host has GraphQL next to the REST root. */
const rootOf = (root: string, path: string): string => {
  const bare = root.replace(/(?<!\/)\/+$/, "");
  return path === "graphql" ? bare.replace(/\/api\/v3$/, "/api") : bare;
};

async function endOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes - (chunks[0]?.length ?? 0) >= longestAnswer) bytes -= chunks.shift()?.length ?? 0;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sayCause(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}

/**
 * Send requests with `gh api`, which has the login and follows redirects to logs. The body goes to stdin, because `gh`
 * would read a command-line field that begins with `@` as a path.
 *
 * @param env All variables of `gh`, with its token.
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

/** Parse the output of `gh api -i`: status line, headers, an empty line, the body. */
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
