import type { GitEvidence } from "../../src/model/git-evidence.ts";

export const gitEvidence = (part: Partial<GitEvidence> = {}): GitEvidence => ({
  ...{ headBefore: "a", headAfter: "b", detached: false, rewritten: false },
  ...{ commits: [], changed: [], uncommitted: [] },
  ...part,
});
