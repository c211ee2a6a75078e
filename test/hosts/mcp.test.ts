import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { createSteps } from "../../src/hosts/cli/mcp/steps.ts";
import type { FileRun, Reported } from "../../src/hosts/node/hand-out/file-run.ts";
import type { NextStep } from "../../src/hosts/node/hand-out/next-step.ts";
import { planOf, task } from "../net/story.ts";
import { cli } from "../support/cli.ts";
import {
  delegationsIn,
  type Handed,
  here,
  make,
  type Told,
  told,
  type Verdict,
  workspaceWith,
} from "../support/handed-out.ts";
import { until } from "../support/until.ts";

const two = planOf(task("1.1"), task("1.2"));

type Answer = {
  readonly kind?: string;
  readonly key?: string;
  readonly verdict?: Verdict;
  readonly next?: Told;
} & Partial<Told>;

async function clientOf(transport: ConstructorParameters<typeof StdioClientTransport>[0] | URL, token = "") {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    transport instanceof URL
      ? new StreamableHTTPClientTransport(transport, { requestInit: { headers: { Authorization: `Bearer ${token}` } } })
      : new StdioClientTransport(transport),
  );
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content as readonly { readonly text?: string }[];
    return { json: (structuredContent ?? {}) as Answer, text: first?.text ?? "", isError: isError === true };
  };
  return { client, call };
}

const words = ["mcp", "spec", "--yes", "--recovery-mode"];
const overStdio = (workspace: string) =>
  clientOf({
    command: process.execPath,
    args: [cli, ...words],
    cwd: workspace,
    env: process.env as Record<string, string>,
  });

async function workOff(workspace: string, { call }: Awaited<ReturnType<typeof clientOf>>): Promise<Told> {
  let step = (await call("next_task")).json as Told;
  while (step.kind === "work") {
    const [{ nonce, key }] = step.tasks as readonly [Handed];
    if (key !== "1.1#1") make(workspace, key.slice(0, 3));
    const { json } = await call("report_result", { nonce, claim: "complete", message: "Done" });
    step = json.next as Told;
  }
  return step;
}

