import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildSchema, graphql, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type { ForgeCall, ForgeReply } from "../../../src/adapters/forge/carrier.ts";
import { readRemoteAddress } from "../../../src/adapters/forge/find-pull-request.ts";
import { github } from "../../../src/adapters/forge/github.ts";
import * as queries from "../../../src/adapters/forge/queries.ts";

const schema = buildSchema(readFileSync(resolve(import.meta.dirname, "../../fixtures/github.graphql"), "utf8"));
const { signal } = new AbortController();
const head = "a".repeat(40);
const at = "2026-01-15T10:00:00Z";
const end = { hasNextPage: false, endCursor: null };
const user = (login: string) => ({ __typename: "User", login });
const comment = (id: string, body: string, login = "ann") => ({
  id,
  body,
  createdAt: at,
  viewerDidAuthor: login === "me",
  author: user(login),
});
const run = (databaseId: number, name: string, conclusion: string | null) => ({
  __typename: "CheckRun",
  ...{
    databaseId,
    name,
    conclusion,
    status: conclusion === null ? "IN_PROGRESS" : "COMPLETED",
    isRequired: true,
    title: null,
  },
  ...{ detailsUrl: null, startedAt: at, completedAt: conclusion === null ? null : at },
  checkSuite: { workflowRun: { event: "push", workflow: { name: "CI" } } },
});
const pullRequest = (rest: object = {}) => ({
  ...{
    id: "P1",
    number: 7,
    url: "https://github.com/ann/shop/pull/7",
    state: "OPEN",
    isDraft: false,
    headRefName: "work",
    headRefOid: head,
  },
  ...{ baseRefName: "main", baseRefOid: "b".repeat(40), isCrossRepository: false, mergeable: "MERGEABLE" },
  ...{ mergeStateStatus: "CLEAN", isInMergeQueue: false, autoMergeRequest: null },
  commits: {
    nodes: [
      {
        commit: {
          oid: head,
          statusCheckRollup: { contexts: { pageInfo: end, nodes: [run(1, "test", "FAILURE"), run(2, "lint", null)] } },
        },
      },
    ],
  },
  reviewThreads: {
    pageInfo: end,
    nodes: [
      {
        id: "T1",
        isResolved: false,
        path: "a.ts",
        line: 3,
        comments: { pageInfo: end, nodes: [comment("C1", "rename it")] },
      },
    ],
  },
  latestOpinionatedReviews: { pageInfo: end, nodes: [] },
  ...rest,
});

function forgeOver(root: object, replies: readonly Partial<ForgeReply>[] = []) {
  const calls: ForgeCall[] = [];
  const pauses: number[] = [];
  const left = [...replies];
  const forge = github({
    repository: { owner: "ann", name: "shop" },
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    now: () => 1_000_000,
    sleep: async (ms) => void pauses.push(ms),
    carrier: async (call) => {
      calls.push(call);
      const reply = left.shift();
      if (reply !== undefined) return { kind: "reply", status: 200, headers: {}, body: "", ...reply };
      const { query, variables } = call.body as { query: string; variables: Record<string, unknown> };
      const body = JSON.stringify(await graphql({ schema, source: query, rootValue: root, variableValues: variables }));
      return { kind: "reply", status: 200, headers: {}, body };
    },
  });
  return { forge, calls, pauses };
}
const world = (rest: object = {}, more: object = {}) => ({
  viewer: { login: "me" },
  repository: {
    viewerPermission: "WRITE",
    defaultBranchRef: { name: "main" },
    pullRequest: pullRequest(rest),
    pullRequests: { nodes: [] },
  },
  ...more,
});

describe("queries", () => {
  it.each(Object.entries(queries))("%s is valid for GitHub", (_, text) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });
});

