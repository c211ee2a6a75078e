import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import type { CommandResult } from "../../../src/ports/shell.ts";
import { scriptedShell } from "../../../src/testing/scripted-shell.ts";
import { hindered, openBook, openedWorld, refusal, refused, shippingPolicy } from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const key = "run#1/confirmPullRequest";
const checks = () => [{ id: "CI / test", runs: ["passed"] } as const];
const green = { script: { checks } };

async function confirm(
  made = openedWorld(green),
  { finalVerify = null as string | null, policy = {} as PullRequestPolicyInput } = {},
) {
  const input = { key, policy: shippingPolicy(policy), number: 1, head: "c1", book: openBook() };
  const answer = await made.effects.confirmPullRequest({ ...input, finalVerify, timeoutMs: 60_000 }, never);
  const { tasks } = openPlan(made.store.tasks.text).plan;
  return { ...made, answer, done: tasks.flatMap(({ id, done }) => (done ? [id] : [])) };
}
const ending = (ends: Partial<CommandResult>) => ({ shell: scriptedShell({ "npm test": [ends] }) });

describe("a pull request at its end", () => {
  it("is confirmed where it is green and the same here and there", async () => {
    const { answer, done, store, records, called } = await confirm();
    expect(answer).toStrictEqual({ kind: "confirmed" });
    expect(done).toEqual(["1.1", "5.1", "5.2", "5.3", "5.4"]);
    expect(store.log.text).toContain("ready at c1");
    expect(records).toStrictEqual([
      { type: "reached", tasks: ["5.1", "5.2", "5.3", "5.4"] },
      { type: "answered", effect: "confirmPullRequest", key, answer: { kind: "confirmed" } },
    ]);
    expect([...called("markReady"), ...called("enableAutoMerge")]).toEqual([]);
  });

  it("passes the final check before it is looked at, which is told and kept", async () => {
    const told: object[] = [];
    const onProgress = (event: object) => void told.push(event);
    const made = openedWorld({ ...green, ports: { ...ending({ exitCode: 0 }), onProgress } });
    const { answer, records } = await confirm(made, { finalVerify: "npm test" });
    expect(answer).toStrictEqual({ kind: "confirmed" });
    expect(told).toEqual([{ type: "check.started", command: "npm test" }]);
    expect(records.at(-1)).toMatchObject({ verify: { command: "npm test", name: key, result: { exitCode: 0 } } });
  });

  it.each([
    [{ exitCode: 1, stderr: "no\n" }, /^The final check failed \(exit 1\): no$/],
    [{ exitCode: 0, timedOut: true }, /^The final check timed out after 1m \(--verify-timeout\)$/],
  ])("asks a person where the final check does not pass: %o", async (ends, reason) => {
    const made = openedWorld({ ...green, ports: ending(ends) });
    const { answer, records, called, done } = await confirm(made, { finalVerify: "npm test" });
    expect(answer).toStrictEqual({
      ...{ kind: "gate", reason: expect.stringMatching(reason), hint: "Make `npm test` pass, then run again" },
    });
    expect(records.at(-1)).toMatchObject({ verify: { command: "npm test" } });
    expect(called("look")).toEqual([]);
    expect(done).toEqual(["1.1"]);
  });

  it("asks a person where the branch here is not what was pushed", async () => {
    for (const local of [{ head: "c2" }, { dirty: ["a.txt"] }]) {
      const { answer, called } = await confirm(openedWorld({ ...green, local }));
      expect(answer).toStrictEqual({
        kind: "gate",
        reason: "The branch here is not what was pushed any more",
        hint: "Commit what is to be in the pull request, or go back to its last commit, then run again",
      });
      expect(called("look")).toEqual([]);
    }
  });

  it("is none where it is not green any more", async () => {
    const { answer, done } = await confirm(openedWorld({ script: { checks: () => [{ id: "t", runs: ["pending"] }] } }));
    expect(answer).toStrictEqual({ kind: "changed" });
    expect(done).toEqual(["1.1"]);
  });

  it("is marked as ready where it is a draft and the policy says so", async () => {
    for (const [draft, ready, calls] of [
      [true, true, [1]],
      [false, true, []],
      [true, false, []],
    ] as const) {
      const { answer, called, world } = await confirm(openedWorld(green, { draft }), { policy: { ready } });
      expect(answer).toStrictEqual({ kind: "confirmed" });
      expect(called("markReady")).toEqual(calls);
      expect(world.pulls[0]?.draft).toBe(draft && !ready);
    }
  });

  it("is merged once it may where the policy says so, and nobody has asked for that", async () => {
    const policy = { autoMerge: "squash" } as const;
    const { answer, called, world } = await confirm(openedWorld(green), { policy });
    expect(answer).toStrictEqual({ kind: "confirmed" });
    expect(called("enableAutoMerge")).toEqual([{ number: 1, head: "c1", how: "squash" }]);
    expect(world.pulls[0]?.autoMerge).toBe("squash");
    const queued = openedWorld(green);
    Object.assign(queued.world.pulls[0] as object, { merge: "queued" });
    const again = await confirm(queued, { policy });
    expect(again.answer).toStrictEqual({ kind: "confirmed" });
    expect(again.called("enableAutoMerge")).toEqual([]);
  });

  it("waits for what is hindered, and asks about what is refused", async () => {
    for (const [given, answer] of [
      [hindered, hindered],
      [refused, refusal],
    ] as const) {
      for (const name of ["look", "markReady", "enableAutoMerge"]) {
        const made = openedWorld({ ...green, forge: { [name]: async () => given } }, { draft: true });
        const { answer: said, done } = await confirm(made, { policy: { ready: true, autoMerge: "merge" } });
        expect(said).toStrictEqual(answer);
        expect(done).toEqual(["1.1"]);
      }
    }
  });
});
