import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { refused } from "../../../adapters/files/refused.ts";
import { writeAtomic } from "../../../adapters/files/write-atomic.ts";
import { identifyProcess } from "../../../adapters/processes/process-identity.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { FixpointError } from "../../../model/errors.ts";
import { needsToken, type Place, placeIn, refusalOf, turnAway } from "./guard.ts";

export interface ServedPage {
  /** Path of the file that redirects to the page. */
  readonly path: string;
  /** URL without the token. */
  readonly address: string;
  close(): Promise<void>;
}

export interface Asked extends Place {
  readonly query: URLSearchParams;
}

export interface Room {
  answer(asked: Asked, request: IncomingMessage, response: ServerResponse): Promise<void>;
  end(): void;
}

/**
 * `mostViewers`: maximum number of connections with a valid token; `mostStrangers`: maximum number of connections
 * without a token. If there are more, a new connection closes the oldest.
 */
const [mostViewers, mostStrangers] = [32, 64];
/** Maximum time for a request to arrive, and for a connection without the token to be idle. */
const arriveMs = 5000;
/** The longest delay of a timer, in milliseconds. */
const never = 2 ** 31 - 1;

/**
 * Serve pages on a free port of 127.0.0.1. Only a user who can read the redirect file gets more than the bare page.
 *
 * @param folder Folder of a spec; the redirect file is kept in the user's folder for that spec.
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export async function servePage(folder: string, room: Room): Promise<ServedPage> {
  const place = userFolder(folder, folder);
  const token = randomBytes(32).toString("base64url");
  const hosts: string[] = [];

  const strangers = new Set<Socket>();
  const viewers = new Set<Socket>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, { hosts, token });
    if (refusal !== null) return turnAway(response, refusal);
    const { searchParams: query } = new URL(request.url ?? "/", "http://localhost");
    const place = placeIn(request.url ?? "/");
    if (needsToken(place)) {
      if (viewers.size >= mostViewers) return turnAway(response, 503);
      strangers.delete(request.socket);
      viewers.add(request.socket.setTimeout(0));
    }
    await room.answer({ ...place, query }, request, response);
  };
  const requests = new WeakMap<Socket, IncomingMessage>();
  const server = createServer(
    // Turn off the check for late requests, whose timer would run without any viewer.
    { maxHeaderSize: 8192, requestTimeout: 0, headersTimeout: 0, connectionsCheckingInterval: never },
    (request, response) => {
      requests.set(request.socket, request);
      answer(request, response).catch((error: unknown) => {
        const message = error instanceof FixpointError ? error.message : "This page cannot be shown";
        turnAway(response, 500, message);
      });
    },
  );
  server.maxRequestsPerSocket = 1;
  server.on("connection", (socket) => {
    const [oldest] = strangers;
    if (oldest !== undefined && strangers.size >= mostStrangers) {
      strangers.delete(oldest);
      oldest.destroy();
    }
    strangers.add(socket.setTimeout(arriveMs));
    const cut = setTimeout(() => {
      if (requests.get(socket)?.complete !== true) socket.destroy();
    }, arriveMs);
    socket.once("close", () => {
      clearTimeout(cut);
      strangers.delete(socket);
      viewers.delete(socket);
    });
  });
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
      room.end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      setTimeout(() => server.closeAllConnections(), 100).unref();
      await closed;
    },
  };
}

const fileName = /^watch-(\d+)\.html$/;

/**
 * Write the URL with the token to a file that only this user can read and that redirects to the page. So the token is
 * in no process argument and in no log.
 *
 * @param place The user's folder for the spec.
 * @returns Path of the file, and a function that removes the file.
 * @throws {EnvironmentError} `file-refused`
 */
function redirectFile(place: string, address: string): { readonly path: string; readonly remove: () => void } {
  const path = join(place, `watch-${process.pid}.html`);
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>fixpoint</title>\n`;
  refused("write", path, () => {
    for (const name of readdirSync(place)) {
      const pid = fileName.exec(name)?.[1];
      if (pid !== undefined && identifyProcess(Number(pid)) === null) rmSync(join(place, name), { force: true });
    }
    writeAtomic(path, text, { temporary: `${path}.tmp`, durable: false, mode: 0o600 });
  });
  return { path, remove: () => rmSync(path, { force: true }) };
}