describe("a poll", () => {
  it("costs one request", async () => {
    const { forge, calls } = forgeOver(world());
    const answer = await forge.look(7, signal);
    expect(calls).toHaveLength(1);
    expect(answer).toMatchObject({
      kind: "look",
      look: {
        ...{
          number: 7,
          state: "open",
          head,
          checksOf: head,
          merge: "clean",
          viewer: "me",
          mayWrite: true,
          defaultBranch: "main",
        },
        checks: [
          { id: "CI / test", state: "failed", job: "1", required: true },
          { id: "CI / lint", state: "pending", job: "2" },
        ],
        threads: [
          { id: "T1", path: "a.ts", line: 3, resolved: false, comments: [{ author: "ann", body: "rename it" }] },
        ],
      },
    });
  });

  it("reads a thread completely", async () => {
    const page = { pageInfo: { hasNextPage: true, endCursor: "c" }, nodes: [comment("C1", "rename it")] };
    const thread = { id: "T1", isResolved: false, path: "a.ts", line: 3 };
    const node = {
      __typename: "PullRequestReviewThread",
      ...thread,
      comments: { pageInfo: end, nodes: [comment("C2", "never mind")] },
    };
    const { forge } = forgeOver(
      world({ reviewThreads: { pageInfo: end, nodes: [{ ...thread, comments: page }] } }, { node }),
    );
    const answer = await forge.look(7, signal);
    expect(answer).toMatchObject({ look: { threads: [{ comments: [{ id: "C1" }, { id: "C2" }] }] } });
  });

  it.each<[string, Partial<ForgeReply>, object]>([
    [
      "403 with Retry-After",
      { status: 403, headers: { "retry-after": "90" }, body: "{}" },
      { reason: "rate-limit", until: 1_090_000 },
    ],
    ["429", { status: 429 }, { reason: "rate-limit", until: 1_060_000 }],
    [
      "a spent limit",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1500" } },
      { reason: "rate-limit", until: 1_500_000 },
    ],
    [
      "a secondary limit",
      { status: 403, body: '{"message":"You have exceeded a secondary rate limit"}' },
      { reason: "rate-limit" },
    ],
    ["502", { status: 502, body: "<html>" }, { reason: "busy" }],
    ["truncated JSON", { body: '{"data":{"rep' }, { reason: "busy" }],
    [
      "errors in addition to data",
      { body: '{"data":{"repository":null},"errors":[{"message":"timeout"}]}' },
      { reason: "busy" },
    ],
    ["no data", { body: '{"data":null}' }, { reason: "busy" }],
    ["a field that is null", { body: '{"data":{"viewer":null,"repository":{}}}' }, { reason: "busy" }],
  ])("is blocked by %s", async (_, reply, expected) => {
    expect(await forgeOver({}, [reply]).forge.look(7, signal)).toMatchObject({ kind: "hindered", ...expected });
  });

  it("is refused if the login is rejected, or has no access", async () => {
    expect(await forgeOver({}, [{ status: 401 }]).forge.look(7, signal)).toMatchObject({ kind: "refused" });
    const gone = { body: '{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"no"}]}' };
    expect(await forgeOver({}, [gone]).forge.look(7, signal)).toMatchObject({ kind: "refused" });
  });
});

