import type { RealityEvidence } from "../model/evidence.ts";
import type { Finding } from "../model/verdict.ts";
import { verifyError } from "./verify-error.ts";

/** Judge whether the failure that a goal verification is about is gone. */
export function judgeReality(reality: RealityEvidence): Finding {
  if (reality.kind === "missing") {
    return { kind: "failed", reason: "no Reality Check (BEFORE) with a command in .progress.md" };
  }
  if (reality.exitCode === 0 && !reality.timedOut) return { kind: "accepted" };
  return { kind: "failed", reason: verifyError(reality).replace(/^Verify/, "Reality check") };
}
