import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import type { FoundPullRequest } from "../../../src/ports/forge.ts";
import {
  hindered,
  openedWorld,
  refusal,
  refused,
  shippedPlan,
  shippingPolicy,
  shippingWorld,
} from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const key = "run#1/openPullRequest";
const url = "https://forge.example/pull/1";

async function open(
  made = shippingWorld({ heads: { main: "m1", feature: "c1" } }),
  policy: PullRequestPolicyInput = {},
) {
  const answer = await made.effects.openPullRequest({ key, policy: shippingPolicy(policy), head: "c1" }, never);
  return { ...made, answer, done: doneIn(made.store.tasks.text) };
}

const doneIn = (text: string): string[] => openPlan(text).plan.tasks.flatMap(({ id, done }) => (done ? [id] : []));

const found = (more: Partial<FoundPullRequest>) => ({
  forge: {
    find: async () => ({ kind: "found", number: 3, url, head: "c1", base: "main", state: "open", ...more }) as const,
  },
});

describe("a pull request", () => {
  it("is opened with the title of the plan, its commits and what was done, and recorded before", async () => {
    const { answer, world, records, called, store, done } = await open();
    expect(answer).toStrictEqual({ kind: "opened", number: 1, url, created: true });
    expect(called("find")).toEqual(["feature"]);
    expect(called("ahead")).toEqual([{ remote: "origin", base: "main" }]);
    expect(called("remote")).toEqual([{ remote: "origin", branch: "feature", base: null }]);
    expect(world.pulls).toMatchObject([{ branch: "feature", base: "main", draft: false, state: "open" }]);
    for (const told of ["sample", "feat: build it", "Build it"]) {
      expect(`${world.pulls[0]?.title}\n${world.pulls[0]?.body}`).toContain(told);
    }
    expect(records.map((record) => (record.type === "shipping" ? record : record.type))).toEqual([
      { type: "shipping", key, act: "open", target: "feature" },
      "reached",
      "answered",
    ]);
    expect(done).toEqual(["1.1", "5.1"]);
    expect(store.log.text).toMatch(new RegExp(`1.*${url}`));
  });

  it("is opened as the policy says", async () => {
    const made = shippingWorld({ heads: { main: "m1", next: "n1", other: "c1" } });
    const policy = { branch: "other", base: "next", title: "All of it", draft: true, remote: "fork" };
    const { world, called } = await open(made, policy);
    expect(world.pulls).toMatchObject([{ branch: "other", base: "next", title: "All of it", draft: true }]);
    expect(called("ahead")).toEqual([{ remote: "fork", base: "next" }]);
    expect(called("remote")).toEqual([{ remote: "fork", branch: "other", base: "next" }]);
  });

  it("is the one that is open already", async () => {
    for (const policy of [{}, { number: 1 }, { base: "main" }]) {
      const { answer, records, done, called } = await open(openedWorld(), policy);
      expect(answer).toStrictEqual({ kind: "opened", number: 1, url, created: false });
      expect(records[0]).toEqual({ type: "reached", tasks: ["5.1"] });
      expect(done).toContain("5.1");
      expect(called("open")).toEqual([]);
    }
  });

  it("is another one behind one that was closed or merged, but not one of this very commit", async () => {
    for (const [state, head] of [
      ["closed", "c0"],
      ["merged", "c1"],
    ] as const) {
      const { answer } = await open(shippingWorld({ heads: { main: "m1", feature: "c1" }, ...found({ state, head }) }));
      expect(answer).toMatchObject({ kind: "opened", number: 1, created: true });
    }
    const { answer, called } = await open(shippingWorld(found({ state: "closed" })));
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: `Somebody has closed the pull request ${url} of this very commit`,
      hint: "Open it again, then go on",
    });
    expect(called("open")).toEqual([]);
  });

  it("is to be the one that a person has named", async () => {
    const wrong = {
      kind: "gate",
      reason: "`feature` is not the branch of pull request 3",
      hint: "Check out its branch, then run again",
    };
    expect((await open(openedWorld(), { number: 3 })).answer).toStrictEqual(wrong);
    expect((await open(shippingWorld(found({ state: "closed", head: "c0" })), { number: 3 })).answer).toStrictEqual(
      wrong,
    );
    expect((await open(shippingWorld(), { number: 3 })).answer).toStrictEqual(wrong);
  });

  it("is to merge into the base that a person has named", async () => {
    expect((await open(openedWorld(), { base: "next" })).answer).toStrictEqual({
      kind: "gate",
      reason: "Pull request 1 of `feature` merges into `main`",
      hint: "Run again with --base main",
    });
  });

  it("is not chosen among several", async () => {
    const made = shippingWorld({ forge: { find: async () => ({ kind: "several", numbers: [3, 4] }) } });
    expect((await open(made)).answer).toStrictEqual({
      kind: "gate",
      reason: "`feature` has several open pull requests: 3, 4",
      hint: "Name the base of the one that is meant with --base, then run again",
    });
  });

  it("waits for what is hindered, and asks about what is refused", async () => {
    for (const [given, answer] of [
      [hindered, hindered],
      [refused, refusal],
    ] as const) {
      const say = async () => given;
      for (const options of [
        ...[{ forge: { find: say } }, { forge: { open: say } }],
        ...[{ branch: { remote: say } }, { branch: { ahead: say } }],
      ]) {
        const made = await open(shippingWorld(options));
        expect(made.answer).toStrictEqual(answer);
        expect(made.done).toEqual(["1.1"]);
      }
    }
  });
});

describe("milestones of a plan", () => {
  it("are open tasks of its last phase that name one, and no task that was added", async () => {
    const plan = shippedPlan.replace(
      "- [ ] 5.2",
      "- [ ] 5.1.1 [FIX 5.1] Open it\n- [ ] 5.0 Create the notes\n- [ ] 5.2",
    );
    const made = openedWorld({ plan: `${plan}- [ ] 5.5 Open the window\n- [ ] 5.6 Paint it\n` });
    const cause = { kind: "conflict", base: "main", baseHead: "m1", head: "c1" } as const;
    const tasks = [{ id: "5.5", markers: [], title: "Open the window", fields: {} }];
    made.memory.apply({
      ...{ type: "addition", key: "run#0/addPullRequestTask", cause, checks: [] },
      plan: { task: "5.4", place: "behind", tasks } as never,
    });
    const { records, done } = await open(made);
    expect(records[0]).toEqual({ type: "reached", tasks: ["5.1", "5.0"] });
    expect(done).toEqual(expect.arrayContaining(["5.1", "5.0"]));
    expect(done).not.toContain("5.5");
  });

  it("are none of a plan without that phase", async () => {
    const { records, done } = await open(openedWorld({ plan: "- [x] 1.1 Build it\n- [ ] 1.2 Create the PR\n" }));
    expect(records.map(({ type }) => type)).toEqual(["answered"]);
    expect(done).toEqual(["1.1"]);
  });
});
