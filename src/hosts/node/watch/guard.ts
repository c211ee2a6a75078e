import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Whom a server of this machine answers. */
interface Door {
  /** Values of `Host` that name it, such as `127.0.0.1:4711`. */
  readonly hosts: readonly string[];
  readonly token: string;
}

/** What of a run, or of a list of specs, may be asked for, by its path. */
const methods: Readonly<Record<string, string>> = {
  "/": "GET",
  "/diff": "GET",
  "/printed": "GET",
  "/stream": "GET",
  "/specs": "GET",
  "/say": "POST",
};

/** What a request is about. */
export interface Place {
  /** The place of a spec in a list; null outside of one. */
  readonly place: number | null;
  /** What of it, as `/stream`. */
  readonly path: string;
}

/** The place that a request names: `/stream`, or `/runs/3/stream`. */
export function placeIn(url: string): Place {
  const way = url.split("?", 1)[0] ?? "";
  const [, place, path] = /^\/runs\/(0|[1-9]\d{0,5})(\/.*)$/.exec(way) ?? [];
  return place === undefined || path === undefined ? { place: null, path: way } : { place: Number(place), path };
}

/** The page itself holds no secret, so it alone is given without the token. */
export const needsToken = ({ path }: Pick<Place, "path">): boolean => path !== "/";

/**
 * Why a request is turned away, as a status of HTTP; null when it is answered.
 *
 * Another page in the same browser cannot name this host as its own, sends its origin, and does not know the token. Only
 * the page itself is given to a browser that comes from elsewhere.
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

/** Why a request is turned away that is no page's: it names this host, comes from no other origin, and has the token. */
export const refusalOfCall = (request: IncomingMessage, { hosts, token }: Door): number | null =>
  refusalOfPlace(request, hosts) ?? (isBearer(request.headers.authorization ?? "", token) ? null : 401);

function refusalOfPlace(request: IncomingMessage, hosts: readonly string[]): number | null {
  const { headers } = request;
  if (isRepeated(request, "host") || isRepeated(request, "authorization") || isRepeated(request, "origin")) return 400;
  if (!hosts.includes(headers.host ?? "")) return 421;
  return headers.origin === undefined || hosts.some((host) => headers.origin === `http://${host}`) ? null : 403;
}

/** The most bytes that a word of a person may have: 4000 characters, and what JSON adds. */
const longestBody = 32 * 1024;

function refusalOfBody({ headers }: IncomingMessage): number | null {
  // A form of another page can send no such type without being asked about first.
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "")) return 415;
  if (headers["content-encoding"] !== undefined || headers["transfer-encoding"] !== undefined) return 415;
  const length = headers["content-length"];
  if (length === undefined) return 411;
  return Number(length) <= longestBody ? null : 413;
}

const isRepeated = ({ rawHeaders }: IncomingMessage, name: string): boolean =>
  rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === name).length > 1;

/** Compared in a time that tells nothing of where the two differ. */
const isBearer = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(`Bearer ${token}`));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

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