describe("a repeated action", () => {
  it("reruns a job only once", async () => {
    const job = (attempt: number) => ({
      body: JSON.stringify({ run_id: 9, run_attempt: attempt, head_sha: head, status: "completed" }),
    });
    const jobs = (total: number, ...ids: number[]) => ({
      body: JSON.stringify({ total_count: total, jobs: ids.map((id) => ({ id })) }),
    });
    const first = forgeOver({}, [job(1), jobs(101, 7, 8), jobs(101, 1), { status: 201 }]);
    expect(await first.forge.rerun({ job: "1", head }, signal)).toEqual({ kind: "done" });
    const again = forgeOver({}, [job(2)]);
    expect(await again.forge.rerun({ job: "1", head }, signal)).toEqual({ kind: "spent" });
    expect(again.calls).toHaveLength(1);
    // The job is no longer among the latest jobs, although the run is still in its first attempt.
    const later = forgeOver({}, [job(1), jobs(2, 3, 4)]);
    expect(await later.forge.rerun({ job: "1", head }, signal)).toEqual({ kind: "spent" });
    expect(later.calls.at(-1)?.path).toBe("repos/ann/shop/actions/runs/9/jobs?filter=latest&per_page=100&page=1");
    for (const half of [{ body: "{}" }, { status: 502 }]) {
      const cut = forgeOver({}, [job(1), half]);
      expect(await cut.forge.rerun({ job: "1", head }, signal)).toMatchObject({ kind: "hindered" });
    }
    const closed = forgeOver({}, [job(1), { status: 404 }]);
    expect(await closed.forge.rerun({ job: "1", head }, signal)).toMatchObject({ kind: "refused" });
  });

  it("answers a thread once, whoever else wrote the marker", async () => {
    const thread = (login: string) => ({
      node: {
        ...{ __typename: "PullRequestReviewThread", id: "T1", isResolved: false, path: "a.ts", line: 3 },
        comments: { pageInfo: end, nodes: [comment("C1", "<!-- fixpoint:1 -->", login)] },
      },
      addPullRequestReviewThreadReply: { comment: { id: "C2" } },
    });
    const request = { number: 7, thread: "T1", text: "Done", marker: "<!-- fixpoint:1 -->" };
    const ours = forgeOver(thread("me"));
    expect(await ours.forge.answer(request, signal)).toEqual({ kind: "done" });
    expect(ours.calls).toHaveLength(1);
    const theirs = forgeOver(thread("eve"));
    expect(await theirs.forge.answer(request, signal)).toEqual({ kind: "done" });
    expect(theirs.calls).toHaveLength(2);
    // Two changes must be at least a second apart.
    await theirs.forge.answer(request, signal);
    expect(theirs.pauses).toEqual([1000]);
  });

  it("accepts an existing pull request as the answer", async () => {
    const found = { ...pullRequest(), baseRefName: "main" };
    const request = { branch: "work", base: "main", title: "t", body: "b", draft: false };
    const there = forgeOver({ repository: { pullRequests: { nodes: [found] } } });
    expect(await there.forge.open(request, signal)).toMatchObject({ kind: "found", number: 7, created: false });
    expect(there.calls).toHaveLength(1);
    const none = { body: '{"data":{"repository":{"pullRequests":{"nodes":[]}}}}' };
    const late = forgeOver({ repository: { pullRequests: { nodes: [found] } } }, [
      none,
      {
        status: 422,
        body: '{"message":"Validation Failed","errors":[{"message":"A pull request already exists for ann:work."}]}',
      },
    ]);
    expect(await late.forge.open(request, signal)).toMatchObject({ kind: "found", number: 7, created: false });
  });
});

it("removes secrets from logs and returns the failed step", async () => {
  const job = {
    run_attempt: 1,
    run_id: 9,
    head_sha: head,
    status: "completed",
    steps: [{ name: "Run npm test", conclusion: "failure" }],
  };
  const { forge } = forgeOver({}, [{ body: JSON.stringify(job) }, { body: "password is hunter2\n" }, { body: "[]" }]);
  expect(await forge.log("1", signal)).toEqual({
    kind: "log",
    log: "password is [redacted]\n",
    step: "Run npm test",
    annotations: [],
  });
});

it("removes secrets from the descriptions of checks", async () => {
  const told = { ...run(1, "test", "FAILURE"), title: "password is hunter2" };
  const rollup = { contexts: { pageInfo: end, nodes: [told, run(2, "lint", null)] } };
  const commits = { nodes: [{ commit: { oid: head, statusCheckRollup: rollup } }] };
  const answer = await forgeOver(world({ commits })).forge.look(7, signal);
  expect(answer).toMatchObject({ look: { checks: [{ summary: "password is [redacted]" }, { summary: null }] } });
});

it.each([
  ["write", true],
  ["admin", true],
  ["read", false],
])("asks whether a user may write: %s", async (permission, write) => {
  const { forge } = forgeOver({}, [{ body: JSON.stringify({ permission }) }]);
  expect(await forge.may("ann", signal)).toEqual({ kind: "known", write });
});

it.each([
  ["https://github.com/ann/shop.git", "github.com"],
  ["https://token@GitHub.com/ann/shop/", "github.com"],
  ["git@github.com:ann/shop.git", "github.com"],
  ["ssh://git@ghe.example.org:2222/ann/shop", "ghe.example.org"],
])("reads the repository from %s", (url, host) => {
  expect(readRemoteAddress(url)).toEqual({ host, owner: "ann", name: "shop" });
});

it.each(["/srv/git/shop.git", "file:///srv/ann/shop", "../ann/shop", ""])("finds no forge in `%s`", (url) => {
  expect(readRemoteAddress(url)).toBeNull();
});
