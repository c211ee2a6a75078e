import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { McpServer } from "@modelcontextprotocol/server";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { shorten } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { bodyOf, refusalOfCall, turnAway } from "../../node/watch/guard.ts";
import type { OptionValues, Surroundings } from "../cli-command.ts";
import { openFileRun } from "../open-file-run.ts";
import { placeOf } from "./place.ts";
import { createSteps } from "./steps.ts";
import { registerTools } from "./tools.ts";

/** Maximum time to answer a call; many clients give up after 60 s. */
const patienceMs = 45_000;

/** Maximum size of an HTTP request in bytes, with room for the message in a report. */
const longestRequest = 4 * 1024 * 1024;

/**
 * Serve a spec over the Model Context Protocol until the client or the user stops it. Work in progress is finished
 * first, or resumed at the next step.
 *
 * @param port Port of 127.0.0.1; null for standard input and output.
 * @throws {InputError} `mcp-missing`
 * @throws {EnvironmentError} `port-unusable`
 */
export async function serveMcp(
  spec: string | undefined,
  values: OptionValues,
  { terminal, folder, signal }: Surroundings,
  port: number | null,
): Promise<void> {
  const { server: sdk, stdio } = await load(folder);
  const version = createRequire(import.meta.url)("fixpoint/package.json").version as string;
  const steps = createSteps(async () => (await openFileRun(spec, values, { folder, signal })).run, patienceMs);
  const { cwd } = values;
  const place = placeOf(spec, { folder, signal, ...(typeof cwd === "string" && { cwd }) });
  const make = (): McpServer => {
    const server = new sdk.McpServer({ name: "fixpoint", version }, { instructions });
    registerTools(server, steps, place);
    return server;
  };
  if (port === null) {
    const handle = stdio.serveStdio(make, {
      onerror: ({ message }) => terminal.err(`${escapeText(shorten(message, 300))}\n`),
    });
    if (!signal.aborted)
      await Promise.race([once(signal, "abort"), once(process.stdin, "close"), once(process.stdin, "end")]);
    await handle.close();
  } else {
    const handler = sdk.createMcpHandler(make);
    const token = randomBytes(32).toString("base64url");
    const hosts: string[] = [];
    const server = createServer((request, response) => {
      answer(request, response, { hosts, token, fetch: handler.fetch }).catch(() => turnAway(response, 500));
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
      throw new EnvironmentError(`Cannot serve on port ${port} of 127.0.0.1: ${cause.code}`, {
        code: "port-unusable",
        hint: "Name another port, or 0 for any free port",
        cause,
      });
    });
    const { port: taken } = server.address() as AddressInfo;
    hosts.push(`127.0.0.1:${taken}`, `localhost:${taken}`);
    terminal.out(`http://127.0.0.1:${taken}/mcp\nAuthorization: Bearer ${token}\n`);
    if (!signal.aborted) await once(signal, "abort");
    await handler.close();
    server.close();
    server.closeAllConnections();
  }
  await steps.idle();
}

const instructions =
  "Call next_task, do what the prompt says, call report_result with the nonce, and repeat until the answer is ended or asked. Never run Verify commands to prove a task to fixpoint, and never edit .fixpoint: fixpoint runs the checks itself. Each nonce belongs to the agent that does that task.";

interface Loaded {
  readonly server: typeof import("@modelcontextprotocol/server");
  readonly stdio: typeof import("@modelcontextprotocol/server/stdio");
}

/** Load the SDK that is installed with fixpoint; if there is none, load the SDK of the current folder. */
async function load(folder: string): Promise<Loaded> {
  const name = "@modelcontextprotocol/server";
  for (const from of [import.meta.url, pathToFileURL(join(folder, "package.json")).href]) {
    try {
      const { resolve } = createRequire(from);
      const [server, stdio] = await Promise.all(
        [name, `${name}/stdio`].map((each) => import(pathToFileURL(resolve(each)).href)),
      );
      return { server, stdio };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new InputError(`Cannot serve over MCP, expected \`${name}\` next to fixpoint or in ${folder}`, {
    code: "mcp-missing",
    hint: `npm install ${name}@2`,
  });
}

/** Answer a request from this machine that has the token. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    fetch,
    ...door
  }: {
    readonly hosts: readonly string[];
    readonly token: string;
    readonly fetch: (request: Request) => Promise<Response>;
  },
): Promise<void> {
  const refusal = refusalOfCall(request, door);
  if (refusal !== null) return turnAway(response, refusal);
  const [path] = (request.url ?? "").split("?", 1);
  if (path !== "/mcp") return turnAway(response, 404);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await bodyOf(request, longestRequest) : null;
  if (hasBody && body === null) return turnAway(response, 413);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(", ")] as [string, string]],
  );
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const made = await fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      body,
      signal: gone.signal,
    }),
  );
  response.writeHead(made.status, Object.fromEntries(made.headers));
  if (made.body !== null) for await (const chunk of made.body) response.write(chunk);
  response.end();
}
