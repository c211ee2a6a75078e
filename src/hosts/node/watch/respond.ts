import type { IncomingMessage, ServerResponse } from "node:http";
import { longestBody } from "./guard.ts";

/** What every answer says of itself. */
const headers = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/** A page, with what it may load and ask. */
interface Page {
  readonly text: string;
  /** Value of `Content-Security-Policy`. */
  readonly policy: string;
}

export function givePage(response: ServerResponse, { text, policy }: Page): void {
  response
    .writeHead(200, { ...headers, "Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8" })
    .end(text);
}

export function giveJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...headers, "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
}

/** Begin a stream of server-sent events. Its connection is closed with it: whoever ends the server need not wait for that. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { ...headers, Connection: "close", "Content-Type": "text/event-stream; charset=utf-8" });
}

/** The connection is closed, since the rest of the request is still to come. */
export function turnAway(response: ServerResponse, status: number, text = ""): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { ...headers, Connection: "close", "Content-Type": "text/plain; charset=utf-8" })
    .end(text);
}

/** The body of a request; null for one that is too long. */
export async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > longestBody) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
