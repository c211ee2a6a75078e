import type { CompletionEvidence, VerifyEvidence } from "../model/evidence.ts";
import { compareSets, type EndedRun, setOfRun } from "../model/failure-set.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { MadeFor } from "../model/fix-task.ts";
import { roleOf } from "../model/task.ts";
import type { LayerResult, Verdict } from "../model/verdict.ts";
import { judgeCheckmarks } from "./judge-checkmarks.ts";
import { judgeCommit } from "./judge-commit.ts";
import { judgeReality } from "./judge-reality.ts";
import { judgeReview } from "./judge-review.ts";
import { verifyError } from "./verify-error.ts";

/** The reason that weighs most first. */
const weights = ["undecided", "failed", "rejected"] as const;

/**
 * Judge a claimed completion. A signal that is missing or false ends it; contradiction, checkmarks and commit are
 * judged together; Verify, the reality check and the review are judged one after the other, each when those before it
 * have accepted and its own evidence is there.
 *
 * @see docs/verification.md
 */
export function judgeCompletion(evidence: CompletionEvidence): Verdict {
  const signal = judgeSignal(evidence);
  if (signal.kind !== "accepted") return conclude([signal]);
  const layers = [signal, judgeContradiction(evidence), judgeCheckmarks(evidence), judgeCommit(evidence)];
  const { verify, reality, review, madeFor } = evidence;
  const later = [
    verify && judgeVerify(verify, madeFor),
    reality && judgeReality(reality),
    review && judgeReview(review),
  ];
  for (const layer of later) if (layer !== null && conclude(layers).kind === "accepted") layers.push(layer);
  return conclude(layers);
}

const conclude = (layers: readonly LayerResult[]): Verdict => ({
  kind: weights.find((kind) => layers.some((layer) => layer.kind === kind)) ?? "accepted",
  layers,
});

/** Whether no command has shown what was claimed: what the Verify layer says, unless a reality check has. */
export const isUnverified = (layers: readonly LayerResult[]): boolean =>
  layers.some(({ layer, kind }) => layer === "verify" && kind === "unverified") &&
  !layers.some(({ layer, kind }) => layer === "reality" && kind === "accepted");

function judgeSignal({ task, signal, blocker, reply }: CompletionEvidence): LayerResult {
  const { exitCode = 0, ended = "exit" } = reply;
  const clean = ended === "exit" && exitCode === 0;
  if (signal === "blocked") {
    return { layer: "signal", kind: "undecided", reason: blocker ?? "a person has to decide" };
  }
  if (signal === "complete" && clean) return { layer: "signal", kind: "accepted" };
  if (signal === "misplaced" && clean) return { layer: "signal", kind: "rejected", reason: wrongWord(task) };
  const how = ended === "exit" ? `exit ${exitCode}` : `ended by ${ended}`;
  const says = {
    complete: "completion claimed",
    misplaced: "completion claimed in the word of another role",
    failed: "failure reported",
  };
  const reason = signal === null ? "no completion signal" : says[signal];
  return { layer: "signal", kind: "failed", reason: clean ? reason : `${reason} (${how})` };
}

/** What a claim was made with in the wrong role, and the word that counts. */
const wrongWord = (task: CompletionEvidence["task"]): string =>
  roleOf(task) === "verifier"
    ? "said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS"
    : "said VERIFICATION_PASS; the executor of a task says TASK_COMPLETE";

const judgeContradiction = ({ contradiction }: CompletionEvidence): LayerResult =>
  contradiction === null
    ? { layer: "contradiction", kind: "accepted" }
    : {
        layer: "contradiction",
        kind: "rejected",
        reason: "CONTRADICTION: claimed completion while admitting failure",
      };

function judgeVerify(verify: VerifyEvidence, madeFor: MadeFor | null): LayerResult {
  const layer = "verify";
  if (verify.kind === "trusted") return { layer, kind: "unverified", note: "not run: executors are trusted" };
  if (verify.kind === "unrunnable") return { layer, kind: "unverified", note: `not runnable: ${verify.reason}` };
  if (verify.exitCode === 0 && !verify.timedOut) return { layer, kind: "accepted" };
  if (!verify.timedOut && (verify.exitCode === 126 || verify.exitCode === 127)) {
    return { layer, kind: "undecided", reason: "the Verify command cannot run" };
  }
  const error = verifyError(verify);
  // The copied Verify judges the whole original task, of which this fix was to remove one failure.
  if (madeFor !== null && !verify.timedOut && hasHelped(madeFor, verify, error)) {
    return { layer, kind: "accepted", note: `what it was made for is gone: ${error}` };
  }
  return { layer, kind: "failed", reason: error };
}

/**
 * Whether what a fix was made for is gone, and nothing has come instead: its first failure is not in the set any more,
 * and the set has gained none. Where names are not known there have to be fewer failures; a fix that was made for an
 * error nobody has counted has to have brought about another one.
 */
function hasHelped(madeFor: MadeFor, run: EndedRun, error: string): boolean {
  if (madeFor.failing === undefined) return fingerprint(error) !== madeFor.fingerprint;
  const now = setOfRun(run);
  if (now === null) return false;
  const isGone = madeFor.first === undefined || now.ids?.includes(madeFor.first) === false;
  return isGone && compareSets(madeFor.failing, now) === "progress";
}