describe.concurrent("the MCP server", () => {
  it("lets an agent work off a plan, with a recovery, and counts each delegation once", async () => {
    const workspace = workspaceWith(two);
    const connection = await overStdio(workspace);
    expect(await workOff(workspace, connection)).toMatchObject({ kind: "ended", outcome: "complete" });
    expect(delegationsIn(workspace)).toEqual(["1.1#1", "1.1.1#1", "1.2#1"]);
    const why = await connection.call("why", { task: "1.1" });
    expect(why.text).toContain("passed 1.1 after 1 attempt, with 1 fix");
    expect((await connection.call("status")).json).toMatchObject({ completed: 2, total: 2 });
    await connection.client.close();
  });

  it("lists at most 8 tools in 4 KB, each with its input; lint reports the same as the command", async () => {
    const workspace = workspaceWith(`${two}\n- [ ] 1.3 Look at it\n  - **Verify**: Look whether it is nice\n`);
    const { call, client } = await overStdio(workspace);
    const list = await client.listTools();
    expect(list.tools.length).toBeLessThanOrEqual(8);
    expect(JSON.stringify(list).length).toBeLessThanOrEqual(4096);
    const withOutput = list.tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name);
    expect(withOutput).toEqual(
      expect.arrayContaining(["next_task", "report_result", "request_change", "wait_event", "status"]),
    );
    const { problems, delegated } = (await told<{ problems: object[]; delegated: object[] }>(workspace, "lint", "spec"))
      .json;
    expect(problems).not.toEqual([]);
    expect((await call("lint")).json).toMatchObject({ problems, delegated });
    const empty = await call("say", { word: "guidance", text: " " });
    expect([empty.isError, empty.text]).toEqual([true, expect.stringMatching(/^bad-option: /)]);
    await client.close();
  });

  it("resumes after another server was killed", async () => {
    const workspace = workspaceWith(two);
    const first = await overStdio(workspace);
    const { json } = await first.call("next_task");
    process.kill((first.client.transport as StdioClientTransport).pid ?? 0, "SIGKILL");
    const second = await overStdio(workspace);
    expect((await second.call("next_task")).json).toEqual(json);
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
    await second.client.close();
  });

  it("answers a repeated report with the same result, an unknown nonce with an error, and refuses answers to a question", async () => {
    const workspace = workspaceWith(two);
    const { call, client } = await overStdio(workspace);
    const [{ nonce }] = (await call("next_task")).json.tasks as readonly [Handed];
    make(workspace, "1.1");
    const report = { nonce, claim: "complete", message: "Done" };
    const taken = await call("report_result", report);
    expect((await call("report_result", report)).json).toEqual(taken.json);
    const other = await call("report_result", { ...report, claim: "failed" });
    expect([other.isError, other.text]).toEqual([true, expect.stringMatching(/^nonce-used: /)]);
    const forged = await call("report_result", { ...report, nonce: "0123456789abcdef" });
    expect([forged.isError, forged.text]).toEqual([true, expect.stringMatching(/^nonce-unknown: /)]);
    expect((await call("report_result", { nonce })).isError).toBe(true);
    const { tasks = [] } = taken.json.next as Told;
    const [second] = tasks as readonly [Handed];
    const asked = await call("report_result", { nonce: second.nonce, claim: "blocked", message: "Which one?" });
    expect(asked.json).toMatchObject({ verdict: { kind: "asked" }, next: { kind: "asked" } });
    const { isError, text: says } = await call("say", { word: "retry" });
    expect([isError, says]).toEqual([true, expect.stringMatching(/^own-gate: /)]);
    await client.close();
    const later = await overStdio(workspace);
    expect((await later.call("say", { word: "retry" })).isError).toBe(true);
    expect((await later.call("next_task")).json.kind).toBe("asked");
    await later.client.close();
  });

  it("changes the plan on request", async () => {
    const workspace = workspaceWith(planOf(task("1.1")));
    const { call, client } = await overStdio(workspace);
    const [{ nonce }] = (await call("next_task")).json.tasks as readonly [Handed];
    const request = {
      type: "ADD_PREREQUISITE",
      originalTaskId: "1.1",
      reasoning: "It needs a folder",
      proposedTasks: [task("1.9", "Make the folder", "test -e made/1.1").trimEnd()],
    };
    const { json } = await call("request_change", { nonce, request });
    expect(json).toMatchObject({ verdict: { kind: "taken" }, next: { kind: "work", tasks: [{ key: "1.9#1" }] } });
    expect(readFileSync(join(workspace, "specs/spec/tasks.md"), "utf8")).toMatch(
      /1\.9 Make the folder[\s\S]*1\.1 Make/,
    );
    await client.close();
  });

  it("returns the verdict of a call that the client gave up with the next call", async () => {
    const held = "test -e made/1.1 && touch checked && until test -e go; do sleep 0.1; done";
    const workspace = workspaceWith(planOf(task("1.1", "Make it", held), task("1.2")));
    const { call, client } = await overStdio(workspace);
    const [{ nonce }] = (await call("next_task")).json.tasks as readonly [Handed];
    make(workspace, "1.1");
    const given = new AbortController();
    const params = { name: "report_result", arguments: { nonce, claim: "complete", message: "Done" } };
    const reported = client.callTool(params, { signal: given.signal }).catch(() => "given up");
    await until(() => existsSync(join(workspace, "checked")));
    given.abort();
    expect(await reported).toBe("given up");
    writeFileSync(join(workspace, "go"), "");
    await until(() => delegationsIn(workspace).includes("1.2#1"));
    const { key, verdict } = (await call("next_task")).json;
    expect([key, verdict?.kind]).toEqual(["1.1#1", "accepted"]);
    expect((await call("next_task")).json.verdict).toBeUndefined();
    await client.close();
  });

  it("reports a missing spec, and answers once it exists", async () => {
    const workspace = workspaceWith(two);
    const { call, client } = await clientOf({
      command: process.execPath,
      args: [cli, "mcp", "later", "--yes"],
      cwd: workspace,
      env: process.env as Record<string, string>,
    });
    const missing = await call("next_task");
    expect([missing.isError, missing.text]).toEqual([true, expect.stringMatching(/^spec-missing: /)]);
    await client.close();
  });

  it("survives invalid messages, prints nothing else, and ends with its client", async () => {
    const child = spawn(process.execPath, [cli, ...words], {
      cwd: workspaceWith(two),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const messages = ["rubbish", "\u0000", "{}", "[]", '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":"x"}'];
    child.stdin.write(`${messages.join("\n")}\n`);
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
    await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    child.stdin.end();
    expect((await closed)[0]).toBe(0);
    const lines = (await out).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(lines.map(() => "2.0"));
    expect((await err).trimEnd().split("\n").length).toBeLessThanOrEqual(messages.length);
  });
});

describe.concurrent("the MCP server over HTTP", () => {
  async function serve() {
    const workspace = workspaceWith(two);
    const child = spawn(process.execPath, [cli, ...words, "--http", "0"], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.split("\n").length > 2) break;
    }
    const [address = "", header = ""] = printed.split("\n");
    const end = async () => {
      child.kill("SIGTERM");
      await once(child, "close");
    };
    return { workspace, url: new URL(address), token: header.replace("Authorization: Bearer ", ""), end };
  }

  const post = (url: URL, headers: Record<string, string>, path = url.pathname): Promise<number> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      const sent = request(url, {
        method: "POST",
        path,
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
      });
      sent.once("response", (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once("error", reject);
      sent.end(body);
    });

  it("serves a local client with the token, refuses all others, and changes nothing for them", async () => {
    const { workspace, url, token, end } = await serve();
    const Authorization = `Bearer ${token}`;
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { Authorization: "Bearer wrong" })).toBe(401);
    expect(await post(url, { Authorization, Origin: "https://evil.test" })).toBe(403);
    expect(await post(url, { Authorization, Host: "evil.test" })).toBe(421);
    for (const path of ["/other", "/mcp/", "/x/../mcp", "http://evil.test/mcp", "*"])
      expect([path, await post(url, { Authorization }, path)]).toEqual([path, 404]);
    expect(delegationsIn(workspace)).toEqual([]);
    const connection = await clientOf(url, token);
    expect(await workOff(workspace, connection)).toMatchObject({ outcome: "complete" });
    await connection.client.close();
    await end();
  });
});

