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
