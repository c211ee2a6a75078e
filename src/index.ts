export { type LineNames, nameLines } from "./digest/differing-lines.ts";
export {
  type DigestOptions,
  digestOutput,
  type EarlierRun,
  type OutputReading,
  openDigest,
} from "./digest/digest-output.ts";
export { type Acts, createActs, createEffects, type Effects } from "./effects/create-effects.ts";
export { type Performers, performEffect } from "./effects/performers.ts";
export { problemOf } from "./effects/problem-of.ts";
export { createRunMemory, type RunMemory, type RunStore } from "./effects/run-memory.ts";
export { checkPlanSize } from "./markdown/check-plan-size.ts";
export { closeEdits, closeTask } from "./markdown/close-task.ts";
export { applyEdit, type Edit, openPlan, type PlanDocument, reopenPlan } from "./markdown/document/plan-document.ts";
export type { ProvenEdit } from "./markdown/insert/proven-insert.ts";
export { fixEdit, insertFixTask } from "./markdown/insert-fix-task.ts";
export { applyChange, insertTasks, tasksEdits } from "./markdown/insert-tasks.ts";
export type { Severities } from "./markdown/lint/apply-severities.ts";
export { type LintOptions, lintPlan } from "./markdown/lint-plan.ts";
export { appendCompleted } from "./markdown/progress/append-completed.ts";
export { appendEntry } from "./markdown/progress/append-entry.ts";
export { appendFixHistory } from "./markdown/progress/append-fix-history.ts";
export { type AppendOptions, appendToSection } from "./markdown/progress/append-to-section.ts";
export { mergeProgress } from "./markdown/progress/merge-progress.ts";
export { readRealityCheck } from "./markdown/progress/read-reality-check.ts";
export { readPlan } from "./markdown/read-plan.ts";
export { type Checkpoint, renderCheckpoint } from "./markdown/report/render-checkpoint.ts";
export { renderStuckReport } from "./markdown/report/render-stuck-report.ts";
export { appendSummary } from "./markdown/summary/append-summary.ts";
export { readProposedTask } from "./markdown/tasks/read-proposed-task.ts";
export { readVerify } from "./markdown/tasks/read-verify.ts";
export { tickEdit, tickTask } from "./markdown/tick-task.ts";
export type { Claim } from "./model/claim.ts";
export type { Considered } from "./model/considered.ts";
export type { Dialect } from "./model/dialect.ts";
export { diffPlans, type PlanDifference, type TaskText } from "./model/diff-plans.ts";
export { Directive, Repair } from "./model/directive.ts";
export type { Answer, Effect, EffectInput, EffectName } from "./model/effect.ts";
export { EnvironmentError, FixpointError, InputError, InvariantError } from "./model/errors.ts";
export { Approach, calm, Escalation, Level, StuckReason } from "./model/escalation.ts";
export { RunEnded, RunEnding, RunEvent, type TimedRunEvent } from "./model/event.ts";
export type { CompletionEvidence, RealityEvidence, ReviewEvidence, VerifyEvidence } from "./model/evidence.ts";
export { ExecutionState } from "./model/execution-state.ts";
export { Explanation } from "./model/explanation.ts";
export { FailedCheck, OutputDigest } from "./model/failed-check.ts";
export type { Failure, FailureDigest, FailureEvidence, FailureKind, Signs } from "./model/failure.ts";
export { type Change, compareSets, FailureSet, failureSetOf } from "./model/failure-set.ts";
export { fingerprint } from "./model/fingerprint.ts";
export type { FixTask } from "./model/fix-task.ts";
export type { GitEvidence, GitMark } from "./model/git-evidence.ts";
export type { Judgement } from "./model/judgement.ts";
export { emptyLedger, type Ledger, repairsLeft, type Spent, type SpentByTask } from "./model/ledger.ts";
export { type Denial, Limit, outerLoopRounds } from "./model/limits.ts";
export { ChangeType, type ModificationRequest } from "./model/modification-request.ts";
export type { NewTask } from "./model/new-task.ts";
export { nextBatch } from "./model/next-batch.ts";
export { PersonDecision, PersonEvent } from "./model/person-event.ts";
export { type NextTask, nextTask, type Phase, type Plan } from "./model/plan.ts";
export type { PlanChange } from "./model/plan-change.ts";
export { Policy, type PolicyInput } from "./model/policy.ts";
export type { Problem } from "./model/problem.ts";
export type { Question } from "./model/question.ts";
export type { Reply, Usage } from "./model/reply.ts";
export { type Rule, type RuleLevel, rules, type Severity } from "./model/rule.ts";
export { Rung } from "./model/rung.ts";
export type { ServiceProblem } from "./model/service-problem.ts";
export type { Speaker, UnheardWord } from "./model/speaker.ts";
export type { RunStatus, TaskStatus } from "./model/status.ts";
export type { StuckReport, SummaryEntry } from "./model/stuck-report.ts";
export type { Role, Task, TaskFields } from "./model/task.ts";
export type { TaskContext } from "./model/task-context.ts";
export type { TaskId } from "./model/task-id.ts";
export { isCleanup, kindOf, type TaskKind } from "./model/task-kind.ts";
export { toJsonSchema } from "./model/to-json-schema.ts";
export type { Layer, LayerResult, Verdict } from "./model/verdict.ts";
export type { WayOn } from "./model/way-on.ts";
export { type ClaimReading, claimOf } from "./parse/claim-of.ts";
export { findAdmission } from "./parse/find-admission.ts";
export { findBlocker } from "./parse/find-blocker.ts";
export { findContradiction } from "./parse/find-contradiction.ts";
export { type ParsedApproach, parseApproach } from "./parse/parse-approach.ts";
export { type ParsedDirective, parseDirective } from "./parse/parse-directive.ts";
export { parseFailure } from "./parse/parse-failure.ts";
export { type ParsedRequest, parseModificationRequest } from "./parse/parse-modification-request.ts";
export { parseReview, type Review } from "./parse/parse-review.ts";
export { parseSignal } from "./parse/parse-signal.ts";
export { claimSchema, structuredClaim } from "./parse/structured-claim.ts";
export type * from "./ports/attempt-record.ts";
export type * from "./ports/attempts.ts";
export type * from "./ports/clock.ts";
export type * from "./ports/documents.ts";
export type * from "./ports/executor.ts";
export type * from "./ports/git.ts";
export type * from "./ports/person.ts";
export type * from "./ports/ports.ts";
export type * from "./ports/shell.ts";
export { renderClimb } from "./prompt/render-climb.ts";
export { type EvidenceSource, renderEvidence } from "./prompt/render-evidence.ts";
export { type OperatorPromptSource, renderOperatorPrompt } from "./prompt/render-operator-prompt.ts";
export { renderPrompt } from "./prompt/render-prompt.ts";
export { renderReviewPrompt } from "./prompt/render-review-prompt.ts";
export { checkBudget } from "./recover/check-budget.ts";
export { checkChange, maxChangeDepth, maxChanges, type RequestedChange } from "./recover/check-change.ts";
export { checkDirective, type GivenDirective } from "./recover/check-directive.ts";
export { checkLimit } from "./recover/check-limit.ts";
export { chooseLevel, type Setback } from "./recover/choose-level.ts";
export { classifyError } from "./recover/classify-error.ts";
export { classifyFailure, type FailureClass } from "./recover/classify-failure.ts";
export { type Decision, type DecisionContext, type Deliberation, decide, deliberate } from "./recover/decide.ts";
export { detectStuck } from "./recover/detect-stuck.ts";
export { digestAttempt } from "./recover/digest-attempt.ts";
export { digestFailure } from "./recover/digest-failure.ts";
export { explainDenial } from "./recover/explain-denial.ts";
export { explainQuestion, type QuestionSource } from "./recover/explain-question.ts";
export { judgeCompletion } from "./recover/judge-completion.ts";
export { planChangeOf } from "./recover/plan-change-of.ts";

export { reviewDue } from "./recover/review-due.ts";
export {
  afresh,
  afterClimb,
  afterFailure,
  afterPass,
  afterProgress,
  isNewMinimum,
} from "./recover/track-escalation.ts";
export { writeFixTask } from "./recover/write-fix-task.ts";
export { restore } from "./runtime/restore.ts";
export { createRunControl, type RunControl } from "./runtime/run-control.ts";
export {
  hear,
  type Move,
  openSession,
  outcomeOf,
  performable,
  type Session,
  takeAnswer,
} from "./runtime/session.ts";
export { pending, report, type Step, send, start } from "./runtime/step.ts";
export type { StepState } from "./runtime/step-state.ts";
export { toMermaid } from "./runtime/to-mermaid.ts";
