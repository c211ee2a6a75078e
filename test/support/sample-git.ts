import type { GitEvidence } from "../../src/model/git-evidence.ts";

/** The result of git for an attempt that has moved the head from `a` to `b`, and nothing else. */
export const gitEvidence = (part: Partial<GitEvidence> = {}): GitEvidence => ({
  ...{ headBefore: "a", headAfter: "b", detached: false, rewritten: false },
  ...{ commits: [], changed: [], uncommitted: [] },
  ...part,
});
