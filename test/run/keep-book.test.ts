import { expect, it } from "vitest";
import { noBook } from "../../src/model/pull-request-book.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { select } from "../../src/run/select.ts";

const cause = { kind: "check", check: "c", job: null, head: "h" } as const;

it("a task of a pull request has passed though its reply is kept elsewhere, and a green check is its verdict", () => {
  const state = newRun(1);
  const plan = { task: "5.1", place: "behind", tasks: [{ id: "5.5", markers: [], title: "t", fields: {} }] } as const;
  apply(state, { type: "addition", key: "pr#1.3/addPullRequestTask", cause, checks: ["c"], plan });
  expect(state.turn.addition).toMatchObject({ key: "pr#1.3/addPullRequestTask" });
  const passed = { kind: "recorded", commit: "abc", unverified: true } as const;
  apply(state, { type: "answered", effect: "recordPass", key: "5.5#1/recordPass", answer: passed });
  expect(state.pullRequest).toEqual({
    ...noBook,
    tasks: { "5.5": { cause, checks: ["c"], result: { commit: "abc", reply: "" } } },
  });
  expect(state.unverified).toEqual({ "5.5": true });
  apply(state, { type: "reached", tasks: ["5.2"] });
  apply(state, {
    ...{ type: "answered", effect: "readPullRequest", key: "pr#2.2/readPullRequest" },
    answer: { kind: "green", flaky: [] },
  });
  expect([state.unverified, state.accepted]).toEqual([{}, { "5.5": true, "5.2": true }]);
});

it("a task of a pull request that is not in the plan yet is known to the effect that has recorded it", () => {
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
