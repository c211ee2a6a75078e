import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import type { Book } from "../../../src/model/pull-request-book.ts";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import type { ScriptedCheck } from "../../../src/testing/forge-world.ts";
import { hindered, openBook, openedWorld, refusal, refused, shippingPolicy } from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const green: ScriptedCheck = { id: "CI / test", runs: ["passed"] };
const checks = () => [green];
const comment = (author: string) => ({ id: `of-${author}`, author, bot: false, body: "Rename it", at: 0 });
const thread = (author: string) => ({
  ...{ id: `by-${author}`, path: "src/a.ts", line: 1, resolved: false, comments: [comment(author)] },
});

async function read(
  made = openedWorld({ script: { checks } }),
  { book = {} as Partial<Book>, policy = {} as PullRequestPolicyInput } = {},
) {
  const input = { key: "run#1/readPullRequest", policy: shippingPolicy(policy), number: 1, head: "c1" };
  const answer = await made.effects.readPullRequest({ ...input, book: openBook(book) }, never);
  const { tasks } = openPlan(made.store.tasks.text).plan;
  return { ...made, answer, done: tasks.flatMap(({ id, done }) => (done ? [id] : [])) };
}

describe("a look at a pull request", () => {
  it("ticks what it finds true: its checks and its reviews", async () => {
    const { answer, done, store } = await read();
    expect(answer).toStrictEqual({ kind: "green", flaky: [] });
    expect(done).toEqual(["1.1", "5.2", "5.3"]);
    expect(store.log.text).toBe("");
  });

  it("ticks all of what somebody has merged, and says so in the log", async () => {
    const made = openedWorld();
    for (const pull of made.world.pulls) pull.state = "merged";
    const { answer, done, store } = await read(made);
    expect(answer).toStrictEqual({ kind: "merged" });
    expect(done).toEqual(["1.1", "5.1", "5.2", "5.3", "5.4"]);
    expect(store.log.text).toContain("merged");
  });

  it("ticks nothing while something is to be done", async () => {
    const failing = { id: "CI / test", runs: ["failed"] } as const;
    const { answer, done } = await read(openedWorld({ script: { checks: () => [failing] } }), {
      policy: { reruns: 0 },
    });
    expect(answer).toStrictEqual({
      kind: "failing",
      cause: { kind: "check", check: "CI / test", job: "1", head: "c1" },
    });
    expect(done).toEqual(["1.1"]);
  });

  it("asks of every author once whether they may write, and takes nobody else's words for a task", async () => {
    const script = { checks, threads: [thread("ann"), thread("ann"), thread("mallory")], writers: ["ann"] };
    const made = openedWorld({ script });
    const { answer, called } = await read(made);
    expect(answer).toMatchObject({ kind: "failing", cause: { kind: "thread", thread: "by-ann", comment: "of-ann" } });
    await read(made);
    expect(called("may")).toEqual(["ann", "mallory"]);
    const strangers = openedWorld({ script: { ...script, writers: [] } });
    expect((await read(strangers)).answer).toMatchObject({ kind: "green" });
  });

  it("looks at the base where nobody tells of a check, and only then", async () => {
    const silent = await read(openedWorld(), { policy: { checksAppear: 60_000 } });
    expect(silent.answer).toMatchObject({ kind: "pending", reason: "checks", until: 60_000 });
    expect(silent.called("lookAtBase")).toEqual([]);
    const late = await read(openedWorld({ now: 600_000 }));
    expect(late.answer).toMatchObject({ kind: "green" });
    expect(late.called("lookAtBase")).toEqual(["main"]);
    const onBase = { checks: (head: string) => (head === "m1" ? [green] : []) };
    const left = await read(openedWorld({ now: 600_000, script: onBase }));
    expect(left.answer).toMatchObject({ kind: "gate", reason: expect.stringContaining("though its base has checks") });
    expect(left.store.log.text).toContain("waits for a person: No check has begun");
  });

  it.each([
    ["look", {}],
    ["may", { threads: [thread("ann")] }],
    ["lookAtBase", {}],
  ])("waits for what is hindered, and asks about what is refused: %s", async (name, script) => {
    for (const [given, answer] of [
      [hindered, hindered],
      [refused, refusal],
    ] as const) {
      const made = openedWorld({ now: 600_000, script, forge: { [name]: async () => given } });
      expect((await read(made)).answer).toStrictEqual(answer);
    }
  });

  it("says in the log at which limit it stops", async () => {
    const made = openedWorld({ now: 120_000 });
    const { answer, store } = await read(made, { policy: { maxTime: 60_000 } });
    expect(answer).toMatchObject({ kind: "denied", limit: "maxTime" });
    expect(store.log.text).toContain("stopped at maxTime: 1");
  });
});

describe("a red check that is run again", () => {
  const rerun = async (made: ReturnType<typeof openedWorld>) => {
    const input = { key: "run#1/rerunCheck", policy: shippingPolicy(), number: 1, head: "c1" };
    return made.effects.rerunCheck({ ...input, check: "CI / test", job: "1" }, never);
  };
  const flaky = { checks: () => [{ id: "CI / test", runs: ["failed", "passed"] } as const] };

  it("is run at this head, and recorded before", async () => {
    const made = openedWorld({ script: flaky });
    made.world.jobsAt("c1");
    expect(await rerun(made)).toStrictEqual({ kind: "rerun", check: "CI / test" });
    expect(made.world.jobsAt("c1")).toMatchObject([{ attempt: 2, state: "passed" }]);
    expect(made.called("rerun")).toEqual([{ job: "1", head: "c1" }]);
    expect(made.records[0]).toEqual({
      ...{ type: "shipping", key: "run#1/rerunCheck", act: "rerun", target: "CI / test" },
    });
  });

  it("counts as it is where it cannot be, and is waited for where the forge is hindered", async () => {
    const spent = openedWorld({ forge: { rerun: async () => ({ kind: "spent" }) } });
    expect(await rerun(spent)).toStrictEqual({ kind: "rerun", check: "CI / test" });
    expect(await rerun(openedWorld({ forge: { rerun: async () => refused } }))).toMatchObject({ kind: "rerun" });
    expect(await rerun(openedWorld({ forge: { rerun: async () => hindered } }))).toStrictEqual(hindered);
  });
});

describe("a base that has moved", () => {
  const update = (made: ReturnType<typeof openedWorld>) =>
    made.effects.updateBranch({ key: "run#1/updateBranch", policy: shippingPolicy(), number: 1, head: "c1" }, never);

  it("is taken into the branch by the forge", async () => {
    const made = openedWorld();
    for (const pull of made.world.pulls) pull.merge = "behind";
    expect(await update(made)).toStrictEqual({ kind: "done" });
    expect(made.world.pulls[0]?.merge).toBe("clean");
    expect(await update(openedWorld({ forge: { updateBranch: async () => hindered } }))).toStrictEqual(hindered);
    expect(await update(openedWorld({ forge: { updateBranch: async () => refused } }))).toStrictEqual(refusal);
  });
});
