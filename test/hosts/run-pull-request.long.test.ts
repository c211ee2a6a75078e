import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { Look } from "../../src/model/pull-request.ts";
import type { PullRequestPolicyInput } from "../../src/model/pull-request-policy.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { temporaryFolder } from "../support/folder.ts";
import { aCheck, address, git, shopForge, shopRepository } from "../support/shop-repository.ts";

const forgeOver = (remote: string) =>
  shopForge(remote, (head) => ({
    checks: [{ ...aCheck, state: git(remote, "show", `${head}:a.txt`).includes("fixed") ? "passed" : "failed" }],
  }));

const committing =
  (workspace: string, line: (task: string) => string): Executor =>
  async ({ taskId }) => {
    appendFileSync(join(workspace, "a.txt"), `${line(taskId)}\n`);
    git(workspace, "commit", "-qam", `work on ${taskId}`);
    return "TASK_COMPLETE";
  };

describe("runSpec with a pull request", () => {
  it("pushes to a real remote, has a red check fixed, and ends when it is green", async () => {
    const { remote, workspace } = shopRepository();
    const forge = forgeOver(remote);
    const events: RunEvent[] = [];
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, onEvent: (event) => void events.push(event) },
      executors: {
        executor: committing(workspace, (task) => (task === "1.1" ? "built" : "fixed")),
      },
      policy: { pullRequest: {} },
    });
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0, shipped: { number: 7, url: address } });
    const told = events.map(({ type }) => type).filter((type) => /^(?:pr|check|review)\./.test(type));
    expect(told).toEqual(["pr.pushed", "pr.opened", "check.rerun", "pr.task", "pr.pushed", "pr.ready"]);
    expect(events.find(({ type }) => type === "pr.task")).toMatchObject({ task: "5.2", about: "check" });
    expect(git(remote, "rev-parse", "work")).toBe(git(workspace, "rev-parse", "HEAD"));
    expect(git(remote, "rev-parse", "main")).not.toBe(git(remote, "rev-parse", "work"));
    expect(forge.asked).toEqual(["open", "rerun"]);
  });

  it("races for a red check, and commits the best work", async () => {
    const { remote, workspace } = shopRepository();
    const events: RunEvent[] = [];
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge: forgeOver(remote), yes: true, onEvent: (event) => void events.push(event) },
      executors: {
        executor: async ({ taskId, attempt, workspace: here }) => {
          if (taskId !== "1.1" && attempt < 3) return `Task ${taskId}: FAILED\n- Error: too hard\n`;
          appendFileSync(join(here, "a.txt"), taskId === "1.1" ? "built\n" : "fixed\n");
          return "TASK_COMPLETE";
        },
      },
      policy: { pullRequest: {}, commit: "all", race: 2, maxTaskIterations: 1 },
    });
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    const raced = events.flatMap((event) => (event.type === "task.raced" ? [[event.attempt, event.outcome]] : []));
    expect(raced).toEqual(
      expect.arrayContaining([
        [2, "failed"],
        [3, "unproven"],
      ]),
    );
    expect(git(remote, "show", "work:a.txt")).toContain("fixed");
  });

  it("does not give an executor the tokens of the forge", async () => {
    const { remote, workspace } = shopRepository();
    const seen = join(temporaryFolder(), "seen");
    const script = join(temporaryFolder(), "work.sh");
    const commit = "git -c user.name=a -c user.email=a@example.com commit -qam work";
    writeFileSync(script, `env > ${seen}\necho fixed >> a.txt\n${commit}\necho TASK_COMPLETE\n`);
    vi.stubEnv("GH_TOKEN", "secret-of-gh");
    vi.stubEnv("GITHUB_TOKEN", "secret-of-github");
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge: forgeOver(remote), yes: true },
      executors: { executor: `sh ${script}` },
      policy: { pullRequest: {} },
    });
    vi.unstubAllEnvs();
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(readFileSync(seen, "utf8")).toContain("FIXPOINT_KEY=");
    expect(readFileSync(seen, "utf8")).not.toContain("secret-of-");
  });

  it("begins nothing if the forge of the remote is unknown", async () => {
    const { workspace } = shopRepository();
    const run = runSpec({
      ...{ workspace, spec: "shop", yes: true, policy: { pullRequest: {} } },
      executors: { executor: async () => "TASK_COMPLETE" },
    });
    await expect(run).rejects.toMatchObject({ code: "forge-unknown" });
  });

  it("opens no second pull request if someone closed the one for the same commit", async () => {
    const { remote, workspace } = shopRepository();
    const closed = () => ({ number: 7, url: address, head: git(workspace, "rev-parse", "HEAD"), base: "main" });
    const forge = shopForge(remote, () => ({}), {
      find: async () => ({ kind: "found", state: "closed", ...closed() }),
    });
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, policy: { pullRequest: {} } },
      executors: { executor: committing(workspace, (task) => task) },
    });
    expect(ended).toMatchObject({
      outcome: "gate",
      exitCode: 3,
      error: expect.stringContaining("for this commit"),
    });
    expect(forge.asked).toEqual([]);
  });

  it("adds a task to merge a base that conflicts, and asks a person when it conflicts again", async () => {
    const { remote, workspace } = shopRepository();
    const events: RunEvent[] = [];
    const ended = await runSpec({
      ...{ workspace, spec: "shop", yes: true, onEvent: (event) => void events.push(event) },
      forge: shopForge(remote, () => ({ merge: "conflicting" })),
      executors: { executor: committing(workspace, (task) => task) },
      policy: { pullRequest: {} },
    });
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    const added = events.flatMap((event) => (event.type === "pr.task" ? [event.about] : []));
    expect(added).toEqual(["conflict", "conflict"]);
  });

  it.each<{ name: string; pullRequest: PullRequestPolicyInput; look: Partial<Look>; asked: string[] }>([
    { name: "marks a draft as ready", pullRequest: { ready: true }, look: { draft: true }, asked: ["markReady"] },
    { name: "leaves a draft a draft", pullRequest: {}, look: { draft: true }, asked: [] },
    { name: "requests a merge", pullRequest: { autoMerge: "squash" }, look: {}, asked: ["autoMerge squash"] },
    {
      name: "leaves it in the merge queue",
      pullRequest: { autoMerge: "squash" },
      look: { merge: "queued" },
      asked: [],
    },
    { name: "does not update from a base that has moved", pullRequest: {}, look: { merge: "behind" }, asked: [] },
    { name: "completes if it comes from a fork", pullRequest: {}, look: { fork: true }, asked: [] },
  ])("$name at the end", async ({ pullRequest, look, asked }) => {
    const { remote, workspace } = shopRepository();
    const forge = shopForge(remote, () => look);
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, policy: { pullRequest } },
      executors: { executor: committing(workspace, (task) => task) },
    });
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(forge.asked).toEqual(["open", ...asked]);
  });

  it("lets the forge merge a base that has moved, if it is permitted", async () => {
    const { remote, workspace } = shopRepository();
    const updated: string[] = [];
    const forge = shopForge(remote, () => ({ merge: updated.length === 0 ? "behind" : "clean" }), {
      updateBranch: async (_, head) => {
        updated.push(head);
        return { kind: "done" };
      },
    });
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, policy: { pullRequest: { updateBranch: true } } },
      executors: { executor: committing(workspace, (task) => task) },
    });
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(updated).toEqual([git(workspace, "rev-parse", "HEAD")]);
  });

  const comment = (author: string) => ({ id: "c1", author, bot: false, body: "Rename it", at: 1 });
  it.each([
    { resolveThreads: "off", author: "ann", tasks: 1, asked: [] },
    { resolveThreads: "all", author: "ann", tasks: 1, asked: ["resolve"] },
    { resolveThreads: "own", author: "ann", tasks: 1, asked: [] },
    { resolveThreads: "all", author: "eve", tasks: 0, asked: [] },
  ] as const)("answers a thread of $author, with threads resolved: $resolveThreads", async (given) => {
    const { remote, workspace } = shopRepository();
    const events: RunEvent[] = [];
    const thread = { id: "t1", path: "a.txt", line: 1, resolved: false, comments: [comment(given.author)] };
    const forge = shopForge(remote, () => ({ threads: [thread] }));
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, onEvent: (event) => void events.push(event) },
      executors: { executor: committing(workspace, (task) => task) },
      policy: { pullRequest: { resolveThreads: given.resolveThreads } },
    });
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(events.filter(({ type }) => type === "pr.task")).toHaveLength(given.tasks);
    const [, ...asked] = forge.asked.filter((what) => !what.startsWith("answer"));
    expect(asked).toEqual(given.asked);
    expect(forge.asked.filter((what) => what.startsWith("answer"))).toHaveLength(given.tasks);
  });

  it.each([
    { fixBase: false, outcome: "gate", tasks: 0 },
    { fixBase: true, outcome: "complete", tasks: 1 },
  ])("handles a check that is red on the base too, with fixBase $fixBase", async ({ fixBase, outcome, tasks }) => {
    const { remote, workspace } = shopRepository();
    const events: RunEvent[] = [];
    const red = { ...aCheck, state: "failed" } as const;
    const forge: Forge = {
      ...forgeOver(remote),
      lookAtBase: async () => ({ kind: "base", look: { head: "b", checks: [{ ...red, job: "2" }], checked: true } }),
    };
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, onEvent: (event) => void events.push(event) },
      executors: { executor: committing(workspace, (task) => (task === "1.1" ? "built" : "fixed")) },
      policy: { pullRequest: { fixBase } },
    });
    expect(ended).toMatchObject({ outcome });
    expect(events.filter(({ type }) => type === "pr.task")).toHaveLength(tasks);
  });
});
