import { describe, expect, it } from "vitest";
import type { PullRequestWorld } from "../campaigns/pull-requests/world.ts";
import { added, check, minute, play } from "../support/play-pull-request.ts";

describe("a run that makes a pull request", () => {
  it("enters the loop only if nothing else is open", async () => {
    const { records, outcome, delegations } = await play();
    const first = records.findIndex(({ type }) => type === "shipping");
    const done = records.findIndex((record) => record.type === "answered" && record.effect === "recordPass");
    expect(done).toBeGreaterThan(-1);
    expect(first).toBeGreaterThan(done);
    expect(outcome).toEqual({ kind: "complete" });
    expect([...delegations.keys()]).toEqual(["1.1"]);
  });

  it("ticks the milestones of the plan when they are true", async () => {
    const { records, plan } = await play();
    const reached = records.flatMap((record, index) => {
      const next = records.slice(index).find((each) => each.type === "answered");
      return record.type === "reached" && next?.type === "answered" ? [[next.effect, ...record.tasks]] : [];
    });
    expect(reached).toEqual([
      ["openPullRequest", "5.1"],
      ["readPullRequest", "5.2", "5.3"],
      ["confirmPullRequest", "5.4"],
    ]);
    expect(plan).not.toContain("- [ ]");
  });

  it("pushes the branch and opens one pull request", async () => {
    const { acts, world } = await play();
    expect(acts).toEqual(["push", "open"]);
    expect(world.remote).toBe(world.local);
    expect(world.told.opened).toBe(1);
  });

  it("pushes nothing to a branch that others merge into", async () => {
    for (const name of ["main", "release/2"]) {
      const { acts, outcome, world } = await play({
        prepare: ({ branch }) => {
          const { local } = branch;
          Object.assign(branch, { local: async () => ({ ...(await local()), branch: name }) });
        },
      });
      expect(outcome).toMatchObject({
        kind: "gate",
        reason: expect.stringContaining(`\`${name}\` is a protected or default branch`),
      });
      expect([acts, world.remote]).toEqual([[], null]);
    }
  });

  it("has a red check fixed, pushes again and waits for it", async () => {
    const run = await play({ checks: [check("broken")], policy: { reruns: 0 } });
    expect(added(run)).toEqual(["5.5 Fix CI failure: test - test is red"]);
    expect(run.acts).toEqual(["push", "open", "push"]);
    expect(run.outcome).toEqual({ kind: "complete" });
    expect(run.world.isGreen()).toBe(true);
  });

  it("accepts a fix with uncommitted files only if the run commits them", async () => {
    const leavesFiles = ({ branch }: PullRequestWorld): void => {
      const { local } = branch;
      Object.assign(branch, { local: async () => ({ ...(await local()), dirty: ["a.txt"] }) });
    };
    const own = await play({ prepare: leavesFiles });
    expect(own.outcome).toMatchObject({ kind: "limit", reason: expect.stringContaining("a.txt") });
    const all = await play({ prepare: leavesFiles, commit: "all" });
    expect(all.delegations.get("1.1")).toBe(1);
  });

  it("does not accept a fix that commits nothing", async () => {
    const run = await play({ checks: [check("broken")], policy: { reruns: 0 }, executor: { mends: 1, idles: 1 } });
    expect(run.outcome).toMatchObject({ kind: "limit", reason: expect.stringContaining("nothing was committed") });
    expect(run.delegations.get("5.5")).toBe(2);
  });

  it("reruns a red check once, and makes no task of a flaky one", async () => {
    const run = await play({ checks: [check("flaky")] });
    expect(run.acts).toEqual(["push", "open", "rerun"]);
    expect(added(run)).toEqual([]);
    const green = run.records.find((record) => record.type === "answered" && record.answer.kind === "green");
    expect(green).toMatchObject({ answer: { flaky: ["test"] } });
    expect(run.outcome).toEqual({ kind: "complete" });
  });

  it("has a review comment addressed and answers it once", async () => {
    const run = await play({ prepare: (world) => world.comment("ann") });
    expect(added(run)).toEqual([expect.stringMatching(/^5\.5 Address review: ann - please rename it/)]);
    expect([...run.world.told.answers.values()]).toEqual([1]);
    expect(run.plan).not.toContain("<!--");
    expect(run.outcome).toEqual({ kind: "complete" });
  });

  it("answers a comment that led to no change with the reason", async () => {
    const run = await play({ executor: { mends: 1, idles: 1 }, prepare: (world) => world.comment("ann") });
    expect([...run.world.told.answers.values()]).toEqual([1]);
    expect(run.acts).toEqual(["push", "open", "answer"]);
    expect(run.outcome).toEqual({ kind: "complete" });
  });

  it("makes no task of comments by strangers", async () => {
    const run = await play({ prepare: (world) => world.comment("mallory") });
    expect(added(run)).toEqual([]);
    expect(run.world.told.answers.size).toBe(0);
    expect(run.outcome).toEqual({ kind: "complete" });
  });

  it("is complete only after a new poll of the head that it has pushed", async () => {
    const run = await play({ checks: [check("passes"), check("broken", "lint")] });
    const answers = run.records.flatMap((record) => (record.type === "answered" ? [record.effect] : []));
    expect(answers.slice(-2)).toEqual(["confirmPullRequest", "confirmCompletion"]);
    expect([run.greenAtEnd, run.world.remote]).toEqual([true, run.world.local]);
  });

  it("stops at the time limit of the pull request", async () => {
    const hours = 48 * 60 * minute;
    const run = await play({ checks: [check("never ends")], policy: { checkStall: 2 * hours } });
    expect(run.outcome).toMatchObject({ kind: "limit", denial: { limit: "maxTime", max: hours } });
    expect(run.world.now - run.startedAt).toBeLessThan(hours + 60 * minute);
    expect(run.world.told.requests).toBeLessThan(1000);
    expect(run.records.length).toBeLessThan(20);
  });

  it("stops at the maximum number of tasks", async () => {
    const policy = { reruns: 0, maxCycles: 2 };
    const run = await play({ checks: [check("broken")], policy, executor: { mends: 0, idles: 0 } });
    expect(run.outcome).toMatchObject({ kind: "limit", denial: { limit: "maxCycles", max: 2 } });
    expect(added(run)).toHaveLength(2);
  });

  it("stops at the maximum number of fixes of a check", async () => {
    const run = await play({ checks: [check("broken")], policy: { reruns: 0 }, executor: { mends: 0, idles: 0 } });
    expect(run.outcome).toMatchObject({
      kind: "limit",
      denial: { limit: "maxFixesPerCheck", task: "check test", max: 5 },
    });
    expect(added(run)).toHaveLength(5);
  });
});
