import type { CompletionEvidence } from "../model/evidence.ts";
import type { Finding } from "../model/verdict.ts";

/** Whether an attempt has committed what it changed in the files of the spec. A rewritten history is told, no more. */
export function judgeCommit({
  git,
  requireCommit,
  unshipped = null,
}: Pick<CompletionEvidence, "git" | "requireCommit" | "unshipped">): Finding {
  if (unshipped !== null && unshipped.dirty.length > 0) {
    return { kind: "rejected", reason: `not committed, so not in the pull request: ${unshipped.dirty.join(", ")}` };
  }
  if (unshipped?.nothing === true)
    return { kind: "failed", reason: "nothing was committed: the check would fail again" };
  if (!requireCommit) return { kind: "accepted", note: "not required" };
  if (git === null) return { kind: "accepted", note: "no repository" };
  if (git.uncommitted.length > 0) {
    return { kind: "rejected", reason: "uncommitted spec files detected - task not properly committed" };
  }
  return git.rewritten ? { kind: "accepted", note: "the history was rewritten" } : { kind: "accepted" };
}
