import type { CompletionEvidence } from "../model/evidence.ts";
import type { LayerResult } from "../model/verdict.ts";

/** Whether an attempt has committed what it changed in the files of the spec. A rewritten history is told, no more. */
export function judgeCommit({ git, requireCommit }: Pick<CompletionEvidence, "git" | "requireCommit">): LayerResult {
  const layer = "commit";
  if (!requireCommit) return { layer, kind: "accepted", note: "not required" };
  if (git === null) return { layer, kind: "accepted", note: "no repository" };
  if (git.uncommitted.length > 0) {
    return { layer, kind: "rejected", reason: "uncommitted spec files detected - task not properly committed" };
  }
  return git.rewritten ? { layer, kind: "accepted", note: "the history was rewritten" } : { layer, kind: "accepted" };
}
