import { describe, expect, it } from "vitest";
import { judgeCommit } from "../../src/recover/judge-commit.ts";
import { gitEvidence } from "../support/sample-git.ts";

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

  it.each([false, true])("rejects changes that are not committed, history rewritten: %s", (rewritten) => {
    expect(
      judgeCommit({ git: gitEvidence({ uncommitted: [".progress.md"], rewritten }), requireCommit: true }),
    ).toEqual({
      kind: "rejected",
      reason: "uncommitted spec files detected - task not properly committed",
    });
  });
});

it("rejects what is not in the pull request, and takes nothing for no fix", () => {
  const none = { git: null, requireCommit: false };
  expect(judgeCommit({ ...none, unshipped: { dirty: ["a.ts"], nothing: false } })).toEqual({
    kind: "rejected",
    reason: "not committed, so not in the pull request: a.ts",
  });
  expect(judgeCommit({ ...none, unshipped: { dirty: [], nothing: true } }).kind).toBe("failed");
  expect(judgeCommit({ ...none, unshipped: { dirty: [], nothing: false } }).kind).toBe("accepted");
});
