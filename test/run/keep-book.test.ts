import { expect, it } from "vitest";
import { noBook } from "../../src/model/pull-request.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { select } from "../../src/run/select.ts";
import { answered } from "../support/answered.ts";

const cause = { kind: "check", check: "c", job: null, head: "h" } as const;

it("a task of a pull request has passed even if its reply is stored elsewhere, and a green check is its verdict", () => {
  const state = newRun(1);
  const plan = { task: "5.1", place: "behind", tasks: [{ id: "5.5", markers: [], title: "t", fields: {} }] } as const;
  apply(state, { type: "addition", key: "pr#1.3/addPullRequestTask", cause, checks: ["c"], plan });
  expect(state.turn.addition).toMatchObject({ key: "pr#1.3/addPullRequestTask" });
  const passed = { kind: "recorded", commit: "abc", proof: { kind: "unverified" } } as const;
  apply(state, { type: "answered", effect: "recordPass", key: "5.5#1/recordPass", answer: passed });
  expect(state.pullRequest).toEqual({
    ...noBook,
    tasks: { "5.5": { cause, checks: ["c"], result: { commit: "abc", reply: "" } } },
  });
  expect(state.proofs).toEqual({ "5.5": { kind: "unverified" } });
  apply(state, { type: "reached", tasks: ["5.2"] });
  apply(state, {
    ...{ type: "answered", effect: "readPullRequest", key: "pr#2.2/readPullRequest" },
    answer: { kind: "green", flaky: [] },
  });
  expect([state.proofs, state.accepted]).toEqual([{ "5.5": { kind: "proven" } }, { "5.5": true, "5.2": true }]);
});

it("a task of a pull request that is not yet in the plan is known to the effect that recorded it", () => {
  const state = newRun(1);
  const asked = select(
    () => state,
    () => Promise.reject(new Error("not asked for")),
  );
  const key = "pr#1.3/addPullRequestTask";
  expect(asked.addition(key)).toBe(null);
  const task = { id: "5.5", markers: [], title: "t", fields: {} };
  const change = { task: "5.1", place: "behind" as const, tasks: [task] };
  apply(state, { type: "addition", key, cause, checks: ["c"], plan: change });
  expect(asked.addition(key)).toEqual({ key, change, checks: ["c"] });
  expect(asked.addition("pr#2.3/addPullRequestTask")).toBe(null);
});

it("a task of a pull request passes a reviewer the end of a long reply", () => {
  const state = newRun(1);
  const plan = { task: "5.1", place: "behind", tasks: [{ id: "5.5", markers: [], title: "t", fields: {} }] } as const;
  apply(state, { type: "addition", key: "pr#1.3/addPullRequestTask", cause, checks: ["c"], plan });
  const reply = { text: `${"a".repeat(5000)}${"b".repeat(4000)}`, headBefore: null };
  apply(state, answered("5.5#1/delegate", { kind: "replied" }, { reply }));
  apply(state, answered("5.5#1/recordPass", { kind: "recorded" }));
  expect(state.pullRequest?.tasks["5.5"]?.result).toEqual({ commit: null, reply: "b".repeat(4000) });
});

it("a green check is the verdict on work for a check, not on an answer to a thread", () => {
  const state = newRun(1);
  const thread = { kind: "thread", thread: "t", comment: "c", head: "h" } as const;
  for (const [id, why] of [["5.5", cause] as const, ["5.6", thread] as const]) {
    const plan = { task: "5.1", place: "behind", tasks: [{ id, markers: [], title: "t", fields: {} }] } as const;
    apply(state, { type: "addition", key: `pr#${id}/addPullRequestTask`, cause: why, checks: [], plan });
    apply(state, answered(`${id}#1/recordPass`, { kind: "recorded", proof: { kind: "unverified" } }));
  }
  apply(state, answered("pr#2/readPullRequest", { kind: "red" }));
  expect(state.proofs).toEqual({ "5.5": { kind: "unverified" }, "5.6": { kind: "unverified" } });
  apply(state, answered("pr#2/readPullRequest", { kind: "green", flaky: [] }));
  expect(state.proofs).toEqual({ "5.5": { kind: "proven" }, "5.6": { kind: "unverified" } });
});

it("a run has no pull request before its first action on one", () => {
  const state = newRun(1);
  apply(state, answered("pr#1/readPullRequest", { kind: "red" }));
  expect(state).not.toHaveProperty("pullRequest");
});

it.each<[string, object, object]>([
  ["pushBranch", { kind: "pushed", head: "h2", at: 5 }, { head: "h2", pushedAt: 5 }],
  ["adoptHead", { kind: "adopted", head: "h2", at: 5 }, { head: "h2", pushedAt: 5 }],
  ["openPullRequest", { kind: "opened", number: 7, url: "u" }, { number: 7, url: "u" }],
  ["rerunCheck", { kind: "rerun", check: "c" }, { reran: { c: "h1" } }],
  ["answerThread", { kind: "answered", thread: "t", comment: "c" }, { answered: { t: "c" } }],
  ["readPullRequest", { kind: "green", flaky: ["c"] }, { green: true, greenOnce: true, flaky: ["c"] }],
  ["confirmPullRequest", { kind: "green", flaky: [] }, { green: true, greenOnce: true, flaky: [] }],
])("the pull request book records the effects of %s", (effect, answer, kept) => {
  const state = newRun(1);
  apply(state, answered("pr#1/pushBranch", { kind: "pushed", head: "h1", at: 1 }));
  apply(state, answered(`pr#2/${effect}`, answer));
  expect(state.pullRequest).toEqual({ ...noBook, head: "h1", pushedAt: 1, since: 1, ...kept });
});
