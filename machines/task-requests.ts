import type { Answer } from "../src/model/effect.ts";
import type { FailureDigest } from "../src/model/failure.ts";
import { fixesOn, repairsLeft, reviewsOn, spentOn, tooLongIn } from "../src/model/ledger.ts";
import { runLimits } from "../src/model/limits.ts";
import { escalates } from "../src/model/rung.ts";
import type { TaskContext } from "../src/model/task-context.ts";
import { wholeOf } from "../src/model/task-id.ts";
import { detectStuck } from "../src/recover/detect-stuck.ts";
import { fixFor } from "../src/recover/fix-for.ts";
import * as moves from "./task-moves.ts";
import { answerIn, attemptIn, keyOf } from "./task-outcome.ts";

/** What the chart of a task asks for with each effect. @internal */
export const requests = {
  delegate: ({ context }: Asking) => ({
    key: keyOf(context, "delegate"),
    task: context.current,
    root: context.root,
    attempt: spentOn(context.spent, context.current).attempts,
    retries: spentOn(context.spent, context.current).retries,
    requireExecutorTick: requiresTick(context),
    limits: runLimits(context.policy),
    grouped: context.grouped,
    climb: moves.climbFor(context),
    escalation: context.escalation,
    escalates: escalates(context.policy),
    remedy: moves.rungOf(context),
    maxEvidence: context.policy.maxEvidence,
    adjustment: moves.adjustmentFor(context),
    guidance: context.guidance,
    tooLong: tooLongIn(context.spent),
    permissions: context.policy.permissions,
    committed: context.policy.commit === "all",
  }),
  changePlan: ({ context }: Asking) => ({
    key: keyOf(context, "changePlan"),
    task: context.current,
    root: context.root,
  }),
  verify: ({ context }: Asking) => ({
    key: keyOf(context, "verify"),
    task: context.current,
    trustExecutor: context.policy.trustExecutor,
    requireExecutorTick: requiresTick(context),
    // Members of a batch change the plan for each other.
    requireCommit: context.policy.requireCommit && !context.grouped,
    timeoutMs: context.policy.verifyTimeout,
    reviews: reviewsOn(context.spent, context.current),
    ...(context.policy.pullRequest !== undefined &&
      !context.grouped && { ships: context.policy.commit === "all" ? ("all" as const) : ("own" as const) }),
  }),
  review: ({ context }: Asking) => ({
    key: keyOf(context, "review"),
    task: context.current,
    round: reviewsOn(context.spent, context.current),
    limits: runLimits(context.policy),
  }),
  readFailure: ({ context }: Asking) => ({
    key: keyOf(context, "readFailure"),
    task: context.current,
    waits: spentOn(context.spent, context.current).waits ?? 0,
    // A ladder of a single rung has nothing to pass over, but what was tried is told at its levels.
    watch: escalates(context.policy) || context.policy.recovery.length > 1,
    waiting: waitedFor(context),
    maxWait: context.policy.maxWait,
    tooLong: tooLongIn(context.spent),
    rung: moves.rungOf(context),
  }),
  wait: ({ context }: Asking) => ({
    key: keyOf(context, "wait"),
    task: context.current,
    ...hindrance(context),
    rung: moves.rungOf(context),
  }),
  insertFix: ({ context }: Asking) => {
    const { task: fixOf, supersedes } = fixFor(context);
    return {
      key: keyOf(context, "insertFix"),
      task: context.current,
      fixOf,
      supersedes,
      // Only a failed attempt leads here.
      failure: context.failure as FailureDigest,
      made: fixesOn(context.spent, fixOf),
      scope: context.policy.scope,
      limits: runLimits(context.policy),
    };
  },
  repair: ({ context }: Asking) => ({
    task: context.current,
    root: context.root,
    attempt: attemptIn(context),
    budget: repairsLeft(context.spent, context.policy.repairBudget),
    repairs: context.repairs,
    escalation: context.escalation,
    maxEvidence: context.policy.maxEvidence,
    limits: runLimits(context.policy),
  }),
  gatherParts: ({ context }: Asking) => ({
    key: keyOf(context, "gatherParts"),
    task: context.current,
    parts: moves.attemptsOnParts(context),
    leftOut: moves.partsLeftOut(context),
    trustExecutor: context.policy.trustExecutor,
  }),
  writeStuckReport: ({ context }: Asking) => ({
    key: keyOf(context, "writeStuckReport"),
    task: context.current,
    root: context.root,
    escalation: context.escalation,
    // A claim that was not in order shows nothing of being stuck.
    stuck: context.rejection === null ? detectStuck(context.escalation, context.policy) : null,
    repairs: context.repairs,
    fixes: moves.fixesIn(context.spent),
    path: context.policy.stuckReport,
  }),
  askAboutRepair: ({ context }: Asking) =>
    ({ ...question(context), about: context.question?.about ?? "repair", report: null }) as const,
  askAtCheckpoint: ({ context, event }: Asking & { readonly event: object }) =>
    ({
      ...question(context),
      about: "checkpoint",
      report: (answerIn(event) as Answer<"writeStuckReport">).path,
    }) as const,
  recordSkip: ({ context }: Asking) => ({
    key: keyOf(context, "recordSkip"),
    root: context.root,
    ...moves.skipOf(context),
  }),
  recordPass: ({ context }: Asking) => ({
    key: keyOf(context, "recordPass"),
    task: context.current,
    fixes: spentOn(context.spent, context.current).fixes,
    grouped: context.grouped,
    keepOpen: context.keepOpen,
    commit: context.policy.commit,
    repair: moves.repairOf(context),
    leftOut: moves.partsLeftOut(context),
    unverified: context.unverified,
  }),
};

export interface Asking {
  readonly context: TaskContext;
}

/** Parts have no box, and nobody is told to tick that of a whole they make up. */
const requiresTick = (context: TaskContext): boolean =>
  context.policy.requireExecutorTick &&
  wholeOf(context.current) === null &&
  moves.repairOf(context)?.directive.strategy !== "decompose";

/** What a person is asked about. */
const question = (context: TaskContext) => ({
  key: keyOf(context, "askPerson"),
  task: context.current,
  root: context.root,
  escalation: context.escalation,
  repairs: context.repairs,
  question: context.question?.text ?? null,
  ...(context.failure?.kind === "context-exhausted" && { tooLong: true }),
});

/** Why the executor cannot work. Only in `waiting`: a failure has led there. */
function hindrance({ failure }: TaskContext) {
  const { kind: reason, error, until = null, since = null, denied } = failure as FailureDigest;
  return { reason, error, until, since, ...(denied !== undefined && { denied }) };
}

/** Why an executor could not work when it was asked last, and since when, where it did not say for how long. */
const waitedFor = ({ failure }: TaskContext) =>
  failure?.since === undefined ? null : { reason: failure.kind, since: failure.since };
