import {
  type CheckRan,
  type CompletionEvidence,
  type Finding,
  type Layer,
  type LayerResult,
  type RealityEvidence,
  type ReviewEvidence,
  renderProof,
  type Verdict,
} from "../model/evidence.ts";
import type { MadeFor } from "../model/failure.ts";
import { compareSets, setOfRun } from "../model/failure-set.ts";
import { maxReviews } from "../model/limits.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { judgeCheckmarks } from "./judge-checkmarks.ts";
import { endedWell, judgeContradiction, judgeReported, judgeSignal } from "./judge-signal.ts";
import { rulesOf } from "./rules.ts";
import { verifyError } from "./verify-error.ts";

/** Judge whether an attempt committed its changes to the spec's files. A rewritten history is only reported. */
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

export function judgeReality(reality: RealityEvidence): Finding {
  if (reality.kind === "missing") {
    return { kind: "failed", reason: "no Reality Check (BEFORE) with a command in .progress.md" };
  }
  if (reality.exitCode === 0 && !reality.timedOut) return { kind: "accepted" };
  return { kind: "failed", reason: verifyError(reality).replace(/^Verify/, "Reality check") };
}

const maxReason = 500;

/**
 * Judge a review. Only code findings fail the task, since a fix task can repair only code. A missing verdict is the
 * reviewer's failure, not the task's.
 */
export function judgeReview({ verdict, code, round }: ReviewEvidence): Finding {
  if (verdict === "pass") return { kind: "accepted" };
  if (verdict === "none") return { kind: "accepted", note: "the reviewer gave no verdict" };
  if (code === "") return { kind: "accepted", note: "a person must decide about the findings" };
  if (round >= maxReviews) return { kind: "accepted", note: `findings remain after ${maxReviews} reviews` };
  return { kind: "failed", reason: clamp(firstLine(code), maxReason) };
}

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/, 1)
    .join("")
    .trimEnd();

const interval = 5;

/**
 * Whether a task needs a review before it is accepted. Reviews are due for the first planned task of each phase after
 * the first phase, for every fifth planned task, and for the last open planned task.
 *
 * The boxes of `plan` may be from before or after the tick.
 */
export function reviewDue({ plan, task }: { readonly plan: Pick<Plan, "tasks">; readonly task: TaskId }): boolean {
  const planned = plan.tasks.filter(({ fixOf }) => fixOf === null);
  const index = planned.findIndex(({ id }) => id === task);
  const before = planned[index - 1];
  if (index < 0) return false;
  const changesPhase = before !== undefined && before.phase !== planned[index]?.phase;
  return changesPhase || (index + 1) % interval === 0 || planned.every(({ id, done }) => done || id === task);
}

/** Layers that judge only the executor's claim, not the work. */
const isWords = (layer: Layer): boolean => layer === "signal" || layer === "contradiction" || layer === "checkmarks";

/** Kinds of reasons, the most important first. */
const weights = ["undecided", "failed", "rejected"] as const;

const conclude = (layers: readonly LayerResult[]): Verdict => ({
  kind: weights.find((kind) => layers.some((layer) => layer.kind === kind)) ?? "accepted",
  layers,
});

/**
 * Judge a claimed completion. If Verify ran, its result decides: errors in the claim become notes if Verify is red or
 * proves the work, and reject the claim otherwise. If Verify did not run, the layers decide in order.
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
 * Whether to run Verify before the verdict, whatever the executor said. False if a person must be asked about the plan.
 * Also false if the executor was stopped or gave up, since Verify then runs before the next attempt.
 */
export const awaitsVerify = (evidence: CompletionEvidence): boolean =>
  !rulesOf(evidence).wordsDecide && endedWell(evidence) && judgeCheckmarks(evidence).kind !== "undecided";

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

/**
 * Judge the layers in order. The other layers are judged only after an accepted signal, and Verify only if all other
 * layers accept.
 */
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

/**
 * Judge all layers after a Verify run. A question always counts. The result of the run decides whether errors in the
 * claim count.
 */
function judgeByRun(evidence: CompletionEvidence & { readonly verify: CheckRan }): LayerResult[] {
  const verify: LayerResult = { layer: "verify", ...judgeVerify(evidence) };
  const isRed = verify.kind !== "accepted";
  const { proof, rejections = 0, requireExecutorTick } = evidence;
  const isShown = proof?.kind === "proven" || proof?.kind === "checked";
  const isExcused = isShown || (rejections > 0 && hasChanged(evidence) === true);
  const before = judgedBefore(evidence).map((result): LayerResult => {
    const { layer, kind } = result;
    if (kind === "undecided") return result;
    if (layer === "signal" && evidence.signal === "failed" && !isRed) {
      // A fix may succeed although its Verify is still red.
      if (proof == null && evidence.verify.exitCode !== 0) return result;
      return { layer, ...judgeReported(evidence, proof?.kind === "proven") };
    }
    // If the executor must tick its box, a green run does not excuse wrong boxes.
    const isNoted = isWords(layer) && (isRed || (isExcused && !(layer === "checkmarks" && requireExecutorTick)));
    return isNoted && "reason" in result ? { layer, kind: "accepted", note: result.reason } : result;
  });
  return [...before, verify];
}

const hasChanged = ({ changedFiles, git }: CompletionEvidence): boolean | null =>
  changedFiles !== undefined ? changedFiles : git && git.changed.length > 0;

function judgeVerify(evidence: CompletionEvidence & { verify: NonNullable<CompletionEvidence["verify"]> }): Finding {
  const { verify, madeFor, proof } = evidence;
  if (verify.kind === "trusted") return { kind: "unverified", note: "not run: executors are trusted" };
  if (verify.kind === "unrunnable") return { kind: "unverified", note: `no Verify ran: ${verify.reason}` };
  // Excused checks may be red despite a proof.
  if (proof != null) return { kind: "accepted", note: renderProof(proof) };
  if (verify.exitCode === 0 && !verify.timedOut) return { kind: "accepted" };
  if (!verify.timedOut && (verify.exitCode === 126 || verify.exitCode === 127)) {
    return { kind: "undecided", reason: "the Verify command cannot run" };
  }
  const error = verifyError(verify);
  // The `Verify` covers the whole original task, but this fix task had to remove only one failure.
  if (madeFor !== null && !verify.timedOut && hasHelped(madeFor, verify) && hasChanged(evidence) !== false) {
    return { kind: "accepted", note: `the original failure is gone; still failing: ${error}` };
  }
  return { kind: "failed", reason: error };
}

/**
 * Whether a run of the same command shows that a fix has removed its failure and nothing new fails. If failures have no
 * names, fewer checks must fail than before.
 */
function hasHelped({ failing, first, command }: MadeFor, run: CheckRan): boolean {
  const now = setOfRun(run);
  if (failing === undefined || now === null) return false;
  if (command !== undefined && run.command !== undefined && run.command !== command) return false;
  const isGone = first === undefined || now.ids?.includes(first) === false;
  return isGone && compareSets(failing, now) === "progress";
}
