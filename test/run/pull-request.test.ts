import { describe, expect, it } from "vitest";
import { createPullRequestMachine } from "../../machines/pull-request.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import type { Answer, EffectName } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { type PolicyInput, readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { openSession } from "../../src/runtime/session.ts";

const maxTime = 48 * 60 * 60_000;
const pushed = { kind: "pushed", head: "c1", fresh: true, at: 1000 };
const opened = { kind: "opened", number: 7, url: "u", created: true };
const hindered = (until = 2000) => ({ kind: "hindered", reason: "busy", until, detail: "" });
const check = { kind: "check", check: "test", job: "1", head: "c1" } as const;

function shipping(given: PolicyInput = {}, machine = createPullRequestMachine()) {
  const events: RunEvent[] = [];
  const session = openSession({
    policy: readPolicy(given),
    state: newRun(),
    machine,
    onEvent: (event) => void events.push(event),
  });
  const { state } = session;
  return {
    state,
    events,
    session,
    record: (record: RunRecord) => apply(state, record),
    asked: () => session.performable().map(({ key, input }) => ({ key, input })),
    answer: (...answers: readonly object[]): string => {
      for (const answer of answers) {
        const [effect] = session.performable();
        if (effect === undefined) throw new Error("Expected an effect");
        session.take(effect, answer);
      }
      return session.performable()[0]?.key ?? (session.outcome()?.kind as string);
    },
  };
}

