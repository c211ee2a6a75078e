import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

interface Door {
  /** Accepted values of `Host`, such as `127.0.0.1:4711`. */
  readonly hosts: readonly string[];
  readonly token: string;
}

/** Allowed paths of a run, or of a list of specs, with their method. */
const methods: Readonly<Record<string, string>> = {
  "/": "GET",
  "/diff": "GET",
  "/printed": "GET",
  "/stream": "GET",
  "/specs": "GET",
  "/say": "POST",
};

export interface Place {
  /** Index of the spec in a URL such as `/runs/3/…`; null for a URL without a spec. */
  readonly place: number | null;
  /** Path below the spec, such as `/stream`. */
  readonly path: string;
}

/** Parse the URL of a request: `/stream`, or `/runs/3/stream`. */
export function placeIn(url: string): Place {
  const way = url.split("?", 1)[0] ?? "";
  const [, place, path] = /^\/runs\/(0|[1-9]\d{0,5})(\/.*)$/.exec(way) ?? [];
  return place === undefined || path === undefined ? { place: null, path: way } : { place: Number(place), path };
}

/** Whether a path needs the token. The page itself contains no secret. */
export const needsToken = ({ path }: Pick<Place, "path">): boolean => path !== "/";

/**
 * Return the HTTP status for a refused request; null if the request is allowed.
 *
 * Another page in the same browser cannot send this host name, sends its own origin, and does not know the token. A
 * navigation from elsewhere gets only the page itself.
 */
export function refusalOf(request: IncomingMessage, { hosts, token }: Door): number | null {
  const { headers, method, url = "" } = request;
  const stranger = refusalOfPlace(request, hosts);
  if (stranger !== null) return stranger;
  const { path } = placeIn(url);
  const hasQuery = url.includes("?");
  const allowed = Object.hasOwn(methods, path) ? methods[path] : undefined;
  const isFromElsewhere = !["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined);
  const isOpened =
    path === "/" && !hasQuery && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (isFromElsewhere && !isOpened) return 403;
  if (allowed === undefined) return 404;
  if (method !== allowed) return 405;
  if (needsToken({ path }) && !isBearer(headers.authorization ?? "", token)) return 401;
  if (hasQuery && path !== "/printed" && path !== "/diff") return 404;
  if (method === "POST") return refusalOfBody(request);
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined ? null : 400;
}

/** Like `refusalOf`, for requests of a program, which need the right host, no foreign origin, and the token. */
export const refusalOfCall = (request: IncomingMessage, { hosts, token }: Door): number | null =>
  refusalOfPlace(request, hosts) ?? (isBearer(request.headers.authorization ?? "", token) ? null : 401);

function refusalOfPlace(request: IncomingMessage, hosts: readonly string[]): number | null {
  const { headers } = request;
  if (isRepeated(request, "host") || isRepeated(request, "authorization") || isRepeated(request, "origin")) return 400;
  if (!hosts.includes(headers.host ?? "")) return 421;
  return headers.origin === undefined || hosts.some((host) => headers.origin === `http://${host}`) ? null : 403;
}

/** Maximum size of a message in bytes: room for 4000 characters and the JSON around them. */
const longestBody = 32 * 1024;

function refusalOfBody({ headers }: IncomingMessage): number | null {
  // A form of another page cannot send this type without a preflight request.
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "")) return 415;
  if (headers["content-encoding"] !== undefined || headers["transfer-encoding"] !== undefined) return 415;
  const length = headers["content-length"];
  if (length === undefined) return 411;
  return Number(length) <= longestBody ? null : 413;
}

const isRepeated = ({ rawHeaders }: IncomingMessage, name: string): boolean =>
  rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === name).length > 1;

/** Whether a header carries the token. Compares in constant time. */
const isBearer = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(`Bearer ${token}`));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const headers = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

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

/**
 * Begin a stream of server-sent events. The connection closes with the stream, so that the server can end without
 * waiting for the viewer.
 */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { ...headers, Connection: "close", "Content-Type": "text/event-stream; charset=utf-8" });
}

/** Refuse a request. The connection is closed, since the rest of the request may still be arriving. */
export function turnAway(response: ServerResponse, status: number, text = ""): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { ...headers, Connection: "close", "Content-Type": "text/plain; charset=utf-8" })
    .end(text);
}

/** Read the body of a request; null if it is too long. */
export async function bodyOf(request: IncomingMessage, longest = longestBody): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > longest) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
