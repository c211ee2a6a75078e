import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createWebSocketReceiver, type StatelyInspectionEvent } from "@statelyai/inspect";
import { afterEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { type InspectorServer, serveInspector } from "../../../src/hosts/cli/inspector/serve-inspector.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { newRun } from "../../../src/run/new-run.ts";
import { openSession } from "../../../src/runtime/session.ts";
import { until } from "../../support/until.ts";

let server: InspectorServer;
afterEach(() => server.close());

const refusal = (address: string, headers: Readonly<Record<string, string>> = {}): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = new WebSocket(address, { headers });
    socket.on("error", ({ message }) => resolve(message));
    socket.on("open", () => {
      socket.close();
      resolve(null);
    });
  });

describe("the server of --inspect stately", () => {
  it("sends Stately's receiver earlier events first, then new ones", async () => {
    server = await serveInspector();
    const session = openSession({ policy: readPolicy(), state: newRun(), inspect: server.inspect });
    const got: StatelyInspectionEvent[] = [];
    createWebSocketReceiver({ server: server.address }).subscribe((message) => void got.push(message));
    await until(() => got.length >= 3);
    expect(got.map(({ type }) => type)).toEqual(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]);
    expect(got[0]).toMatchObject({ name: "spec", _version: "0.7.2" });
    expect(got[0]?.sessionId).toBe(got[0]?.rootId);
    const [choice] = session.performable();
    session.take(choice as NonNullable<typeof choice>, { kind: "none" });
    await until(() => got.length >= 5);
    expect(got[4]).toMatchObject({ snapshot: { value: "confirming", status: "active", tags: ["busy"] } });
  });

  it.each([
    ["another token", (address: string) => `${address.slice(0, -1)}${address.endsWith("A") ? "B" : "A"}`, {}, 401],
    ["no token", (address: string) => address.split("?")[0] as string, {}, 401],
    ["another path", (address: string) => address.replace("/inspect", "/"), {}, 404],
    ["a name that was made to lead here", (address: string) => address, { host: "evil.test" }, 421],
  ])("refuses %s", async (_name, change, headers, status) => {
    server = await serveInspector();
    expect(await refusal(change(server.address), headers)).toContain(String(status));
    expect(await refusal(server.address)).toBeNull();
  });

  it("keeps no refused connection", async () => {
    server = await serveInspector();
    const { port, host } = new URL(server.address);
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true }).resume();
    let isReset = false;
    socket.on("error", () => {
      isReset = true;
    });
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    socket.write(`GET /inspect HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`);
    await once(socket, "end");
    // Repeats the write until it fails, because the first writes to a half-open connection succeed.
    await until(() => {
      if (!isReset) socket.write("x");
      return isReset;
    });
    expect(socket.destroyed).toBe(true);
  });

  it("serves its page only with the token, under a content policy that lists its targets", async () => {
    server = await serveInspector();
    const ask = (url: string): Promise<IncomingMessage> =>
      new Promise((resolve) => get(url, (response) => resolve(response.resume())));
    const { statusCode, headers } = await ask(server.page);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
    expect(headers["content-security-policy"]).toContain(`connect-src ws://${new URL(server.page).host};`);
    expect((await ask(`${server.page.slice(0, -2)}..`)).statusCode).toBe(401);
  });

  it("closes although a viewer does not answer", async () => {
    server = await serveInspector();
    const socket = new WebSocket(server.address);
    await new Promise((resolve) => socket.once("open", resolve));
    socket.pause();
    await server.close();
    socket.terminate();
    expect(await refusal(server.address)).toContain("ECONNREFUSED");
  });
});
