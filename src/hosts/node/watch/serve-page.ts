import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import { PageWord, type Recording } from "../../../model/frame.ts";
import type { Speaker } from "../../../model/speaker.ts";
import { tellReceipt } from "../../../wording/tell-receipt.ts";
import { contentPolicy, renderPage } from "../../page/render-page.ts";
import type { SpecFolder } from "../find-spec.ts";
import { stopRun } from "../message-run.ts";
import { type RecordedFilm, recordingOf } from "../reading/grow-film.ts";
import { readStory } from "../reading/read-stories.ts";
import { sayWord } from "../say-word.ts";
import { watchRun } from "./follow-run.ts";
import { longestBody, refusalOf } from "./guard.ts";
import { redirectFile } from "./redirect-file.ts";
import { streamTo } from "./stream.ts";

/** A page that shows the run of a spec, live, to this user. */
export interface ServedPage {
  /** The file that leads to it. */
  readonly path: string;
  /** Where it is, without what it knows its user by. */
  readonly address: string;
  /** Ends it for all viewers. */
  close(): Promise<void>;
}

/** Whom the page's words come from, and how command lines name the spec. */
export interface PageOptions {
  readonly by: Speaker;
  readonly address: SpecAddress;
}

/** Connections at once, and words that are waited for at once. */
const [mostConnections, mostWords] = [32, 4];
/** How long a request may take to arrive, and how long a stop is waited for. */
const [arriveMs, stopMs] = [5000, 3000];

const headers = {
  "Content-Security-Policy": `${contentPolicy("live")}; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/**
 * Serve the page of a spec on 127.0.0.1, on a port that is free. Only who can read the file that leads there is answered
 * more than the bare page.
 *
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export async function servePage(spec: SpecFolder, { by, address }: PageOptions): Promise<ServedPage> {
  const place = userFolder(spec.folder, spec.folder);
  const token = randomBytes(32).toString("base64url");
  const run = watchRun(spec, address);
  const page = renderPage(null);
  const streams = new Set<() => void>();
  /** The rows that viewers were given last, by run and number of frames. */
  const loads = new Map<string, RecordedFilm["rows"] | null>();
  const gone = new AbortController();
  let words = 0;
  const hosts: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, { hosts, token });
    if (refusal !== null) return turnAway(response, refusal);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/") return give(response, "text/html; charset=utf-8", page);
    if (pathname === "/frames") return giveJson(response, given());
    if (pathname === "/story") return giveJson(response, readStory(run.look().film, searchParams.get("task") ?? ""));
    if (pathname === "/say") return await hear(request, response);
    const [number, frames] = ["run", "frames"].map((name) => Number(searchParams.get(name) ?? "0"));
    const seen = { run: number ?? 0, frames: frames ?? 0, rows: loads.get(`${number} ${frames}`) ?? null };
    response.writeHead(200, { ...headers, "Content-Type": "text/event-stream; charset=utf-8" });
    const end = streamTo(response, run, seen);
    streams.add(end);
    response.on("close", () => streams.delete(end));
  };
  const given = (): Recording => {
    const { film } = run.look();
    const key = `${film.run} ${film.frames.length}`;
    // With other rows at the same frame nobody can tell which of them a viewer has.
    loads.set(key, (loads.get(key) ?? film.rows) === film.rows ? film.rows : null);
    if (loads.size > mostConnections) loads.delete(loads.keys().next().value ?? "");
    return recordingOf(film);
  };
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (words >= mostWords) return turnAway(response, 429);
    words += 1;
    try {
      const body = await bodyOf(request);
      const word = body === null ? null : wordIn(body);
      if (word === null) return turnAway(response, body === null ? 413 : 400);
      giveJson(response, { answer: await say(word) });
    } finally {
      words -= 1;
    }
  };
  const say = async ({ word, text, task }: PageWord): Promise<string> => {
    const how = { by, address, signal: gone.signal };
    if (word === "guidance" && (text ?? "").trim() === "") return "Not heard: guidance needs a text";
    try {
      return tellReceipt(await sayWord(spec, { word, text, task }, how), address);
    } catch (error) {
      if (!(error instanceof FixpointError)) throw error;
      const isStop = word === "stop" && error.code === "nothing-to-decide";
      if (!isStop) return `${error.message}${error.hint === undefined ? "" : `. ${error.hint}`}`;
      const { kind } = await stopRun(spec, by, AbortSignal.any([gone.signal, AbortSignal.timeout(stopMs)]));
      return kind === "ended" ? "Stopped. It can be continued later" : "Will stop: what is under way is being ended";
    }
  };
  const server = createServer(
    {
      maxHeaderSize: 8192,
      requestTimeout: arriveMs,
      headersTimeout: arriveMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: arriveMs,
    },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        const message = error instanceof FixpointError ? error.message : "This cannot be shown";
        turnAway(response, 500, message);
      });
    },
  );
  server.maxConnections = mostConnections;
  server.on("clientError", (_error, socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${port}`, `localhost:${port}`);
  const file = redirectFile(place, `http://127.0.0.1:${port}/#token=${token}`);
  return {
    path: file.path,
    address: `http://127.0.0.1:${port}/`,
    close: async () => {
      file.remove();
      gone.abort();
      for (const end of streams) end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      setTimeout(() => server.closeAllConnections(), 100).unref();
      await closed;
    },
  };
}

function give(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { ...headers, "Content-Type": type }).end(body);
}

const giveJson = (response: ServerResponse, value: unknown): void =>
  give(response, "application/json; charset=utf-8", JSON.stringify(value));

/** The connection is closed, since the rest of the request is still to come. */
function turnAway(response: ServerResponse, status: number, text = ""): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { ...headers, Connection: "close", "Content-Type": "text/plain; charset=utf-8" })
    .end(text);
}

/** The body of a request; null for one that is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > longestBody) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const SaidWord = PageWord.strict();

function wordIn(body: string): PageWord | null {
  try {
    return SaidWord.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