describe("the work on a pull request", () => {
  it("has numbered effects, and is restored from its records", () => {
    const run = shipping();
    expect(run.asked()).toMatchObject([{ key: "pr#1.1/pushBranch", input: { head: null, commit: false } }]);
    expect(run.answer(pushed)).toBe("pr#1.2/openPullRequest");
    expect(run.answer(opened)).toBe("pr#1.3/readPullRequest");
    expect(run.answer({ kind: "pending", reason: "checks", until: 5000 })).toBe("pr#1.4/awaitChange");
    expect(run.asked()).toMatchObject([{ input: { reason: "checks", until: 5000, number: 7, head: "c1" } }]);
    run.answer({ kind: "done" }, { kind: "rerunDue", check: "test", job: "1" });
    expect(run.asked()).toMatchObject([{ key: "pr#1.6/rerunCheck", input: { check: "test", job: "1", number: 7 } }]);
    run.answer({ kind: "rerun", check: "test" }, { kind: "behind" }, { kind: "done" });
    run.answer({ kind: "green", flaky: ["test"] }, { kind: "changed" }, { kind: "green", flaky: [] });
    expect(run.answer({ kind: "confirmed", requesting: ["ann"] })).toBe("ready");
    expect(run.events).toEqual([
      { type: "pr.pushed", head: "c1" },
      { type: "pr.opened", number: 7, url: "u", created: true },
      { type: "pr.waiting", reason: "checks", until: 5000 },
      { type: "check.rerun", check: "test" },
      { type: "check.flaky", checks: ["test"] },
      { type: "pr.ready", number: 7, url: "u", head: "c1", requesting: ["ann"] },
    ]);
  });

  it("adds a task, and replies to a thread with the result", () => {
    const run = shipping();
    run.answer(pushed, opened, { kind: "failing", cause: check });
    expect(run.asked()).toMatchObject([{ key: "pr#1.4/addPullRequestTask", input: { cause: check } }]);
    expect(run.answer({ kind: "inserted", task: "5.5", checks: ["test"], title: "Fix" })).toBe("more");
    expect(run.events.at(-1)).toEqual({ type: "pr.task", task: "5.5", title: "Fix", about: "check" });
    const other = shipping();
    other.answer(pushed, opened, { kind: "answerDue", thread: "t", comment: "c", task: "5.6" });
    expect(other.asked()).toMatchObject([{ input: { thread: "t", comment: "c", task: "5.6" } }]);
    expect(other.answer({ kind: "answered", thread: "t", comment: "c" }, { kind: "merged" })).toBe("merged");
    expect(other.events.slice(-2)).toEqual([
      { type: "review.answered", task: "5.6" },
      { type: "pr.merged", number: 7, url: "u" },
    ]);
  });

  it("takes over commits pushed by others, and opens nothing that is open", () => {
    const run = shipping();
    run.answer({ kind: "moved", head: null });
    expect(run.asked()).toMatchObject([{ key: "pr#1.2/adoptHead", input: { head: "" } }]);
    expect(run.answer({ kind: "adopted", head: "c2", authors: [], at: 1 })).toBe("pr#1.3/openPullRequest");
    run.answer(opened, { kind: "moved", head: "c3" });
    expect(run.asked()).toMatchObject([{ input: { head: "c3" } }]);
    expect(run.answer({ kind: "adopted", head: "c3", authors: [], at: 2 })).toBe("pr#1.6/readPullRequest");
    const later = shipping();
    later.record({
      type: "answered",
      effect: "openPullRequest",
      key: "pr#1.1/openPullRequest",
      answer: opened as never,
    });
    later.state.turn.shipping = { step: 0, due: null, hindered: null };
    expect(later.answer(pushed)).toBe("pr#1.2/readPullRequest");
  });

  const looks = { failing: { kind: "failing", cause: check }, behind: { kind: "behind" } };
  const due = { kind: "answerDue", thread: "t", comment: "c", task: "5.6" };
  const rerun = { kind: "rerunDue", check: "test", job: "1" };
  it.each<[EffectName, string, object[]]>([
    ["pushBranch", "remote", []],
    ["adoptHead", "remote", [{ kind: "moved", head: "c2" }]],
    ["openPullRequest", "forge", [pushed]],
    ["readPullRequest", "forge", [pushed, opened]],
    ["rerunCheck", "forge", [pushed, opened, rerun]],
    ["updateBranch", "forge", [pushed, opened, looks.behind]],
    ["addPullRequestTask", "forge", [pushed, opened, looks.failing]],
    ["answerThread", "forge", [pushed, opened, due]],
  ])("retries a blocked action when its time has come: %s", (name, at, before) => {
    const run = shipping();
    expect(run.answer(...before)).toBe(`pr#1.${before.length + 1}/${name}`);
    expect(run.answer(hindered())).toBe(`pr#1.${before.length + 2}/awaitTime`);
    expect(run.asked()).toMatchObject([{ input: { reason: "busy", until: 2000, at } }]);
    expect(run.events.at(-1)).toEqual({ type: "pr.waiting", reason: "busy", until: 2000 });
    expect(run.answer({ kind: "done" })).toBe(`pr#1.${before.length + 3}/${name}`);
  });

  it("polls again if its confirmation was blocked", () => {
    const run = shipping();
    run.answer(pushed, opened, { kind: "green", flaky: [] });
    expect(run.answer(hindered(), { kind: "done" })).toBe("pr#1.6/readPullRequest");
  });

  it("ignores a wait that is no longer needed", () => {
    const run = shipping();
    run.answer(hindered());
    const [wait] = run.session.performable();
    if (wait === undefined) throw new Error("Expected a wait");
    run.session.take(wait, { kind: "done" });
    run.session.take(wait, { kind: "done" });
    expect(run.session.performable()).toMatchObject([{ name: "pushBranch" }]);
  });

  it("is given up at its deadline, even if the block lasts longer", () => {
    const run = shipping({ pullRequest: { maxTime } });
    expect(run.answer(hindered(Number.MAX_SAFE_INTEGER), { kind: "done" })).toBe("pr#1.3/pushBranch");
    expect(run.answer(pushed, hindered(1000 + maxTime))).toBe("exhausted");
    const denial = { kind: "denied", limit: "maxTime", task: "pull request", max: maxTime };
    expect(run.session.charts.output()).toMatchObject({ kind: "exhausted", end: { denial } });
    expect(run.events.at(-1)).toEqual({ type: "pr.pushed", head: "c1" });
    const open = shipping();
    open.answer(pushed, opened, hindered(1000 + maxTime));
    expect(open.session.charts.output()).toMatchObject({ end: { denial: { task: "pull request 7" } } });
  });

  it("stops at a question, which is repeated under its key", () => {
    const run = shipping();
    const question = { kind: "gate", reason: "closed", hint: "open it" };
    expect(run.answer(pushed, question)).toBe("gated");
    expect(run.session.charts.output()).toEqual({ kind: "gated", end: question });
    expect(run.state.turn.shipping).toMatchObject({ step: 1 });
  });

  it("begins when nothing else is open, if the policy makes one", () => {
    const none: Answer<"chooseTask"> = { kind: "none" };
    expect(shipping({ pullRequest: {} }, createSpecMachine() as never).answer(none)).toBe("pr#1.1/pushBranch");
    expect(shipping({}, createSpecMachine() as never).answer(none)).toBe("run#1/confirmCompletion");
  });
});