it("is not served on a port that does not exist", async () => {
  const { exitCode, err } = await here(workspaceWith(two), "mcp", "spec", "--http", "70000");
  expect([exitCode, err]).toEqual([2, expect.stringContaining("expected a whole number from 0 to 65535")]);
});

describe("long steps", () => {
  const work: NextStep = { kind: "ended", outcome: "complete" };

  function held() {
    const reports: string[] = [];
    let let_: (reported: Reported) => void = () => {};
    const run: FileRun = {
      next: async () => work,
      report: (nonce) => {
        reports.push(nonce);
        return new Promise((resolve) => {
          let_ = resolve;
        });
      },
    };
    const steps = createSteps(async () => run, 5);
    const verdict: Reported = { key: "1.1#1", verdict: { kind: "taken" }, next: work };
    return { steps, reports, verdict, finish: () => let_(verdict) };
  }

  it("answer in time and return the verdict later, without a second report", async () => {
    const { steps, reports, verdict, finish } = held();
    expect(await steps.report("n", { claim: "complete" })).toMatchObject({ kind: "checking" });
    expect(await steps.report("n", { claim: "complete" })).toMatchObject({ kind: "checking" });
    expect(await steps.wait()).toMatchObject({ kind: "checking" });
    expect(await steps.next()).toMatchObject({ kind: "checking" });
    finish();
    expect(await steps.report("n", { claim: "complete" })).toEqual(verdict);
    expect(await steps.wait()).toEqual(work);
    expect(reports).toEqual(["n"]);
  });

  it("return an outstanding verdict with the next answer", async () => {
    const { steps, finish } = held();
    await steps.report("n", { claim: "complete" });
    finish();
    expect(await steps.next()).toEqual({ ...work, key: "1.1#1", verdict: { kind: "taken" } });
    expect(await steps.next()).toEqual(work);
  });

  it("return a verdict again if the client gave up the call that was answered with it", async () => {
    const { steps, verdict, finish } = held();
    await steps.report("n", { claim: "complete" });
    const call = new AbortController();
    const given = steps.wait(call.signal);
    call.abort();
    finish();
    expect(await given).toEqual(verdict);
    expect(await steps.wait()).toEqual(verdict);
    expect(await steps.wait()).toEqual(work);
  });

  it("return the verdict to a client that waits for it", async () => {
    const { steps, verdict, finish } = held();
    await steps.report("n", { claim: "complete" });
    const waiting = steps.wait();
    finish();
    expect(await waiting).toEqual(verdict);
  });
});
