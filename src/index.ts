export { type DigestOptions, digestOutput, type EarlierRun } from "./digest/digest-output.ts";
export { type LineNames, nameLines } from "./digest/unknown-tool.ts";
export { problemOf } from "./effects/problem-of.ts";
export {
  applyEdit,
  type Edit,
  openPlan,
  type PlanDocument,
  readPlan,
  reopenPlan,
} from "./markdown/document/plan-document.ts";
export type { ProvenEdit } from "./markdown/insert/prove-insert.ts";
export { fixEdit, insertFixTask } from "./markdown/insert-fix-task.ts";
export { insertTasks, tasksEdits } from "./markdown/insert-tasks.ts";
export { type LintOptions, lintPlan, type Severities } from "./markdown/lint-plan.ts";
export { appendCompleted, appendEntry } from "./markdown/progress/append-entry.ts";
export { appendFixHistory } from "./markdown/progress/append-fix-history.ts";
export { mergeProgress } from "./markdown/progress/merge-progress.ts";
export { appendSummary } from "./markdown/summary/append-summary.ts";
export { closeTask, tickEdits, tickTask } from "./markdown/tick-task.ts";
export type { Considered, Decision, DecisionState } from "./model/decision.ts";
export { diffPlans, type PlanDifference, type TaskText } from "./model/diff-plans.ts";
export type { Directive, Repair } from "./model/directive.ts";
export type { Answer, Effect, EffectInput, EffectName } from "./model/effect.ts";
export { EnvironmentError, FixpointError, InputError, InvariantError, type WayOn } from "./model/errors.ts";
export type { Approach, Escalation, Level, StuckReason } from "./model/escalation.ts";
export type { RunEnded, RunEnding, RunEvent, TimedRunEvent } from "./model/event.ts";
export type {
  CompletionEvidence,
  Judgement,
  Layer,
  LayerResult,
  RealityEvidence,
  ReviewEvidence,
  Verdict,
  VerifyEvidence,
} from "./model/evidence.ts";
export { ExecutionState } from "./model/execution-state.ts";
export type { Explanation } from "./model/explanation.ts";
export type { Failure, FailureDigest, FailureEvidence, FailureKind, FixTask, Signs } from "./model/failure.ts";
export type { FailedCheck, FailureSet, OutputDigest } from "./model/failure-set.ts";
export type { GitEvidence, GitMark } from "./model/git-evidence.ts";
export type { Ledger, Spent, SpentByTask } from "./model/ledger.ts";
export { type Denial, type Limit, outerLoopRounds } from "./model/limits.ts";
export type { PersonDecision, PersonEvent, Question, Speaker, UnheardWord } from "./model/person-event.ts";
export { type Dialect, type NextTask, nextTask, type Phase, type Plan } from "./model/plan.ts";
export type { NewTask, PlanChange } from "./model/plan-change.ts";
export { Policy, type PolicyInput, readPolicy } from "./model/policy.ts";
export type { RunRecord } from "./model/record.ts";
export type { ChangeType, Claim, ModificationRequest, Reply, ServiceProblem, Usage } from "./model/reply.ts";
export type { Role } from "./model/role.ts";
export type { Problem, RuleLevel, Severity } from "./model/rule.ts";
export type { Rung } from "./model/rung.ts";
export type { RunStatus, TaskStatus } from "./model/status.ts";
export type { StuckReport, SummaryEntry } from "./model/stuck-report.ts";
export type { Task, TaskFields, TaskId } from "./model/task.ts";
export { fingerprint } from "./model/text.ts";
export { toJsonSchema } from "./model/to-json-schema.ts";
export { claimSchema, structuredClaim } from "./parse/claim.ts";
export { type ParsedDirective, parseDirective } from "./parse/parse-directive.ts";
export { parseFailure } from "./parse/parse-failure.ts";
export { type ParsedRequest, parseModificationRequest } from "./parse/parse-modification-request.ts";
export { parseSignal } from "./parse/parse-signal.ts";
export type * from "./ports/attempt-record.ts";
export type * from "./ports/attempts.ts";
export type * from "./ports/delegation-parts.ts";
export type * from "./ports/documents.ts";
export type * from "./ports/executor.ts";
export { NotReported } from "./ports/executor.ts";
export type * from "./ports/git.ts";
export type * from "./ports/ports.ts";
export type * from "./ports/ports.ts";
export type * from "./ports/ports.ts";
export type * from "./ports/shell.ts";
export { renderClimb } from "./prompt/render-climb.ts";
export { renderPrompt } from "./prompt/render-prompt.ts";
export { checkBudget, checkLimit } from "./recover/check-limit.ts";
export { classifyFailure, type FailureClass } from "./recover/classify-failure.ts";
export { type DecisionInput, decide } from "./recover/decide.ts";
export { digestFailure } from "./recover/digest-failure.ts";
export { judgeCompletion } from "./recover/judge-completion.ts";
export { chooseLevel, type Setback } from "./recover/levels.ts";
export { detectStuck } from "./recover/stuck.ts";
export { writeFixTask } from "./recover/write-fix-task.ts";
export { describeEvent } from "./wording/render-notification.ts";
export { renderStuckReport } from "./wording/report/render-stuck-report.ts";
