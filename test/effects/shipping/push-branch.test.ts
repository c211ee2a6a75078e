import { describe, expect, it } from "vitest";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import type { Git } from "../../../src/ports/git.ts";
import { hindered, refusal, refused, shippingPolicy, shippingWorld } from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const key = "run#1/pushBranch";

/** The branch is pushed as a policy says. @param head What was pushed before. */
async function push(
  options: Parameters<typeof shippingWorld>[0] = {},
  { policy = {} as PullRequestPolicyInput, head = null as string | null, commit = false } = {},
) {
  const made = shippingWorld({ now: 7, ...options });
  const answer = await made.effects.pushBranch({ key, policy: shippingPolicy(policy), head, commit }, never);
  return { ...made, answer };
}

describe("a push", () => {
  it("brings the commit here to the branch of that name, and is recorded before", async () => {
    const { answer, called, heads, records } = await push();
    expect(answer).toStrictEqual({ kind: "pushed", head: "c1", fresh: true, at: 7 });
    expect(heads.get("feature")).toBe("c1");
    expect(called("push")).toEqual([{ remote: "origin", branch: "feature", commit: "c1", expect: null }]);
    expect(called("remote")).toEqual([{ remote: "origin", branch: "feature", base: null }]);
    expect(called("ahead")).toEqual([{ remote: "origin", base: "main" }]);
    expect(records).toMatchObject([
      { type: "shipping", key, act: "push", target: "c1" },
      { type: "answered", effect: "pushBranch", key },
    ]);
  });

  it("goes to the remote, the branch and on from the base that the policy names", async () => {
    const policy = { remote: "fork", branch: "feature", base: "next" };
    const { answer, called } = await push({ heads: { main: "m1", next: "n1", feature: "c0" } }, { policy, head: "c0" });
    expect(answer).toMatchObject({ kind: "pushed", fresh: true });
    expect(called("remote")).toEqual([{ remote: "fork", branch: "feature", base: "next" }]);
    expect(called("ahead")).toEqual([{ remote: "fork", base: "next" }]);
    expect(called("push")).toEqual([{ remote: "fork", branch: "feature", commit: "c1", expect: "c0" }]);
  });

  it("is none where the commit is there already", async () => {
    const heads = { main: "m1", feature: "c1" };
    for (const [head, fresh] of [
      ["c1", false],
      ["c0", true],
      [null, true],
    ] as const) {
      const { answer, called, records } = await push({ heads }, { head });
      expect(answer).toStrictEqual({ kind: "pushed", head: "c1", fresh, at: 7 });
      expect([called("push"), called("ahead")]).toEqual([[], []]);
      expect(records.map(({ type }) => type)).toEqual(["answered"]);
    }
  });

  it("is none where somebody else has moved the branch", async () => {
    const moved = await push({ heads: { main: "m1", feature: "x1" } }, { head: "c0" });
    expect(moved.answer).toStrictEqual({ kind: "moved", head: "x1" });
    const gone = await push({ heads: { main: "m1" } }, { head: "c0" });
    expect(gone.answer).toStrictEqual({ kind: "moved", head: null });
    expect([...moved.called("push"), ...gone.called("push")]).toEqual([]);
    const meanwhile = await push({ branch: { push: async () => ({ kind: "moved", head: "x2" }) } });
    expect(meanwhile.answer).toStrictEqual({ kind: "moved", head: "x2" });
  });

  it("takes over a branch that nobody has pushed in this run", async () => {
    const { answer, called } = await push({ heads: { main: "m1", feature: "x1" } });
    expect(answer).toMatchObject({ kind: "pushed" });
    expect(called("push")).toMatchObject([{ expect: "x1" }]);
  });

  it.each(["remote", "ahead", "push"] as const)(
    "waits for what is hindered, and asks about what is refused: %s",
    async (name) => {
      expect((await push({ branch: { [name]: async () => hindered } })).answer).toStrictEqual(hindered);
      expect((await push({ branch: { [name]: async () => refused } })).answer).toStrictEqual(refusal);
    },
  );

  it("asks a person whose hook refuses it", async () => {
    const { answer } = await push({ branch: { push: async () => ({ kind: "hook", output: "lint fails" }) } });
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "A hook of this repository has refused the push: lint fails",
      hint: "Make it pass, then commit what is to be in the pull request, then run again",
    });
  });

  it("asks a person where there is nothing to push", async () => {
    const { answer, called } = await push({
      branch: { ahead: async () => ({ kind: "ahead", commits: [], count: 0, paths: [] }) },
    });
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "There is nothing to push: `feature` holds no commit that `main` has not",
      hint: "commit what is to be in the pull request, then run again",
    });
    expect(called("push")).toEqual([]);
  });

  it("tells in the progress log what it waits for", async () => {
    const { store } = await push({ local: { head: null } });
    expect(store.log.text).toContain("waits for a person: There is no commit to push");
    expect((await push()).store.log.text).toBe("");
  });

  it("needs both the forge and the branch", async () => {
    for (const ports of [{ forge: undefined }, { branch: undefined }]) {
      await expect(push({ ports: ports as never })).rejects.toMatchObject({
        code: "port-missing",
        message: "Cannot make a pull request without the ports forge and branch, expected both",
        hint: "docs/pull-requests.md says what each has to do",
      });
    }
  });
});

