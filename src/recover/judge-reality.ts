import type { RealityEvidence } from "../model/evidence.ts";
import type { LayerResult } from "../model/verdict.ts";
import { verifyError } from "./verify-error.ts";

/** Judge whether the failure that a goal verification is about is gone. */
export function judgeReality(reality: RealityEvidence | null): LayerResult {
  const layer = "reality";
  if (reality === null) return { layer, kind: "accepted" };
  if (reality.kind === "missing") {
    return { layer, kind: "failed", reason: "no Reality Check (BEFORE) with a command in .progress.md" };
  }
  if (reality.exitCode === 0 && !reality.timedOut) return { layer, kind: "accepted" };
  return { layer, kind: "failed", reason: verifyError(reality).replace(/^Verify/, "Reality check") };
}
