import { describe, expect, it } from "vitest";
import type { ForgeScript } from "../../../src/testing/forge-world.ts";
import { token, ways } from "../../support/github-carriers.ts";

const { signal } = new AbortController();
const head = "a".repeat(40);
const request = { branch: "work", base: "main", title: "Größe ✓", body: "@file\n```\n", draft: false };
const script: ForgeScript = {
  headOf: (branch) => ({ work: head, main: "b".repeat(40) })[branch] ?? null,
  checks: () => [
    { id: "CI / test", runs: ["failed", "passed"], log: "password is hunter2\n✗ adds\n", step: "Run npm test" },
    { id: "CI / lint", runs: ["pending"] },
  ],
  threads: [
    {
      ...{ id: "T1", path: "a.ts", line: 3, resolved: false },
      comments: Array.from({ length: 120 }, (_, at) => ({ id: `C${at}`, author: "ann", bot: false, body: "so", at })),
    },
  ],
  writers: ["bot", "ann"],
};

describe.each(ways)("by $way", ({ missing, reach }) => {
  it.skipIf(missing)("polls with one request", async () => {
    const { forge, server } = await reach({ ...script, threads: [] });
    const opened = await forge.open(request, signal);
    expect(opened).toMatchObject({ kind: "found", number: 1, created: true, head });
    server.requests.length = 0;
    const answer = await forge.look(1, signal);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /graphql"]);
    expect(answer).toMatchObject({
      kind: "look",
      look: { head, merge: "clean", mayWrite: true, checks: [{ id: "CI / test", state: "failed", job: "1" }, {}] },
    });
  });

  it.skipIf(missing)("sends its token to the forge, and not to the host of logs", async () => {
    const { forge, server } = await reach(script);
    await forge.open(request, signal);
    await forge.look(1, signal);
    expect(await forge.log("1", signal)).toMatchObject({
      log: "password is [redacted]\n✗ adds\n",
      step: "Run npm test",
    });
    expect(await forge.log("2", signal)).toMatchObject({ kind: "log", log: null, step: null });
    expect(server.requests.every(({ headers }) => headers.authorization?.endsWith(` ${token}`))).toBe(true);
    expect(server.logRequests).toHaveLength(1);
    expect(JSON.stringify(server.logRequests)).not.toContain(token);
  });

  it.skipIf(missing)("sends text unchanged", async () => {
    const { forge, world } = await reach(script);
    await forge.open(request, signal);
    expect(world.pulls[0]).toMatchObject({ title: request.title, body: request.body });
    const text = "@/etc/passwd\n\u202eGröße\u0000'\"$(id)";
    await forge.answer({ number: 1, thread: "T1", text, marker: "<!-- m -->" }, signal);
    expect(world.threads[0]?.comments.at(-1)?.body).toBe(`${text}\n\n<!-- m -->`);
  });

  it.skipIf(missing).each([
    [
      { status: 403, headers: { "retry-after": "90" }, body: {} },
      { reason: "rate-limit", until: 1_090_000 },
    ],
    [
      { status: 429, headers: { "retry-after": "5" }, body: {} },
      { reason: "rate-limit", until: 1_005_000 },
    ],
    [
      { status: 429, body: "slow down" },
      { reason: "rate-limit", until: 1_060_000 },
    ],
    [{ status: 502, body: "<html>Bad gateway</html>" }, { reason: "busy" }],
    [{ status: 200, body: '{"data":{"repository":{"pullReq' }, { reason: "busy" }],
    [{ status: 200, body: "" }, { reason: "busy" }],
    [{ status: 200, body: { data: { repository: null }, errors: [{ message: "timeout" }] } }, { reason: "busy" }],
    [{ status: 200, body: { data: null } }, { reason: "busy" }],
    [{ status: 200, body: { data: { viewer: null, repository: null } } }, { reason: "busy" }],
  ])("is blocked by %j", async (fault, expected) => {
    const { forge, server } = await reach(script);
    server.faults.push(fault);
    expect(await forge.look(1, signal)).toMatchObject({ kind: "hindered", ...expected });
    expect(server.requests).toHaveLength(1);
  });

  it.skipIf(missing).each([
    { status: 401, body: { message: "Bad credentials" } },
    { status: 200, body: { data: null, errors: [{ type: "FORBIDDEN", message: "no" }] } },
    { status: 404, body: { message: "Not Found" } },
  ])("is refused by %j", async (fault) => {
    const { forge, server } = await reach(script);
    server.faults.push(fault);
    expect(await forge.look(1, signal)).toMatchObject({ kind: "refused" });
  });

  it.skipIf(missing)("reports a pull request that does not exist", async () => {
    const { forge } = await reach(script);
    expect(await forge.look(9, signal)).toMatchObject({ kind: "refused", hint: expect.stringContaining("repository") });
  });

  it.skipIf(missing)("repeats no action whose answer was lost", async () => {
    const { forge, server, world } = await reach(script);
    const lost = { status: 502, late: true };
    const last = (): Promise<unknown> => forge.look(1, signal);
    server.faults.push({ status: 200, body: { data: { repository: { pullRequests: { nodes: [] } } } } }, lost);
    expect(await forge.open(request, signal)).toMatchObject({ kind: "hindered" });
    expect(await forge.open(request, signal)).toMatchObject({ kind: "found", number: 1, created: false });
    await last();
    await forge.rerun({ job: "1", head }, signal);
    await last();
    expect(await forge.rerun({ job: "3", head }, signal)).toEqual({ kind: "spent" });
    const answer = { number: 1, thread: "T1", text: "Done", marker: "<!-- m -->" };
    await forge.answer(answer, signal);
    await forge.answer(answer, signal);
    expect(world.pulls).toHaveLength(1);
    expect(world.threads[0]?.comments).toHaveLength(121);
  });

  it.skipIf(missing)("is refused a rerun without the right to it", async () => {
    const { forge, server } = await reach(script);
    await forge.open(request, signal);
    await forge.look(1, signal);
    const { requests, faults } = server;
    const before = requests.length;
    faults.push(
      { status: 200, body: { run_id: 1, run_attempt: 1, head_sha: head, status: "completed" } },
      { status: 200, body: { total_count: 1, jobs: [{ id: 1 }] } },
      { status: 403, body: { message: "Resource not accessible by integration" } },
    );
    const refused = await forge.rerun({ job: "1", head }, signal);
    expect(refused).toMatchObject({ kind: "refused", reason: expect.stringContaining("not accessible") });
    expect(requests).toHaveLength(before + 3);
  });

  it.skipIf(missing)("is offline without a forge", async () => {
    const { forge, server } = await reach(script);
    await server.close();
    expect(await forge.look(1, signal)).toMatchObject({ kind: "hindered", reason: "offline", until: 1_060_000 });
  });
});