describe("the files of the spec", () => {
  const git = (messages: string[]): Git => ({
    ...{ head: async () => "c1", mark: async () => null as never, since: async () => null },
    commit: async (message) => {
      messages.push(message);
      return "c2";
    },
  });

  it("are committed before a push where the policy says so", async () => {
    for (const [commit, expected] of [
      [true, ["chore(spec): update progress"]],
      [false, []],
    ] as const) {
      const messages: string[] = [];
      expect((await push({ ports: { git: git(messages) } }, { commit })).answer).toMatchObject({ kind: "pushed" });
      expect(messages).toEqual(expected);
    }
    expect((await push({}, { commit: true })).answer).toMatchObject({ kind: "pushed" });
  });
});

describe("a branch that no pull request can be made of", () => {
  const mergedInto = (name: string) => ({
    kind: "gate",
    reason: `\`${name}\` is a branch that others merge into: nothing is pushed to it`,
    hint: "Check out a branch of its own, or have one made with --branch, then run again",
  });

  it.each([
    [{ head: null }, {}, "There is no commit to push", "Commit what is to be in the pull request, then run again"],
    [
      ...[{ branch: null }, {}, "HEAD names no branch"],
      "Check out the branch of the pull request, or name a new one with --branch, then run again",
    ],
    [
      ...[{ branch: null }, { branch: "other" }, "HEAD names no branch"],
      "Check out the branch of the pull request, or name a new one with --branch, then run again",
    ],
    [{}, { branch: "other" }, "`feature` is checked out, not `other`", "Check out `other`, then run again"],
    [
      { dirty: ["a", "b", "c", "d", "e", "f", "g", "h", "i"] },
      ...[{}, "Not everything is committed: a, b, c, d, e, f, g, h"],
      "Commit or remove it, or have it committed with --commit all, then run again",
    ],
  ] as [object, PullRequestPolicyInput, string, string][])(
    "is told by what stands here: %o %o",
    async (local, policy, reason, hint) => {
      const { answer, called } = await push({ local }, { policy });
      expect(answer).toStrictEqual({ kind: "gate", reason, hint });
      expect(called("remote")).toEqual([]);
    },
  );

  it.each(["main", "release/2"])("has a protected name: %s", async (branch) => {
    const { answer, called } = await push({ local: { branch } });
    expect(answer).toStrictEqual(mergedInto(branch));
    expect(called("remote")).toEqual([]);
  });

  it("is the default branch of the remote, or the base", async () => {
    const heads = { main: "m1", feature: "c1" };
    const own = await push({ defaultBranch: "feature", heads });
    const base = await push({ heads }, { policy: { base: "feature" } });
    for (const { answer, called } of [own, base]) {
      expect(answer).toStrictEqual(mergedInto("feature"));
      expect(called("push")).toEqual([]);
    }
  });

  it("has no base that anybody knows", async () => {
    expect((await push({ defaultBranch: null })).answer).toStrictEqual({
      kind: "gate",
      reason: "https://forge.example/shop names no default branch",
      hint: "Name the base with --base, then run again",
    });
    expect((await push({}, { policy: { base: "next" } })).answer).toStrictEqual({
      kind: "gate",
      reason: "https://forge.example/shop has no branch `next`",
      hint: "Name another --base, then run again",
    });
    const named = await push({ defaultBranch: null }, { policy: { base: "main" } });
    expect(named.answer).toMatchObject({ kind: "pushed" });
  });
});

describe("a branch that somebody else has pushed to", () => {
  const adopt = async (
    options: Parameters<typeof shippingWorld>[0] = {},
    { head = "x1", policy = {} as PullRequestPolicyInput } = {},
  ) => {
    const made = shippingWorld({ now: 7, ...options });
    const input = { key: "run#1/adoptHead", policy: shippingPolicy(policy), head };
    return { ...made, answer: await made.effects.adoptHead(input, never) };
  };

  it("is taken over, and its authors are told", async () => {
    const { answer, called } = await adopt();
    expect(answer).toStrictEqual({ kind: "adopted", head: "x1", authors: ["Ann"], at: 7 });
    expect(called("adopt")).toEqual([{ remote: "origin", branch: "feature", head: "x1" }]);
    const other = await adopt({ local: { branch: null } }, { policy: { branch: "other", remote: "fork" } });
    expect(other.called("adopt")).toEqual([{ remote: "fork", branch: "other", head: "x1" }]);
  });

  it.each([
    [{}, "", "The branch is gone from the remote", "Push it again, or close the pull request"],
    [{ branch: null }, "x1", "The branch is gone from the remote", "Push it again, or close the pull request"],
    [
      ...[{ dirty: ["a"] }, "x1", "Somebody has pushed to the branch, and not everything is committed here"],
      "Commit, then run again",
    ],
  ] as [object, string, string, string][])(
    "is asked about where it cannot be: %o %j",
    async (local, head, reason, hint) => {
      const { answer, called } = await adopt({ local }, { head });
      expect(answer).toStrictEqual({ kind: "gate", reason, hint });
      expect(called("adopt")).toEqual([]);
    },
  );

  it("is asked about where ours does not only go forward to it", async () => {
    const { answer } = await adopt({ branch: { adopt: async () => ({ kind: "diverged" }) } });
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "Somebody has pushed other commits to `feature`: nothing of theirs is overwritten",
      hint: "Merge `origin/feature` into `feature`, then run again",
    });
  });

  it("is waited for where it is hindered, and asked about where it is refused", async () => {
    expect((await adopt({ branch: { adopt: async () => hindered } })).answer).toStrictEqual(hindered);
    expect((await adopt({ branch: { adopt: async () => refused } })).answer).toStrictEqual(refusal);
  });
});
