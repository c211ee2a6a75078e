import { describe, expect, it } from "vitest";
import type { EffectInput } from "../../../src/model/effect.ts";
import type { CheckState } from "../../../src/model/pull-request.ts";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import {
  hindered,
  openBook,
  openedWorld,
  refused,
  shippingPolicy,
  shippingWorld,
} from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const interval = 180_000;

describe("a change of a pull request", () => {
  const awaiting = (more: Partial<EffectInput<"awaitChange">> = {}): EffectInput<"awaitChange"> => ({
    ...{ key: "run#1/awaitChange", policy: shippingPolicy(), number: 1, head: "c1", reason: "checks" },
    ...{ until: 2_000_000, book: openBook(), ...more },
  });
  /** A check that is pending until then. */
  const until = (time: number, now = 0) => {
    const stateNow = (): CheckState => (made.clock.now() < time ? "pending" : "passed");
    const checks = () => [{ id: "CI / test", runs: [stateNow()] as [CheckState] }];
    const made: ReturnType<typeof openedWorld> = openedWorld({ now, script: { checks } });
    return made;
  };

  it("is looked for at once by a start that goes on, and then at every interval", async () => {
    const made = until(500_000, 1000);
    expect(await made.effects.awaitChange(awaiting(), never)).toStrictEqual({ kind: "done" });
    expect(made.timesOf("look")).toEqual([1000, 181_000, 361_000, 541_000]);
    expect(made.records.map(({ type }) => type)).toEqual(["answered"]);
    expect(made.store.log.text).toBe("");
  });

  it("is looked for an interval behind the last look", async () => {
    const made = until(100_000);
    const { reason: _, until: __, ...looking } = awaiting();
    await made.effects.readPullRequest({ ...looking, key: "run#1/readPullRequest" }, never);
    await made.clock.sleepUntil(60_000, never);
    await made.effects.awaitChange(awaiting(), never);
    expect(made.timesOf("look")).toEqual([0, interval]);
  });

  it("is waited for no longer than until the time that was said", async () => {
    const made = until(9_000_000, 1000);
    expect(await made.effects.awaitChange(awaiting({ until: 300_000 }), never)).toStrictEqual({ kind: "done" });
    expect(made.timesOf("look")).toEqual([1000, 181_000, 300_000]);
    const late = until(9_000_000, 1000);
    await late.effects.awaitChange(awaiting({ until: 1000 }), never);
    expect(late.timesOf("look")).toEqual([]);
  });

  it("is looked for soon where the forge finds out whether it can be merged, but not for ever", async () => {
    const made = until(0);
    for (const pull of made.world.pulls) pull.merge = "unknown";
    await made.effects.awaitChange(awaiting({ reason: "merge", until: 400_000 }), never);
    const soon = [0, 10_000, 20_000, 30_000, 40_000, 50_000];
    expect(made.timesOf("look")).toEqual([...soon, 230_000, 400_000]);
  });

  it("is another reason to wait, too", async () => {
    const made = until(9_000_000);
    await made.effects.awaitChange(awaiting({ reason: "merge" }), never);
    expect(made.timesOf("look")).toEqual([0]);
  });

  it("is that the forge cannot answer, or will not", async () => {
    for (const given of [hindered, refused]) {
      const made = openedWorld({ forge: { look: async () => given } });
      expect(await made.effects.awaitChange(awaiting(), never)).toStrictEqual({ kind: "done" });
      expect(made.timesOf("look")).toEqual([0]);
    }
  });
});

describe("an outside that could not answer", () => {
  const awaiting = (
    more: Partial<EffectInput<"awaitTime">> = {},
    policy: PullRequestPolicyInput = {},
  ): EffectInput<"awaitTime"> => ({
    ...{ key: "run#1/awaitTime", policy: shippingPolicy(policy), reason: "offline", until: 5000, limit: null },
    ...{ number: 1, at: "forge", ...more },
  });
  /** Hindered so often, in turn until then. */
  const outage = (...untils: number[]) => {
    const left = [...untils];
    return async () => {
      const until = left.shift();
      return until === undefined ? { kind: "none" as const } : { ...hindered, until };
    };
  };

  it("is asked again when it said, and on for as long as it cannot", async () => {
    const made = openedWorld({ forge: { look: outage(6000, 900_000) as never } });
    expect(await made.effects.awaitTime(awaiting(), never)).toStrictEqual({ kind: "done" });
    expect(made.timesOf("look")).toEqual([5000, 5000 + interval, 900_000]);
    expect(made.records.map(({ type }) => type)).toEqual(["answered"]);
  });

  it("is not waited for beyond the limit", async () => {
    const made = openedWorld({ forge: { look: outage(6000, 7000, 8000) as never } });
    await made.effects.awaitTime(awaiting({ limit: 100_000 }), never);
    expect(made.timesOf("look")).toEqual([5000]);
    expect(made.clock.now()).toBe(100_000);
    const early = openedWorld();
    expect(await early.effects.awaitTime(awaiting({ limit: 4000 }), never)).toStrictEqual({ kind: "done" });
    expect([early.clock.now(), early.timesOf("look")]).toEqual([4000, []]);
  });

  it("is asked what is smallest: the forge for the number, else for the branch; the remote for that", async () => {
    const calls = async (made: ReturnType<typeof shippingWorld>, input: EffectInput<"awaitTime">) => {
      await made.effects.awaitTime(input, never);
      return { look: made.called("look"), find: made.called("find"), remote: made.called("remote") };
    };
    const none = { look: [], find: [], remote: [] };
    expect(await calls(openedWorld(), awaiting())).toEqual({ ...none, look: [1] });
    expect(await calls(shippingWorld(), awaiting({ number: null }))).toEqual({ ...none, find: ["feature"] });
    const remote = awaiting({ at: "remote" }, { branch: "other", base: "next", remote: "fork" });
    expect(await calls(shippingWorld(), remote)).toEqual({
      ...{ ...none, remote: [{ remote: "fork", branch: "other", base: "next" }] },
    });
    for (const at of ["forge", "remote"] as const) {
      expect(await calls(shippingWorld({ local: { branch: null } }), awaiting({ number: null, at }))).toEqual(none);
    }
  });
});
