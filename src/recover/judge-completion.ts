import type {
  CheckRan,
  CompletionEvidence,
  Finding,
  Layer,
  LayerResult,
  RealityEvidence,
  ReviewEvidence,
  Verdict,
} from "../model/evidence.ts";
import { maxReviews } from "../model/limits.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { judgeCheckmarks } from "./judge-checkmarks.ts";
import { hasChanged, judgeVerify } from "./judge-verify.ts";
import { endedWell, judgeContradiction, judgeReported, judgeSignal } from "./judge-words.ts";
import { rulesOf } from "./rules.ts";
import { verifyError } from "./verify-error.ts";

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

/** Judge whether the failure that a goal verification is about is gone. */
export function judgeReality(reality: RealityEvidence): Finding {
  if (reality.kind === "missing") {
    return { kind: "failed", reason: "no Reality Check (BEFORE) with a command in .progress.md" };
  }
  if (reality.exitCode === 0 && !reality.timedOut) return { kind: "accepted" };
  return { kind: "failed", reason: verifyError(reality).replace(/^Verify/, "Reality check") };
}

/** Code points of a reason. */
const maxReason = 500;

/**
 * Judge what a reviewer says of a task. Only findings about the code fail it: a fix task can see to those. A reviewer
 * without a verdict has failed at its own work, not the task.
 */
export function judgeReview({ verdict, code, round }: ReviewEvidence): Finding {
  if (verdict === "pass") return { kind: "accepted" };
  if (verdict === "none") return { kind: "accepted", note: "the reviewer gave no verdict" };
  if (code === "") return { kind: "accepted", note: "what was found is for a person to decide" };
  if (round >= maxReviews) return { kind: "accepted", note: `outstanding after ${maxReviews} reviews` };
  return { kind: "failed", reason: clamp(firstLine(code), maxReason) };
}

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/, 1)
    .join("")
    .trimEnd();

/** Every which planned task is reviewed. */
const interval = 5;

/**
 * Whether the result of a task that is about to be accepted is to be reviewed. It is when the task is planned, and
 * the first of a phase behind another, or one of every five, or the last that is open.
 *
 * `plan` has the boxes as they are before or after the task is ticked.
 */
export function reviewDue({ plan, task }: { readonly plan: Pick<Plan, "tasks">; readonly task: TaskId }): boolean {
  const planned = plan.tasks.filter(({ fixOf }) => fixOf === null);
  const index = planned.findIndex(({ id }) => id === task);
  const before = planned[index - 1];
  if (index < 0) return false;
  const changesPhase = before !== undefined && before.phase !== planned[index]?.phase;
  return changesPhase || (index + 1) % interval === 0 || planned.every(({ id, done }) => done || id === task);
}

/** Layers of which what is wrong are words alone. */
const isWords = (layer: Layer): boolean => layer === "signal" || layer === "contradiction" || layer === "checkmarks";

/** The reason that weighs most first. */
const weights = ["undecided", "failed", "rejected"] as const;

const conclude = (layers: readonly LayerResult[]): Verdict => ({
  kind: weights.find((kind) => layers.some((layer) => layer.kind === kind)) ?? "accepted",
  layers,
});

/**
 * Judge a claimed completion. Where its Verify was run, that decides: what is wrong with the words is noted beside a red
 * one and one that proves the work, and rejects the claim beside one that does not. Else the layers of the source decide.
 *
 * @see docs/verification.md
 */
export function judgeCompletion(evidence: CompletionEvidence): Verdict {
  const { verify } = evidence;
  const results =
    verify?.kind === "ran" && awaitsVerify(evidence) ? judgeByRun({ ...evidence, verify }) : judgeByWords(evidence);
  for (const later of [judgedHarm, judgedReality, judgedReview]) {
    if (conclude(results).kind === "accepted") results.push(...later(evidence));
  }
  return conclude(results);
}

/**
 * Whether a Verify that can be run is run before anything is concluded: whatever the words, unless the executor was
 * stopped or gave up, since its work is looked at before it is repeated, or a person is to be asked about the plan.
 */
export const awaitsVerify = (evidence: CompletionEvidence): boolean =>
  !rulesOf(evidence).wordsDecide && endedWell(evidence) && judgeCheckmarks(evidence).kind !== "undecided";

/** Whether the attempts have changed what proves their task. */
const judgedHarm = ({ harm = null }: CompletionEvidence): LayerResult[] =>
  harm === null
    ? []
    : [
        {
          layer: "guard",
          ...(harm.rejects ? { kind: "rejected", reason: harm.reason } : { kind: "accepted", note: harm.reason }),
        },
      ];

const judgedReality = ({ reality }: CompletionEvidence): LayerResult[] =>
  reality === null ? [] : [{ layer: "reality", ...judgeReality(reality) }];

const judgedReview = ({ review }: CompletionEvidence): LayerResult[] =>
  review === null ? [] : [{ layer: "review", ...judgeReview(review) }];

/** Each step is judged once all before it have accepted. */
function judgeByWords(evidence: CompletionEvidence): LayerResult[] {
  const { verify } = evidence;
  const [signal, ...others] = judgedBefore(evidence);
  const results = signal.kind === "accepted" ? [signal, ...others] : [signal];
  if (verify === null || conclude(results).kind !== "accepted") return results;
  return [...results, { layer: "verify", ...judgeVerify({ ...evidence, verify }) }];
}

function judgedBefore(evidence: CompletionEvidence): [LayerResult, ...LayerResult[]] {
  return [
    { layer: "signal", ...judgeSignal(evidence) },
    { layer: "contradiction", ...judgeContradiction(evidence) },
    { layer: "checkmarks", ...judgeCheckmarks(evidence) },
    { layer: "commit", ...judgeCommit(evidence) },
  ];
}

/** All layers, whatever the words: a question is always heard, and what is wrong with the words weighs by the run. */
function judgeByRun(evidence: CompletionEvidence & { readonly verify: CheckRan }): LayerResult[] {
  const verify: LayerResult = { layer: "verify", ...judgeVerify(evidence) };
  const isRed = verify.kind !== "accepted";
  const { proof, rejections = 0, requireExecutorTick } = evidence;
  const isShown = proof?.kind === "proven" || proof?.kind === "checked";
  const isExcused = isShown || (rejections > 0 && hasChanged(evidence) === true);
  const before = judgedBefore(evidence).map((result): LayerResult => {
    const { layer, kind } = result;
    // Where a person is to be asked about the plan nothing was run.
    if (kind === "undecided") return withRun(result, evidence.verify);
    if (layer === "signal" && evidence.signal === "failed" && !isRed) {
      // The Verify of a fix may be red still, though the failure to fix is gone.
      if (proof == null && evidence.verify.exitCode !== 0) return result;
      return { layer, ...judgeReported(evidence, proof?.kind === "proven") };
    }
    // Who asks for the tick of its own box insists on boxes.
    const isNoted = isWords(layer) && (isRed || (isExcused && !(layer === "checkmarks" && requireExecutorTick)));
    return isNoted && "reason" in result ? { layer, kind: "accepted", note: result.reason } : result;
  });
  return [...before, verify];
}

/** A question to a person, with what Verify says beside it. */
const withRun = (
  asked: LayerResult & { readonly kind: "undecided" | "failed" | "rejected" },
  run: CheckRan,
): LayerResult => ({
  ...asked,
  reason: `${asked.reason}\n${run.exitCode === 0 && !run.timedOut ? "Verify passes" : verifyError(run)}`,
});
