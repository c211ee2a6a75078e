import type { CompletionEvidence } from "../model/evidence.ts";
import { compareSets, type EndedRun, setOfRun } from "../model/failure-set.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { MadeFor } from "../model/fix-task.ts";
import { roleOf } from "../model/task.ts";
import type { Finding, Layer, LayerResult, Verdict } from "../model/verdict.ts";
import { judgeCheckmarks } from "./judge-checkmarks.ts";
import { judgeCommit } from "./judge-commit.ts";
import { judgeReality } from "./judge-reality.ts";
import { judgeReview } from "./judge-review.ts";
import { verifyError } from "./verify-error.ts";

/** One thing about a claim that is looked at. */
interface ClaimLayer {
  readonly name: Layer;
  /** The evidence that it is passed over without; null where it judges any claim. */
  readonly needs: keyof CompletionEvidence | null;
  readonly judge: (evidence: CompletionEvidence) => Finding;
}

type With<Needed extends keyof CompletionEvidence> = CompletionEvidence & {
  readonly [Name in Needed]: NonNullable<CompletionEvidence[Name]>;
};

const layer = <Needed extends keyof CompletionEvidence>(
  name: Layer,
  needs: Needed,
  judge: (evidence: With<Needed>) => Finding,
): ClaimLayer => ({ name, needs, judge: judge as ClaimLayer["judge"] });

const always = (name: Layer, judge: ClaimLayer["judge"]): ClaimLayer => ({ name, needs: null, judge });

/** The layers in their order. Those of one stage are judged together, once all stages before have accepted. */
const stages: readonly (readonly ClaimLayer[])[] = [
  [always("signal", judgeSignal)],
  [always("contradiction", judgeContradiction), always("checkmarks", judgeCheckmarks), always("commit", judgeCommit)],
  [layer("verify", "verify", judgeVerify)],
  [layer("reality", "reality", ({ reality }) => judgeReality(reality))],
  [layer("review", "review", ({ review }) => judgeReview(review))],
];

/** The reason that weighs most first. */
const weights = ["undecided", "failed", "rejected"] as const;

/**
 * Judge a claimed completion.
 *
 * @see docs/verification.md
 */
export function judgeCompletion(evidence: CompletionEvidence): Verdict {
  const results: LayerResult[] = [];
  for (const stage of stages) {
    if (conclude(results).kind !== "accepted") break;
    const judged = stage.filter(({ needs }) => needs === null || evidence[needs] !== null);
    results.push(...judged.map(({ name, judge }) => ({ layer: name, ...judge(evidence) })));
  }
  return conclude(results);
}

const conclude = (layers: readonly LayerResult[]): Verdict => ({
  kind: weights.find((kind) => layers.some((layer) => layer.kind === kind)) ?? "accepted",
  layers,
});

/** Whether no command has shown what was claimed: what the Verify layer says, unless a reality check has. */
export const isUnverified = (layers: readonly LayerResult[]): boolean =>
  layers.some(({ layer, kind }) => layer === "verify" && kind === "unverified") &&
  !layers.some(({ layer, kind }) => layer === "reality" && kind === "accepted");

function judgeSignal({ task, signal, blocker, reply }: CompletionEvidence): Finding {
  const { exitCode = 0, ended = "exit" } = reply;
  const clean = ended === "exit" && exitCode === 0;
  if (signal === "blocked") {
    return { kind: "undecided", reason: blocker ?? "a person has to decide" };
  }
  if (signal === "complete" && clean) return { kind: "accepted" };
  if (signal === "misplaced" && clean) return { kind: "rejected", reason: wrongWord(task) };
  const how = ended === "exit" ? `exit ${exitCode}` : `ended by ${ended}`;
  const says = {
    complete: "completion claimed",
    misplaced: "completion claimed in the word of another role",
    failed: "failure reported",
  };
  const reason = signal === null ? "no completion signal" : says[signal];
  return { kind: "failed", reason: clean ? reason : `${reason} (${how})` };
}

/** What a claim was made with in the wrong role, and the word that counts. */
const wrongWord = (task: CompletionEvidence["task"]): string =>
  roleOf(task) === "verifier"
    ? "said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS"
    : "said VERIFICATION_PASS; the executor of a task says TASK_COMPLETE";

function judgeContradiction({ contradiction }: CompletionEvidence): Finding {
  return contradiction === null
    ? { kind: "accepted" }
    : {
        kind: "rejected",
        reason: "CONTRADICTION: claimed completion while admitting failure",
      };
}

function judgeVerify({ verify, madeFor }: With<"verify">): Finding {
  if (verify.kind === "trusted") return { kind: "unverified", note: "not run: executors are trusted" };
  if (verify.kind === "unrunnable") return { kind: "unverified", note: `not runnable: ${verify.reason}` };
  if (verify.exitCode === 0 && !verify.timedOut) return { kind: "accepted" };
  if (!verify.timedOut && (verify.exitCode === 126 || verify.exitCode === 127)) {
    return { kind: "undecided", reason: "the Verify command cannot run" };
  }
  const error = verifyError(verify);
  // The copied Verify judges the whole original task, of which this fix was to remove one failure.
  if (madeFor !== null && !verify.timedOut && hasHelped(madeFor, verify, error)) {
    return { kind: "accepted", note: `what it was made for is gone: ${error}` };
  }
  return { kind: "failed", reason: error };
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
