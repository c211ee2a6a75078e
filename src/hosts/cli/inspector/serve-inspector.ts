import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { Inspect } from "../../../runtime/drive-charts.ts";
import { type StatelyMessage, statelyMessage } from "../../../runtime/stately-message.ts";
import { givePage } from "../../node/watch/guard.ts";

/** Maximum number of bytes buffered for a viewer. A viewer with more is disconnected. */
const mostWaiting = 32 * 1024 * 1024;
const mostViewers = 8;
/** Time in milliseconds for viewers to receive the last messages after the run has ended. */
const longestClosing = 1000;

/** A server for the Stately inspector, on this machine only. */
export interface InspectorServer {
  /** The address for `createWebSocketReceiver({ server })`, with the access token. */
  readonly address: string;
  /** The address, with the access token, of a page that shows the run in Stately's viewer. */
  readonly page: string;
  readonly inspect: Extract<Inspect, (...given: never[]) => unknown>;
  /** Resolves when viewers have received everything, or after a timeout. */
  close(): Promise<void>;
}

/**
 * Offer the messages of `@statelyai/inspect` over a WebSocket, and a page that forwards them to Stately's viewer. A
 * viewer that connects later gets the kept messages first. The server does not keep the process alive, and disconnects
 * a viewer that does not read.
 */
export async function serveInspector(): Promise<InspectorServer> {
  const token = randomBytes(32).toString("base64url");
  const kept = keepMessages();
  const server = createServer().unref();
  server.requestTimeout = 5000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, clientTracking: true });
  server.on("request", (request, response) => {
    const refusal = refusalOf(request, { token, port });
    if (refusal !== null) response.writeHead(Number.parseInt(refusal, 10)).end();
    else givePage(response, viewerPage(request.headers.host ?? host));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => {});
    const isFull = sockets.clients.size >= mostViewers;
    const refusal = refusalOf(request, { token, port }) ?? (isFull ? "503 Service Unavailable" : null);
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      // Without this call, the socket stays half-open until the client closes the connection.
      socket.destroySoon();
      return;
    }
    socket.unref();
    sockets.handleUpgrade(request, socket, head, (viewer) => {
      viewer.on("error", () => {});
      for (const message of kept.all()) tell(viewer, JSON.stringify(message));
    });
  });
  return {
    address: `ws://${host}/inspect?token=${token}`,
    page: `http://${host}/inspect?token=${token}`,
    inspect: (event) => {
      const message = statelyMessage(event, Date.now());
      if (message === null) return;
      kept.add(message);
      if (sockets.clients.size === 0) return;
      const text = JSON.stringify(message);
      for (const viewer of sockets.clients) tell(viewer, text);
    },
    close: async () => {
      server.close();
      const gone = [...sockets.clients].map((viewer) => once(viewer, "close"));
      for (const viewer of sockets.clients) viewer.close(1000);
      if (gone.length > 0)
        await Promise.race([Promise.all(gone), new Promise((end) => setTimeout(end, longestClosing))]);
      for (const viewer of sockets.clients) viewer.terminate();
      server.closeAllConnections();
    },
  };
}

function tell(viewer: WebSocket, text: string): void {
  if (viewer.readyState !== viewer.OPEN) return;
  if (viewer.bufferedAmount > mostWaiting) viewer.terminate();
  else viewer.send(text);
}

/** Return an HTTP error to refuse a request; null to accept it. */
function refusalOf(
  { url = "", headers: { host = "" } }: IncomingMessage,
  { token, port }: { readonly token: string; readonly port: number },
): string | null {
  // Refuse other host names (DNS rebinding).
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return "421 Misdirected Request";
  const [path, query = ""] = url.split("?");
  if (path !== "/inspect") return "404 Not Found";
  return isEqual(new URLSearchParams(query).get("token") ?? "", token) ? null : "401 Unauthorized";
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Maximum number of kept messages, not counting messages that announce an actor. */
const most = 1000;

/** Messages for viewers that connect later: all that announce an actor, and the most recent other messages. */
export interface KeptMessages {
  add(message: StatelyMessage): void;
  /** All kept messages, oldest first. */
  all(): StatelyMessage[];
}

export function keepMessages(): KeptMessages {
  let count = 0;
  const actors: { readonly at: number; readonly message: StatelyMessage }[] = [];
  const others: typeof actors = [];
  return {
    add: (message) => {
      (message.type === "@xstate.actor" ? actors : others).push({ at: count++, message });
      if (others.length > most) others.shift();
    },
    all: () => [...actors, ...others].sort((one, other) => one.at - other.at).map(({ message }) => message),
  };
}

/** Origin of Stately's viewer, which the browser loads from the internet. */
const origin = "https://stately.ai";

/**
 * Script of the page: once the viewer has announced itself, forward every message of the run to the viewer, beginning
 * with the kept messages. Protocol: `createBrowserInspector` in `@statelyai/inspect` 0.7.2.
 */
const script = `
let socket;
addEventListener("message", ({ source, origin, data }) => {
  const viewer = document.querySelector("iframe").contentWindow;
  if (source !== viewer || origin !== "${origin}" || data?.type !== "@statelyai.connected") return;
  socket?.close();
  socket = new WebSocket(location.href.replace("http", "ws"));
  socket.onmessage = ({ data }) => viewer.postMessage(JSON.parse(data), origin);
});
`;
const style = "html, body, iframe { border: 0; height: 100%; margin: 0; width: 100% } body { overflow: hidden }";
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const viewerPage = (host: string): { readonly text: string; readonly policy: string } => ({
  text: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>fixpoint: inspector</title>',
    `<link rel="icon" href="data:,"><style>${style}</style></head><body><script>${script}</script>`,
    `<iframe src="${origin}/inspect" title="Stately's inspector"></iframe></body></html>\n`,
  ].join(""),
  policy: [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src ws://${host}`,
    `frame-src ${origin}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
});
