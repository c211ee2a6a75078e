import { describe, expect, it } from "vitest";
import type { RunEnded } from "../../src/model/event.ts";
import type { WorldPullRequest } from "../../src/testing/forge-world.ts";
import {
  commits,
  factsOf,
  headIn,
  isIn,
  movesOf,
  type PortCall,
  type ShippedRun,
  shippedRun,
} from "../support/shipped-run.ts";
import { git } from "../support/shop-repository.ts";
import { someCases } from "../support/some-cases.ts";

const states = {
  pushing: ["push", 2],
  opening: ["open", 1],
  watching: ["look", 3],
  waiting: "pause",
  rerunning: ["rerun", 1],
  adding: ["log", 1],
  working: "work",
  answering: ["answer", 1],
  confirming: ["local", 9],
} as const;
type State = keyof typeof states;
const all = Object.keys(states) as State[];

async function meet<Left>(state: State, act: (shop: ShippedRun) => Left) {
  const at: string | readonly [string, number] = states[state];
  let left: { readonly by: Left } | undefined;
  const once = (): void => {
    left ??= { by: act(shop) };
  };
  const shop = shippedRun({
    work: (task, workspace) => {
      if (at === "work" && task === "5.5") once();
      return commits(task, workspace);
    },
  });
  if (at === "pause") shop.time.onPause = once;
  const before = ({ name, number }: PortCall): void => {
    if (name === at[0] && number === at[1]) once();
  };
  const ended: RunEnded = await shop.start({ disturb: { before } });
  expect(left).toBeDefined();
  const { by } = left as { readonly by: Left };
  const { pulls, answers, defaultBranch } = factsOf(shop);
  expect(pulls.length).toBeLessThanOrEqual(1);
  expect(answers[0]).toBe(answers[1]);
  expect(defaultBranch).toBe(0);
  return { shop, ended, by };
}

const change =
  (to: Partial<WorldPullRequest>) =>
  ({ world }: ShippedRun): void =>
    void Object.assign(world.pulls[0] as WorldPullRequest, to);

describe("a run with a pull request", () => {
  const diverging: readonly State[] = ["pushing", "adding", "working"];
  it.each(someCases(all, 3, 0))("keeps commits that a person pushes during %s", async (state) => {
    const { shop, ended, by } = await meet(state, (there) => there.personPushes());
    expect(ended.outcome).toBe(diverging.includes(state) ? "gate" : "complete");
    expect(factsOf(shop)).toMatchObject({ lost: [], isHere: !diverging.includes(state) });
    expect(isIn(shop.remote, by, "work")).toBe(true);
  });

  it.each(someCases(all, 3, 1))("does not overwrite a force push of a person during %s", async (state) => {
    const { shop, ended, by } = await meet(state, (there) => there.personPushes("forced"));
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(headIn(shop.remote, "work")).toBe(by);
    expect(await shop.start()).toMatchObject({ outcome: "gate" });
    expect(headIn(shop.remote, "work")).toBe(by);
  });

  const opened = all.filter((state) => state !== "opening");
  it.each(someCases(opened, 3, 2))("asks if it is closed during %s, and resumes when it is reopened", async (state) => {
    const { shop, ended } = await meet(state, change({ state: "closed" }));
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(shop.world.pulls).toMatchObject([{ state: "closed", draft: true }]);
    change({ state: "open" })(shop);
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(factsOf(shop)).toMatchObject({ pulls: [{ state: "open" }], answers: [1, 1], lost: [], isHere: true });
  });

  it.each(someCases(opened, 3, 0))("is complete if it is merged during %s", async (state) => {
    const { shop, ended } = await meet(state, change({ state: "merged" }));
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    expect(shop.events.map(({ type }) => type)).toContain("pr.merged");
    expect(shop.world.pulls).toMatchObject([{ state: "merged", draft: true }]);
    expect(shop.read("tasks.md")).not.toContain("- [ ] 5.4");
  });

  it.each(["pushing", "waiting", "confirming"] as const)("keeps a new title given during %s", async (state) => {
    const { shop, ended } = await meet(state, change({ title: "Theirs", body: "Theirs, too" }));
    expect(ended.outcome).toBe("complete");
    expect(shop.world.pulls).toMatchObject([{ title: "Theirs", body: "Theirs, too" }]);
  });

  it.each(["watching", "working", "answering"] as const)("ends if a thread is resolved during %s", async (state) => {
    const { shop, ended } = await meet(state, ({ world }) => {
      for (const each of world.threads) each.resolved = true;
    });
    expect(ended.outcome).toBe("complete");
    expect(factsOf(shop)).toMatchObject({ delegations: { "1.1": 1, "5.5": 1, "5.6": 1 } });
  });

  it.each(["pushing", "watching", "working", "answering"] as const)(
    "resolves no thread with new comments made during %s",
    async (state) => {
      const { shop, ended } = await meet(state, ({ world }) => {
        for (const each of world.threads) world.say(each, "And the other one", "ann");
      });
      expect(ended.outcome).toBe("complete");
      expect(factsOf(shop)).toMatchObject({ answers: [2, 2], resolved: [true] });
      expect(shop.read("tasks.md")).toContain("Address review: ann - And the other one");
    },
  );

  it.each(["pushing", "watching", "waiting", "working"] as const)(
    "does not restore a branch deleted during %s",
    async (state) => {
      const { shop, ended } = await meet(state, ({ remote }) => git(remote, "update-ref", "-d", "refs/heads/work"));
      expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
      expect(headIn(shop.remote, "work")).toBeNull();
    },
  );

  it.each(["pushing", "opening", "waiting"] as const)("asks if the base is renamed during %s", async (state) => {
    const { shop, ended, by } = await meet(state, ({ remote }) => {
      git(remote, "branch", "-m", "main", "next");
      return headIn(remote, "next");
    });
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(headIn(shop.remote, "next")).toBe(by);
    expect(movesOf(shop.remote, "main")).toEqual([]);
  });
});
