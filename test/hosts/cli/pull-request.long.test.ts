import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findCommand } from "../../../src/adapters/processes/shell-command.ts";
import { addressOf } from "../../../src/model/command-line.ts";
import { isOfPullRequest, Limit } from "../../../src/model/limits.ts";
import { explainDenial } from "../../../src/wording/explain-denial.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { git, shopRepository } from "../../support/shop-repository.ts";
import { callCli } from "./call-cli.ts";

afterEach(() => vi.unstubAllEnvs());

interface Github {
  readonly status?: number;
  readonly look?: object | null;
  readonly open?: boolean;
}

async function github(remote: string, { status = 200, look = {}, open = false }: Github = {}): Promise<string[]> {
  const asked: string[] = [];
  const headOf = (name: string): string => git(remote, "rev-parse", `refs/heads/${name}`);
  const last = { pageInfo: { hasNextPage: false, endCursor: null } };
  const pull = () => ({
    ...{ url: "https://github.com/ann/shop/pull/7", state: "OPEN", isDraft: false, headRefName: "work" },
    ...{ headRefOid: headOf("work"), baseRefName: "main", baseRefOid: headOf("main"), isCrossRepository: false },
    ...{ mergeable: "MERGEABLE", mergeStateStatus: "CLEAN", isInMergeQueue: false },
    commits: {
      nodes: [{ commit: { oid: headOf("work"), statusCheckRollup: { contexts: { ...last, nodes: [check] } } } }],
    },
    ...{ reviewThreads: { ...last, nodes: [] }, latestOpinionatedReviews: { ...last, nodes: [] } },
    ...look,
  });
  const answer = (path: string, body: { query?: string }): unknown => {
    if (path === "/repos/ann/shop/pulls") {
      return {
        number: 7,
        html_url: "https://github.com/ann/shop/pull/7",
        head: { sha: headOf("work") },
        base: { ref: "main" },
      };
    }
    if (body.query?.includes("pullRequests(headRefName") === true) {
      const isThere = open || asked.includes("/repos/ann/shop/pulls");
      return { data: { repository: { pullRequests: { nodes: isThere ? [{ number: 7, ...pull() }] : [] } } } };
    }
    if (look === null)
      return { data: null, errors: [{ type: "NOT_FOUND", message: "Could not resolve to a PullRequest" }] };
    const repository = { viewerPermission: "WRITE", defaultBranchRef: { name: "main" }, pullRequest: pull() };
    return { data: { viewer: { login: "bot" }, repository } };
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const path = request.url ?? "";
      const isPull = path === "/repos/ann/shop/pulls";
      const told = status === 200 ? answer(path, JSON.parse(text)) : { message: "Bad credentials" };
      asked.push(path);
      response.writeHead(status === 200 && isPull ? 201 : status, { "content-type": "application/json" });
      response.end(JSON.stringify(told));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  vi.stubEnv("GITHUB_API_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return asked;
}

const check = {
  ...{ __typename: "CheckRun", databaseId: 1, name: "test", status: "COMPLETED", conclusion: "SUCCESS" },
  ...{ isRequired: true, title: null, detailsUrl: null, startedAt: null, completedAt: null },
  checkSuite: { workflowRun: { event: "push", workflow: { name: "CI" } } },
};

function shop() {
  const { remote, workspace } = shopRepository();
  const bin = temporaryFolder();
  for (const name of ["git", "sh", "test", "cat", "touch"]) {
    symlinkSync(findCommand(name, "/", process.env["PATH"]) ?? "", join(bin, name));
  }
  writeScript(bin, "claude", "echo TASK_COMPLETE");
  vi.stubEnv("PATH", bin);
  vi.stubEnv("GH_REPO", "ann/shop");
  vi.stubEnv("GH_TOKEN", "a-token");
  for (const name of ["GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]) vi.stubEnv(name, undefined);
  const work = writeScript(temporaryFolder(), "work", "echo more >> a.txt; git commit -qam more; echo TASK_COMPLETE");
  return { remote, workspace, work };
}

const begin = ["run", "shop", "--yes", "--pull-request"];

describe("fixpoint run --pull-request", () => {
  it.each<{ name: string; code: string; words?: string[]; before?: (workspace: string) => void; says?: Github }>([
    { name: "outside of a repository", code: "branch-unfit", before: (place) => void git(place, "init", "-q", "sub") },
    {
      name: "HEAD is detached",
      code: "branch-unfit",
      before: (place) => void git(place, "checkout", "-q", "--detach"),
    },
    {
      name: "on the default branch",
      code: "branch-unfit",
      before: (place) => void git(place, "checkout", "-q", "main"),
    },
    {
      name: "where not everything is committed",
      code: "branch-unfit",
      before: (place) => writeFileSync(join(place, "a.txt"), "b\n"),
    },
    { name: "for a protected branch", code: "branch-unfit", words: ["--branch", "release/1"] },
    { name: "for no name of a branch", code: "branch-unfit", words: ["--branch", "a..b"] },
    {
      name: "for the base itself",
      code: "branch-unfit",
      words: ["--base", "work"],
      before: (place) => void git(place, "push", "-q", "origin", "work"),
    },
    { name: "with a base that is not there", code: "base-missing", words: ["--base", "nowhere"] },
    { name: "with a remote that is not there", code: "branch-unfit", words: ["--remote", "other"] },
    {
      name: "without GH_REPO, where the remote is on no forge",
      code: "forge-unknown",
      before: () => void vi.stubEnv("GH_REPO", undefined),
    },
    {
      name: "without gh and token",
      code: "forge-unreachable",
      before: () => void vi.stubEnv("GH_TOKEN", undefined),
    },
    { name: "with a token that is not taken", code: "forge-refused", says: { status: 401 } },
    { name: "without access to the repository", code: "forge-refused", says: { status: 404 } },
    { name: "with a tool that may commit nothing", code: "executor-cannot-commit", words: ["--executor", "claude"] },
    { name: "with an interval of a second", code: "bad-option", words: ["--pr-interval", "1s"] },
    { name: "with no time", code: "bad-duration", words: ["--pr-time", "0s"] },
    { name: "with no cycle", code: "bad-number", words: ["--pr-cycles", "0"] },
    { name: "with a time that no timer takes", code: "bad-duration", words: ["--pr-time", "49d"] },
    { name: "with other checks", code: "bad-option", words: ["--pr-checks", "some"] },
  ])("delegates nothing $name", async ({ name, code, words = [], before, says }) => {
    const { remote, workspace, work } = shop();
    await github(remote, says);
    before?.(workspace);
    const place = name === "outside of a repository" ? temporaryFolder() : workspace;
    if (place !== workspace) {
      mkdirSync(join(place, "specs", "shop"), { recursive: true });
      writeFileSync(join(place, "specs/shop/tasks.md"), "- [ ] 1.1 Build it\n");
    }
    const executor = words.includes("--executor") ? [] : ["--exec", work];
    const call = callCli(place, [...begin, ...executor, ...words]);
    await expect(call).rejects.toMatchObject({ code });
    expect(existsSync(join(place, "specs/shop/.fixpoint/run-1"))).toBe(false);
    expect(git(workspace, "for-each-ref", "refs/heads").split("\n")).toHaveLength(2);
  });

  it("refuses its options without --pull-request", async () => {
    const { workspace, work } = shop();
    const call = callCli(workspace, ["run", "shop", "--yes", "--exec", work, "--draft"]);
    await expect(call).rejects.toMatchObject({
      code: "bad-option",
      message: "Cannot use --draft alone, expected it with --pull-request",
    });
  });

  it("opens one, prints its address, and ends when it is green", async () => {
    const { remote, workspace, work } = shop();
    // This `gh` fails, because a real `gh` ignores `GITHUB_API_URL`.
    const bin = temporaryFolder();
    writeScript(bin, "gh", "exit 4");
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
    const asked = await github(remote);
    const { exitCode, out } = await callCli(workspace, [...begin, "--exec", work, "--draft", "--commit", "spec"]);
    expect(exitCode, out).toBe(0);
    expect(out).toMatch(/\nPull request: https:\/\/github\.com\/ann\/shop\/pull\/7\n\nALL_TASKS_COMPLETE\n$/);
    expect(git(remote, "rev-parse", "work")).toBe(git(workspace, "rev-parse", "HEAD"));
    expect(asked.filter((path) => path.endsWith("/pulls"))).toHaveLength(1);
    expect(readFileSync(join(workspace, "specs/shop/tasks.md"), "utf8")).toContain("- [x] 5.1 Create the PR");
    const status = await callCli(workspace, ["status", "shop"]);
    const head = git(workspace, "rev-parse", "HEAD").slice(0, 10);
    expect(status.out).toContain(`\nPull request 7: https://github.com/ann/shop/pull/7, head ${head}, green\n`);
    const summary = await callCli(workspace, ["export", "shop", "--format", "md"]);
    expect(summary.out).toContain("\nPull request 7: `https://github.com/ann/shop/pull/7`\n");
  });

  it("creates the given branch before the first task", async () => {
    const { remote, workspace } = shop();
    const work = writeScript(temporaryFolder(), "work", "git symbolic-ref --short HEAD > head.txt; exit 1");
    git(workspace, "checkout", "-q", "main");
    await github(remote);
    const words = [...begin, "--exec", work, "--branch", "fresh", "--max-task-iterations", "1"];
    expect((await callCli(workspace, words)).exitCode).toBe(1);
    expect(readFileSync(join(workspace, "head.txt"), "utf8")).toBe("fresh\n");
    const more = ["--branch", "later", "--max-task-iterations", "2"];
    const later = callCli(workspace, [...begin, "--exec", work, ...more]);
    await expect(later).rejects.toMatchObject({ code: "branch-unfit" });
    expect(git(workspace, "symbolic-ref", "--short", "HEAD")).toBe("fresh");
  });

  const policyOf = (workspace: string, run: number): { readonly pullRequest?: object } => {
    const folder = join(workspace, `specs/shop/.fixpoint/run-${run}`);
    const last = readdirSync(folder)
      .filter((name) => name.endsWith(".ndjson"))
      .sort()
      .at(-1);
    const [header = ""] = readFileSync(join(folder, last ?? ""), "utf8").split("\n");
    return (JSON.parse(header) as { policy: { pullRequest?: object } }).policy;
  };

  it("keeps the options of an earlier start unless they are given again, and drops them in a new run", async () => {
    const { remote, workspace } = shop();
    const fails = writeScript(temporaryFolder(), "work", "echo It cannot be done; exit 1");
    const asked = await github(remote);
    const once = ["--exec", fails, "--max-task-iterations"];
    const first = ["--draft", "--title", "Shop", "--pr-cycles", "3", "--pr-time", "2h"];
    expect((await callCli(workspace, [...begin, ...once, "1", ...first])).exitCode).toBe(1);
    const later = ["--pull-request", "--pr-cycles", "4", "--trust-reviewer", "eve"];
    expect((await callCli(workspace, ["run", "shop", ...once, "2", ...later])).exitCode).toBe(1);
    expect(policyOf(workspace, 1).pullRequest).toMatchObject({
      ...{ draft: true, title: "Shop", maxCycles: 4, maxTime: 7_200_000, trustedReviewers: ["eve"] },
    });
    expect((await callCli(workspace, ["run", "shop", ...once, "3"])).exitCode).toBe(1);
    expect(policyOf(workspace, 1).pullRequest).toMatchObject({ draft: true, maxCycles: 4 });
    const before = asked.length;
    expect((await callCli(workspace, ["run", "shop", "--new-run", "--yes", ...once, "1"])).exitCode).toBe(1);
    expect(policyOf(workspace, 2).pullRequest).toBeUndefined();
    expect(asked).toHaveLength(before);
  });

  it("accepts each raised limit as printed at the stop, and keeps the others", async () => {
    const { remote, workspace } = shop();
    const fails = writeScript(temporaryFolder(), "work", "echo It cannot be done; exit 1");
    await github(remote);
    let tries = 0;
    const again = (...words: string[]) => {
      tries += 1;
      return callCli(workspace, [...words, "--exec", fails, "--max-task-iterations", String(tries)]);
    };
    expect((await again(...begin, "--draft")).exitCode).toBe(1);
    const used = { iterations: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };
    for (const limit of Limit.options.filter(isOfPullRequest)) {
      const denial = { kind: "denied", limit, task: "pull request 7", max: 3_600_000 } as const;
      const { hint } = explainDenial(denial, {}, null, {
        address: addressOf("shop"),
        used,
        rerunsFirst: () => false,
        hasLearnings: false,
      });
      const [, line = ""] = /^Or raise the limit: fixpoint (.*)$/m.exec(hint) ?? [];
      expect((await again(...line.split(" "))).exitCode).toBe(1);
    }
    expect(policyOf(workspace, 1).pullRequest).toMatchObject({
      ...{ draft: true, maxTime: 7_200_000, maxCycles: 3_600_001 },
      ...{ maxFixesPerCheck: 3_600_001, maxTasksPerThread: 3_600_001 },
    });
  });

  it("reads its part of the config file, with consent", async () => {
    const { remote, workspace, work } = shop();
    await github(remote);
    const file = join(workspace, "specs/shop/fixpoint.config.json");
    writeFileSync(file, JSON.stringify({ exec: work, pullRequest: { draft: true, interval: "1m" } }));
    await expect(callCli(workspace, ["run", "shop"])).rejects.toMatchObject({
      code: "consent-missing",
      message: expect.stringContaining('pullRequest: {"draft":true,"interval":60000}'),
    });
    git(workspace, "add", "-A");
    git(workspace, "commit", "-qm", "settings");
    const { exitCode, out } = await callCli(workspace, ["run", "shop", "--yes"]);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("Pull request: https://")]);
    writeFileSync(file, JSON.stringify({ exec: work, pullRequest: { interval: "5s" } }));
    await expect(callCli(workspace, ["run", "shop"])).rejects.toMatchObject({ code: "config-bad-value" });
  });
});

describe("fixpoint pull-request", () => {
  const pushed = (workspace: string) => git(workspace, "push", "-q", "origin", "work");
  it.each<{ name: string; code: string; given?: string; says?: Github }>([
    { name: "one that is closed", code: "pull-request-unfit", given: "7", says: { look: { state: "CLOSED" } } },
    { name: "one that is merged", code: "pull-request-unfit", given: "7", says: { look: { state: "MERGED" } } },
    {
      name: "one of another branch",
      code: "pull-request-unfit",
      given: "#7",
      says: { look: { headRefName: "other" } },
    },
    { name: "the number of an issue", code: "forge-refused", given: "7", says: { look: null } },
    { name: "one of another repository", code: "pull-request-unfit", given: "https://github.com/eve/shop/pull/7" },
    { name: "none, if the branch has none", code: "pull-request-unfit" },
    { name: "none, with a rejected token", code: "forge-refused", says: { status: 401 } },
  ])("refuses $name", async ({ code, given, says }) => {
    const { remote, workspace, work } = shop();
    pushed(workspace);
    await github(remote, says);
    const words = ["pull-request", ...(given === undefined ? [] : [given]), "--yes", "--exec", work];
    await expect(callCli(workspace, words)).rejects.toMatchObject({ code });
    expect(readdirSync(join(workspace, "specs"))).toEqual(["shop"]);
  });

  it("does not change an existing spec if it refuses", async () => {
    const { remote, workspace, work } = shop();
    pushed(workspace);
    await github(remote, { status: 401 });
    const place = join(workspace, "specs/pull-request-7");
    mkdirSync(place);
    writeFileSync(join(place, "tasks.md"), "- [ ] 1.1 Mine\n");
    const call = callCli(workspace, ["pull-request", "7", "--yes", "--exec", work]);
    await expect(call).rejects.toMatchObject({ code: "forge-refused" });
    expect(readFileSync(join(place, "tasks.md"), "utf8")).toBe("- [ ] 1.1 Mine\n");
  });

  it.each([["7"], ["https://github.com/ann/shop/pull/7/files"], []])(
    "watches the pull request of %j",
    async (...given) => {
      const { remote, workspace, work } = shop();
      writeFileSync(join(workspace, "b.txt"), "b\n");
      git(workspace, "add", "b.txt");
      git(workspace, "commit", "-qm", "more");
      pushed(workspace);
      const asked = await github(remote, { open: true });
      const { exitCode, out } = await callCli(workspace, ["pull-request", ...given, "--yes", "--exec", work]);
      expect(exitCode, out).toBe(0);
      expect(asked.filter((path) => path.endsWith("/pulls"))).toEqual([]);
      expect(readFileSync(join(workspace, "specs/pull-request-7/tasks.md"), "utf8")).toContain("- [x] 5.1 Checks pass");
    },
  );
});
