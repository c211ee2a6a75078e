import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { launch } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { makeRepository, openFleet, remoteOf } from "./ground.ts";

const fleet = await openFleet();
const queue = fleet?.queue ?? "";

const plan = `- [ ] 1.1 First
  - **Verify**: \`test -s done-1.1\`

- [ ] 1.2 Ask
`;
const agentIn = (folder: string): string => `until [ -e "${folder}/go-$FIXPOINT_TASK_ID" ]; do sleep 0.05; done
[ "$FIXPOINT_KEY" != "1.2#1" ] || { echo "BLOCKED: Which database?"; exit; }
echo done > "done-$FIXPOINT_TASK_ID"
echo TASK_COMPLETE`;

async function watching(workspace: string, run: string) {
  const { child, end } = launch(workspace, ["watch", run, "--queue", queue]);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  await until(() => /file:\S+\n/.test(printed) || child.exitCode !== null);
  const file = new URL(/file:\S+/.exec(printed)?.[0] ?? `data:${printed}`).pathname;
  const [, address = "", token = ""] = /url=(http\S+)#token=([\w-]+)/.exec(readFileSync(file, "utf8")) ?? [];
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const gone = new AbortController();
  const stream = await fetch(`${address}stream`, { headers, signal: gone.signal });
  let told = "";
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) told += Buffer.from(chunk).toString();
  })().catch(() => {});
  return {
    told: () => told,
    get: async (path: string): Promise<unknown> => (await fetch(`${address}${path}`, { headers })).json(),
    say: async (word: object): Promise<unknown> =>
      (await fetch(`${address}say`, { method: "POST", headers, body: JSON.stringify(word) })).json(),
    close: async () => {
      child.kill("SIGINT");
      await reading;
      gone.abort();
      return await end;
    },
  };
}

describe.skipIf(fleet === null)("the page of a fleet's run", () => {
  afterEach(() => fleet?.stopWorkers());
  afterAll(() => fleet?.remove());

  it("follows the run, and lets a person answer questions about tasks; those about the whole run only in a terminal", async () => {
    const workspace = makeRepository("page", { plan, agent: "" });
    const folder = join(workspace, "..");
    writeFileSync(join(folder, "agent"), `#!/bin/sh\ncat > /dev/null\n${agentIn(folder)}\n`, { mode: 0o755 });
    fleet?.startWorker(workspace, "page");
    const run = (await fleet?.submit(workspace, "page")) ?? "";
    await fleet?.runWhen(run, () => true);
    const page = await watching(workspace, run);
    await until(() => page.told().includes('"key":"1.1#1"'));
    expect(page.told()).toContain("event: run");
    expect(page.told()).not.toContain('"effect":"recordPass"');
    writeFileSync(join(folder, "go-1.1"), "");
    await until(() => page.told().includes('"effect":"recordPass"'));
    await until(() => /event: plan\n.*"id":"1.1".*"done":true/.test(page.told()));
    expect(await page.get("printed?task=1.1")).toMatchObject([{ attempt: 1, message: { text: "TASK_COMPLETE\n" } }]);

    writeFileSync(join(folder, "go-1.2"), "");
    const asked = await fleet?.runWhen(run, ({ questions }) => questions.length > 0);
    expect(asked?.questions).toEqual([{ key: expect.any(String), task: "1.2", text: "Which database?" }]);
    await expect(fleet?.say(run, "retry")).rejects.toMatchObject({ code: "person-needed" });
    for (const word of ["retry", "stop"]) {
      expect(await page.say({ word, task: "1.1" })).toMatchObject({
        answer: expect.stringContaining("expected an open question about task 1.1; the run asks about 1.2"),
      });
    }
    execFileSync("mv", [remoteOf(workspace), `${remoteOf(workspace)}.away`]);
    expect(await page.say({ word: "guidance", text: "The old one", task: "1.2" })).toEqual({
      answer: "Sent guidance: a worker will receive it",
    });
    await until(() => page.told().includes('"asked":"Cannot'));
    const status = await fleet?.look(["status", run]);
    expect(status).toContain(`Try again: fixpoint say ${run} retry --queue ${queue}\n`);
    execFileSync("mv", [`${remoteOf(workspace)}.away`, remoteOf(workspace)]);
    expect((await fleet?.say(run, "retry"))?.out).toBe(`Sent retry to ${run}\n`);
    await until(() => page.told().includes('"type":"ended"'));
    expect(page.told()).toContain('"kind":"page"');
    await until(() => page.told().endsWith('data: {"held":false,"alive":false}\n\n'));
    expect(await page.say({ word: "pause" })).toMatchObject({
      answer: expect.stringContaining("expected a run that has not ended"),
    });
    expect((await page.close()).exitCode).toBe(0);
  });

  it("prints nothing but JSON on a new database", async () => {
    await fleet?.query("create database fresh");
    const { end } = launch("/", ["fleet", "--json", "--queue", queue.replace(/postgres$/, "fresh")]);
    expect(JSON.parse((await end).out)).toMatchObject({ workers: [], runs: [] });
  });

  it("is refused for a run that does not exist", async () => {
    const { end } = launch("/", ["watch", "nothing", "--queue", queue]);
    expect(await end).toMatchObject({ exitCode: 2, err: expect.stringContaining("Cannot read `nothing`") });
  });
});
