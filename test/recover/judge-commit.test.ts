import { describe, expect, it } from "vitest";
import type { GitEvidence } from "../../src/model/git-evidence.ts";
import { judgeCommit } from "../../src/recover/judge-commit.ts";

const git = (part: Partial<GitEvidence> = {}): GitEvidence => ({
  headBefore: "a",
  headAfter: "b",
  detached: false,
  rewritten: false,
  commits: [],
  changed: [],
  uncommitted: [],
  ...part,
});

describe("judgeCommit", () => {
  it("accepts a spec whose changes are committed", () => {
    expect(judgeCommit({ git: git({ changed: ["a.ts"] }), requireCommit: true })).toEqual({
      layer: "commit",
      kind: "accepted",
    });
  });

  it.each([
    ["not required", { git: git({ uncommitted: ["tasks.md"], rewritten: true }), requireCommit: false }],
    ["not required", { git: null, requireCommit: false }],
    ["no repository", { git: null, requireCommit: true }],
    ["the history was rewritten", { git: git({ rewritten: true }), requireCommit: true }],
  ])("accepts with the note '%s'", (note, evidence) => {
    expect(judgeCommit(evidence)).toEqual({ layer: "commit", kind: "accepted", note });
  });

  it.each([false, true])("rejects changes that are not committed, history rewritten: %s", (rewritten) => {
    expect(judgeCommit({ git: git({ uncommitted: [".progress.md"], rewritten }), requireCommit: true })).toEqual({
      layer: "commit",
      kind: "rejected",
      reason: "uncommitted spec files detected - task not properly committed",
    });
  });
});
