import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import type { ReviewEvidence } from "../../src/model/evidence.ts";
import { maxReviews } from "../../src/model/limits.ts";
import { judgeCommit, judgeReality, judgeReview, reviewDue } from "../../src/recover/judge-completion.ts";
import { gitEvidence } from "../support/sample-git.ts";
import { plan, task } from "../support/sample-plan.ts";

describe("judgeCommit", () => {
  it("accepts a spec whose changes are committed", () => {
    expect(judgeCommit({ git: gitEvidence({ changed: ["a.ts"] }), requireCommit: true })).toEqual({
      kind: "accepted",
    });
  });

  it.each([
    ["not required", { git: gitEvidence({ uncommitted: ["tasks.md"], rewritten: true }), requireCommit: false }],
    ["not required", { git: null, requireCommit: false }],
    ["no repository", { git: null, requireCommit: true }],
    ["the history was rewritten", { git: gitEvidence({ rewritten: true }), requireCommit: true }],
  ])("accepts with the note '%s'", (note, evidence) => {
    expect(judgeCommit(evidence)).toEqual({ kind: "accepted", note });
  });

  it.each([false, true])("rejects uncommitted changes and rewritten history: %s", (rewritten) => {
    expect(
      judgeCommit({ git: gitEvidence({ uncommitted: [".progress.md"], rewritten }), requireCommit: true }),
    ).toEqual({
      kind: "rejected",
      reason: "uncommitted spec files detected - task not properly committed",
    });
  });
});

it("rejects work outside the pull request, and an empty fix", () => {
  const none = { git: null, requireCommit: false };
  expect(judgeCommit({ ...none, unshipped: { dirty: ["a.ts"], nothing: false } })).toEqual({
    kind: "rejected",
    reason: "not committed, so not in the pull request: a.ts",
  });
  expect(judgeCommit({ ...none, unshipped: { dirty: [], nothing: true } }).kind).toBe("failed");
  expect(judgeCommit({ ...none, unshipped: { dirty: [], nothing: false } }).kind).toBe("accepted");
});

const ran = {
  kind: "ran",
  command: "npm test",
  exitCode: 0,
  timedOut: false,
  digest: digestOutput("no answer\n"),
} as const;

describe("judgeReality", () => {
  it("accepts a task that needs no reality check, and a command that passes", () => {
    expect(judgeReality(ran)).toEqual({ kind: "accepted" });
  });

  it.each([
    [{ kind: "missing" }, "no Reality Check (BEFORE) with a command in .progress.md"],
    [{ ...ran, exitCode: 1 }, "Reality check failed (exit 1): no answer"],
    [{ ...ran, exitCode: 127 }, "Reality check failed (exit 127): no answer"],
    [{ ...ran, exitCode: null }, "Reality check failed (ended by a signal): no answer"],
    [{ ...ran, timedOut: true }, "Reality check timed out"],
  ] as const)("fails for %j", (reality, reason) => {
    expect(judgeReality(reality)).toEqual({ kind: "failed", reason });
  });
});

const failing: ReviewEvidence = { verdict: "fail", code: "No test for null\nDead code in a.ts", spec: "", round: 1 };

describe("judgeReview", () => {
  it("accepts a passed review, whatever its findings", () => {
    expect(judgeReview({ ...failing, verdict: "pass" })).toEqual({ kind: "accepted" });
  });

  it("fails for findings about the code, with the first as the reason", () => {
    expect(judgeReview({ ...failing, spec: "FR-1" })).toEqual({
      kind: "failed",
      reason: "No test for null",
    });
    expect(judgeReview({ ...failing, code: "No test \nDead code" })).toMatchObject({ reason: "No test" });
    expect(judgeReview({ ...failing, round: 2, code: ` \n ${"x".repeat(600)}\r\ny` })).toEqual({
      kind: "failed",
      reason: "x".repeat(500),
    });
  });

  it("accepts findings that only a person can resolve", () => {
    expect(judgeReview({ ...failing, code: "", spec: "FR-1 is unclear" })).toEqual({
      kind: "accepted",
      note: "a person must decide about the findings",
    });
  });

  it("accepts after the last round, with the open findings", () => {
    expect(maxReviews).toBe(3);
    expect(judgeReview({ ...failing, round: 3 })).toEqual({
      kind: "accepted",
      note: "findings remain after 3 reviews",
    });
  });

  it("counts silence against the reviewer, not the task", () => {
    expect(judgeReview({ ...failing, verdict: "none" })).toEqual({
      kind: "accepted",
      note: "the reviewer gave no verdict",
    });
  });
});

const due = (given: ReturnType<typeof plan>): string[] =>
  given.tasks.map(({ id }) => id).filter((id) => reviewDue({ plan: given, task: id }));

describe("reviewDue", () => {
  it("is true at the first task of every phase except the first", () => {
    const given = plan(
      task("1.1", { phase: "Phase 1" }),
      task("1.2", { phase: "Phase 1" }),
      task("2.1", { phase: "Phase 2" }),
      task("2.2", { phase: "Phase 2" }),
    );
    expect(due(given)).toEqual(["2.1"]);
  });

  it("is true at the first task of a phase after tasks without a phase", () => {
    expect(due(plan(task("1"), task("2", { phase: "Phase 1" }), task("3", { phase: "Phase 1" })))).toEqual(["2"]);
  });

  it("is true at every fifth planned task, without fixes", () => {
    const tasks = Array.from({ length: 11 }, (_, index) => task(`${index + 1}`));
    expect(due(plan(...tasks))).toEqual(["5", "10"]);
    expect(due(plan(task("1"), task("1.1", { fixOf: "1", phase: "P" }), ...tasks.slice(1)))).toEqual(["5", "10"]);
  });

  it("is true at the last open planned task", () => {
    const given = plan(task("1", { done: true }), task("2"), task("2.1", { fixOf: "2" }), task("3", { done: true }));
    expect(due(given)).toEqual(["2"]);
    expect(due(plan(task("1"), task("2")))).toEqual([]);
    expect(due(plan(task("1")))).toEqual(["1"]);
  });

  it("is false for a task that is not in the plan", () => {
    expect(reviewDue({ plan: plan(task("1", { done: true })), task: "9" })).toBe(false);
  });
});
