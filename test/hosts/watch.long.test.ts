import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { serveRun } from "../../src/hosts/node/watch/run-room.ts";
import type { ServedPage } from "../../src/hosts/node/watch/serve-page.ts";
import { addressOf } from "../../src/model/command-line.ts";
import { run } from "../support/cli-here.ts";
import { type Project, projectWith } from "../support/project.ts";
import { until } from "../support/until.ts";

let project: Project;
let page: ServedPage;
let token = "";
let port = 0;

beforeAll(async () => {
  project = projectWith();
  await run(project);
  const by = { kind: "program", terminal: null, process: "sh", pid: 1 } as const;
  const spec = findSpec(project.spec, project.workspace);
  page = await serveRun(spec, { by, address: addressOf("spec") });
  token = /token=([\w-]+)/.exec(readFileSync(page.path, "utf8"))?.[1] ?? "";
  port = Number(new URL(page.address).port);
});

afterAll(async () => {
  await page.close();
  expect(existsSync(page.path)).toBe(false);
});

async function send(request: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(request);
  const got = await text(socket).catch(() => "");
  return Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? 0);
}

const request = (line: string, headers: Readonly<Record<string, string | readonly string[]>>, body = ""): string =>
  [
    `${line} HTTP/1.1`,
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`)),
    "Connection: close",
    "",
    body,
  ].join("\r\n");

const own = () => ({ Host: `127.0.0.1:${port}`, Authorization: `Bearer ${token}` });
const word = '{"word":"pause"}';
const saying = () => ({ ...own(), "Content-Type": "application/json", "Content-Length": String(word.length) });

describe("the server of a page", () => {
  it("is opened by the user from a file that only the user can read", async () => {
    expect(statSync(page.path).mode & 0o777).toBe(0o600);
    expect(token).toHaveLength(43);
    for (const path of ["/printed?task=1.1", "/printed"]) expect(await send(request(`GET ${path}`, own()))).toBe(200);
    expect(await send(request("GET /", { Host: `localhost:${port}` }))).toBe(200);
    expect(await send(request("POST /say", saying(), word))).toBe(200);
  });

  it("has no token in the page that others can load", async () => {
    const answer = await fetch(page.address);
    expect(await answer.text()).not.toContain(token);
    expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each<[string, () => string]>([
    ["say nothing", () => ""],
    ["do not read the page", () => request("GET /", { Host: `127.0.0.1:${port}` })],
    ["do not read refusals", () => request("GET /printed", { Host: `127.0.0.1:${port}` })],
    ["send no end", () => "GET / HTTP/1.1\r\n"],
  ])(
    "serves its user in spite of 100 connections without the token that %s, and closes them",
    {
      timeout: 60_000,
    },
    async (_, said) => {
      const strangers = () =>
        Array.from({ length: 100 }, () => {
          const socket = connect(port, "127.0.0.1")
            .pause()
            .on("error", () => {});
          if (said() !== "") socket.write(said());
          return socket;
        });
      const before = strangers();
      await Promise.all(before.map((socket) => once(socket, "connect")));
      const asked = { headers: { Authorization: `Bearer ${token}` } };
      const stop = new AbortController();
      const stream = await fetch(`${page.address}stream`, { ...asked, signal: stop.signal });
      const seen: string[] = [];
      const reading = (async () => {
        for await (const chunk of stream.body ?? []) seen.push(Buffer.from(chunk as Uint8Array).toString());
      })().catch(() => seen.push(stop.signal.aborted ? "left" : "broken"));
      await until(() => seen.length > 0);
      const after = strangers();
      await Promise.all(after.map((socket) => once(socket, "connect")));
      for (const path of ["", "printed?task=1.1"]) {
        expect((await fetch(`${page.address}${path}`, asked)).status).toBe(200);
      }
      // Reads from every socket, because a client notices a close only while it reads.
      const all = [...before, ...after];
      for (const socket of all) socket.resume();
      await Promise.all(all.map((socket) => (socket.closed ? Promise.resolve() : once(socket, "close"))));
      expect(seen).not.toContain("broken");
      stop.abort();
      await reading;
    },
  );

  it("serves up to 32 connections of its user", async () => {
    const asked = { headers: { Authorization: `Bearer ${token}` } };
    const stop = new AbortController();
    const open = () => fetch(`${page.address}stream`, { ...asked, signal: stop.signal });
    const streams = await Promise.all(Array.from({ length: 32 }, open));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open()).status).toBe(503);
    stop.abort();
    await expect.poll(async () => (await fetch(`${page.address}printed`, asked)).status).toBe(200);
  });

  const guessed = ["", "Bearer", "Bearer ", "Bearer x", "Basic eDp4", `Bearer ${"A".repeat(43)}`, "Bearer null"];
  it.each(["/printed", "/stream", "/printed?task=1.1"].flatMap((path) => guessed.map((given) => [path, given])))(
    "refuses GET %s with Authorization %j",
    async (path, given) => {
      expect(await send(request(`GET ${path}`, { ...own(), Authorization: given ?? "" }))).toBe(401);
    },
  );

  it.each<[string, number, () => string]>([
    ["a token in the query", 401, () => request(`GET /stream?token=${token}`, { Host: own().Host })],
    ["a token as cookie", 401, () => request("GET /printed", { Host: own().Host, Cookie: `token=${token}` })],
    ["a token with more after it", 401, () => request("GET /printed", { ...own(), Authorization: `Bearer ${token}x` })],
    [
      "a token without its end",
      401,
      () => request("GET /printed", { ...own(), Authorization: `Bearer ${token.slice(0, -1)}` }),
    ],
    ["two tokens", 400, () => request("GET /printed", { ...own(), Authorization: ["Bearer x", `Bearer ${token}`] })],
    ...["evil.test", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:80", "127.0.0.1.evil.test", "0.0.0.0"].map(
      (host): [string, number, () => string] => [
        `Host ${host}`,
        421,
        () => request("GET /printed", { ...own(), Host: host }),
      ],
    ),
    ["no Host", 400, () => request("GET /printed", { Authorization: `Bearer ${token}` })],
    ["two Hosts", 400, () => request("GET /printed", { ...own(), Host: [`127.0.0.1:${port}`, "evil.test"] })],
    ["the page for another Host", 421, () => request("GET /", { Host: "evil.test" })],
    ...["null", "https://evil.test", "http://127.0.0.1:1", "http://localhost", "file://", "http://evil.test"].map(
      (origin): [string, number, () => string] => [
        `Origin ${origin}`,
        403,
        () => request("POST /say", { ...saying(), Origin: origin }, word),
      ],
    ),
    ["its own Origin by https", 403, () => request("GET /printed", { ...own(), Origin: `https://127.0.0.1:${port}` })],
    ...["cross-site", "same-site", "x"].map((site): [string, number, () => string] => [
      `Sec-Fetch-Site ${site}`,
      403,
      () => request("GET /printed", { ...own(), "Sec-Fetch-Site": site }),
    ]),
    [
      "the page in a frame of another",
      403,
      () =>
        request("GET /", {
          Host: own().Host,
          "Sec-Fetch-Site": "cross-site",
          "Sec-Fetch-Mode": "navigate",
          "Sec-Fetch-Dest": "iframe",
        }),
    ],
    [
      "the page as a script of another",
      403,
      () =>
        request("GET /", {
          Host: own().Host,
          "Sec-Fetch-Site": "cross-site",
          "Sec-Fetch-Mode": "no-cors",
          "Sec-Fetch-Dest": "script",
        }),
    ],
    ...[
      "/../etc/passwd",
      "/..%2f..%2fetc/passwd",
      "//printed",
      "/printed/",
      "/%70rinted",
      "/.fixpoint",
      "/constructor",
      "/__proto__",
      "http://evil.test/printed",
    ].map((path): [string, number, () => string] => [`the path ${path}`, 404, () => request(`GET ${path}`, own())]),
    ["POST for output", 405, () => request("POST /printed", saying(), word)],
    ["GET for a word", 405, () => request("GET /say", own())],
    ["OPTIONS, as before a request of another page", 405, () => request("OPTIONS /say", own())],
    ["a word without a token", 401, () => request("POST /say", { ...saying(), Authorization: "" }, word)],
    ...[
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/json, text/plain",
      "",
    ].map((type): [string, number, () => string] => [
      `a word as ${type}`,
      415,
      () => request("POST /say", { ...saying(), "Content-Type": type }, word),
    ]),
    ["a compressed word", 415, () => request("POST /say", { ...saying(), "Content-Encoding": "gzip" }, word)],
    ["a word of 1 GiB", 413, () => request("POST /say", { ...saying(), "Content-Length": String(2 ** 30) }, word)],
    [
      "a word in chunks",
      415,
      () =>
        request(
          "POST /say",
          { ...own(), "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
          "0\r\n\r\n",
        ),
    ],
    ["a GET with a body", 400, () => request("GET /printed", { ...own(), "Content-Length": "1" }, "x")],
    ...["{", "null", '{"word":"cancel"}', '{"word":"pause","by":1}', '{"word":["pause"]}'].map(
      (body): [string, number, () => string] => [
        `the word ${body}`,
        400,
        () => request("POST /say", { ...saying(), "Content-Length": String(body.length) }, body),
      ],
    ),
    ["a header of 9 KiB", 0, () => request("GET /printed", { ...own(), X: "x".repeat(9 * 1024) })],
    ["a request that is not HTTP", 0, () => "\u0016\u0003\u0001\r\n\r\n"],
    ["headers that never end", 0, () => request("GET /printed", own()).slice(0, -2)],
    ["a body that never comes", 0, () => request("POST /say", saying()).slice(0, -1)],
  ])("refuses %s", async (_, status, made) => {
    expect(await send(made())).toBe(status);
  });
});
