import type { GitEvidence } from "../../src/model/git-evidence.ts";

/** Git evidence of an attempt that moved the head from `a` to `b` and changed nothing else. */
export const gitEvidence = (part: Partial<GitEvidence> = {}): GitEvidence => ({
  ...{ headBefore: "a", headAfter: "b", detached: false, rewritten: false },
  ...{ commits: [], changed: [], uncommitted: [] },
  ...part,
});
