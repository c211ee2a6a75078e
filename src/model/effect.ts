import { z } from "zod";
import { Directive, Repair } from "./directive.ts";
import { Escalation } from "./escalation.ts";
import { FailureDigest, FailureKind, FailureLeft } from "./failure.ts";
import { SpentByTask } from "./ledger.ts";
import { ChangeType } from "./modification-request.ts";
import { DeniedAct, PermissionLevel } from "./permissions.ts";
import { PersonDecision } from "./person-event.ts";
import { CommitChoice, Limit, Rung, RunLimits } from "./policy.ts";
import { Layer } from "./verdict.ts";

/** A limit that said no, and what it counted. */
export const Denial = z.object({ kind: z.literal("denied"), limit: Limit, task: z.string(), max: z.number() });
export type Denial = z.infer<typeof Denial>;

/** Something only a person can decide. */
export const Question = z.object({ kind: z.literal("gate"), reason: z.string(), hint: z.string() });
export type Question = z.infer<typeof Question>;

/**
 * What a person is asked about: a task that could not be repaired, how to go on from a checkpoint, what an executor has
 * put to them, or trouble of the environment that meets one task after the other.
 */
export const QuestionTopic = z.enum(["repair", "checkpoint", "blocked", "environment"]);
export type QuestionTopic = z.infer<typeof QuestionTopic>;

const onTask = z.object({ key: z.string(), task: z.string() });
const onRun = z.object({ key: z.string() });

/** A tree that is being finished: the planned task, where in its tree to go on, and what that tree has spent. */
export const Chosen = z.object({
  root: z.string(),
  current: z.string(),
  spent: SpentByTask,
  /** How stuck it was left; it was not when not given. */
  escalation: Escalation.optional(),
  /** What a person has advised; nothing when not given. */
  guidance: z.string().optional(),
  /** Directives of the repair operator that were followed; none when not given. */
  repairs: z.array(Repair).optional(),
});
export type Chosen = z.infer<typeof Chosen>;

/** One of several trees that may be finished side by side. */
export const Member = Chosen.extend({
  /** Members whose end it waits for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;

/** A level that an attempt is made at, and which of its attempts this is. */
export const Climb = z.object({ level: z.enum(["pivot", "research"]), attempt: z.int().min(1), max: z.int().min(1) });
export type Climb = z.infer<typeof Climb>;

/** Everything a machine may ask the outside for: what goes in, and what it expects back. */
export const effects = {
  /** What is to be done next: the first open task, or the batch it begins. */
  chooseTask: {
    input: onRun.extend({
      maxParallel: z.int().min(1),
      /** Commit the spec's files where lines of a batch before are still to be written. */
      commit: CommitChoice,
    }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({
        kind: z.literal("task"),
        /** Fix tasks are made for it whatever the policy says. */
        alwaysFixed: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("batch"), members: z.array(Member).min(2) }),
      z.object({ kind: z.literal("none") }),
      Question,
    ]),
  },
  /** The next task that is carried out even though the run has to stop. */
  chooseCleanup: {
    input: onRun.extend({ done: z.array(z.string()) }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({ kind: z.literal("task") }),
      z.object({ kind: z.literal("none") }),
    ]),
  },
  /** One delegation of one task, admitted and recorded before it starts. */
  delegate: {
    input: onTask.extend({
      root: z.string(),
      attempt: z.int().min(1),
      retries: z.int().min(0),
      requireExecutorTick: z.boolean(),
      limits: RunLimits,
      /** Others are being worked on beside it: it has a progress log of its own. */
      grouped: z.boolean(),
      /** At which level of being stuck; null at none. */
      climb: Climb.nullable(),
      /** What was tried and found out so far, and what the last failed attempt in its tree has left to look at. */
      escalation: Escalation,
      /** Whether being stuck means anything: the policy has a rung for it. */
      escalates: z.boolean(),
      /** The rung that led to this attempt: that of its task's fix or part where it stands higher; null for a first one. */
      remedy: Rung.nullable(),
      /** How long the evidence of a failure may be in a prompt, in characters. */
      maxEvidence: z.int().min(1),
      /** What the repair operator wants to be done differently; null when it was not asked. */
      adjustment: z.string().nullable(),
      /** What a person has advised; null when nobody has. */
      guidance: z.string().nullable(),
      /** Attempts in its tree whose prompts were too long, none when not given: this one is the shorter for it. */
      tooLong: z.int().min(0).optional(),
      /** What its tool may do; `tool` when not given. */
      permissions: PermissionLevel.optional(),
      /** What it leaves is committed for it once it is accepted. */
      committed: z.boolean().optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("replied") }),
      /** The reply asks for a change of the plan. */
      z.object({ kind: z.literal("requested") }),
      Denial,
    ]),
  },
  /** The tasks an executor asks for, checked and written into the plan. */
  changePlan: {
    input: onTask.extend({ root: z.string() }),
    answer: z.discriminatedUnion("kind", [
      /** Other tasks come first now. */
      z.object({ kind: z.literal("replanned"), change: ChangeType, added: z.array(z.string()) }),
      /** Tasks were added behind it; the claim is still to be judged. */
      z.object({ kind: z.literal("extended"), change: ChangeType, added: z.array(z.string()) }),
      z.object({ kind: z.literal("refused"), reason: z.string() }),
      Question,
    ]),
  },
  /** The verdict on the claim of an attempt. */
  verify: {
    input: onTask.extend({
      /** Skip the Verify command. */
      trustExecutor: z.boolean(),
      requireExecutorTick: z.boolean(),
      requireCommit: z.boolean(),
      timeoutMs: z.int().min(1),
      /** Reviews its result has had. */
      reviews: z.int().min(0),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("accepted"),
        reviewDue: z.boolean().optional(),
        /** No command has shown that it is done. */
        unverified: z.boolean().optional(),
        /** What still fails, where a fix was accepted that was made for something else; nothing when not given. */
        left: FailureLeft.optional(),
      }),
      /** The executor asks a person before it can go on: no attempt is spent. */
      z.object({ kind: z.literal("blocked"), question: z.string() }),
      z.object({
        kind: z.literal("rejected"),
        layer: Layer,
        reason: z.string(),
        /** Its tool did not allow something: that is read before the claim counts. */
        withheld: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("failed"), layer: Layer, reason: z.string() }),
      Question,
    ]),
  },
  /** A reviewer's look at what an accepted attempt has done. */
  review: {
    input: onTask.extend({ round: z.int().min(1), limits: RunLimits }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("accepted"), passed: z.boolean(), findings: z.string() }),
      z.object({ kind: z.literal("failed"), findings: z.string() }),
      Denial,
      Question,
    ]),
  },
  /** What the output of a failed attempt says. */
  readFailure: {
    input: onTask.extend({
      waits: z.int().min(0),
      /** Look for signs of being stuck. */
      watch: z.boolean(),
      /** What was waited for last, and since when; null when nothing was, or it was told for how long. */
      waiting: z.object({ reason: FailureKind, since: z.number() }).nullable().optional(),
      /** How long that may be; no limit when null or not given. */
      maxWait: z.int().min(1).nullable().optional(),
      /** Attempts in its tree whose prompts were too long; none when not given. */
      tooLong: z.int().min(0).optional(),
      /** The rung that led to the attempt; null or not given for a first one. */
      rung: Rung.nullable().optional(),
    }),
    answer: FailureDigest,
  },
  /** The directive of a repair operator for a failed task. */
  askOperator: {
    input: onTask.extend({
      root: z.string(),
      /** Counted from 1: one that gave no directive that can be followed is asked once more. */
      round: z.int().min(1).max(2),
      /** Why its answer before could not be followed; null in the first round. */
      refusal: z.string().nullable(),
      /** Directives that may still be followed, that of this answer included. */
      budget: z.int().min(1),
      repairs: z.array(Repair),
      escalation: Escalation,
      maxEvidence: z.int().min(1),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("directed"), directive: Directive }),
      z.object({
        kind: z.literal("malformed"),
        reason: z.string(),
        /** When the operator can work again that could not, in milliseconds since 1970; null: not before a person helps. */
        until: z.number().nullable().optional(),
      }),
      Denial,
    ]),
  },
  /** The claims of the parts of a decomposed task, as one for the whole. */
  gatherParts: {
    input: onTask.extend({
      /** Their last attempts, in order. */
      parts: z.array(z.string()),
      /** How many others were left out. */
      leftOut: z.int().min(0),
      /** No Verify command will be run for the whole. */
      trustExecutor: z.boolean(),
    }),
    answer: z.object({ kind: z.literal("gathered") }),
  },
  /** A task that is left out, written into the summary. */
  recordSkip: {
    input: onTask.extend({ root: z.string(), justification: z.string() }),
    answer: z.object({
      kind: z.literal("skipped"),
      /** The planned task that the run goes on without; not given for a part. */
      skipped: z.object({ root: z.string(), justification: z.string() }).optional(),
    }),
  },
  /** The report of a checkpoint. */
  writeStuckReport: {
    input: onTask.extend({
      root: z.string(),
      escalation: Escalation,
      repairs: z.array(Repair),
      /** Fixes that were made in its tree. */
      fixes: z.array(z.string()),
      /** Where to, from the workspace; null: into the spec's folder. */
      path: z.string().nullable(),
    }),
    answer: z.object({ kind: z.literal("written"), path: z.string() }),
  },
  /** The decision of a person: what to do about a task that could not be repaired, or how to go on from a checkpoint. */
  askPerson: {
    input: onTask.extend({
      root: z.string(),
      about: QuestionTopic,
      /** What the executor asks, or what the trouble of the environment is; null where neither. */
      question: z.string().nullable(),
      /** Whether that is a prompt that was too long (not so when not given). */
      tooLong: z.boolean().optional(),
      escalation: Escalation,
      repairs: z.array(Repair),
      /** Where the report of the checkpoint lies; null without one. */
      report: z.string().nullable(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("decided"), decision: PersonDecision }),
      z.object({ kind: z.literal("guided"), text: z.string() }),
      Question,
    ]),
  },
  /** The time at which an executor can work again, or the person without whom it cannot. */
  wait: {
    input: onTask.extend({
      reason: FailureKind,
      error: z.string(),
      until: z.number().nullable(),
      /** Since when it was waited for in vain; null or not given where it was not, or may go on. */
      since: z.number().nullable().optional(),
      /** The rung that led to the attempt; null or not given for a first one. */
      rung: Rung.nullable().optional(),
      /** What its tool did not allow; not given where it is something else. */
      denied: DeniedAct.optional(),
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  /** A fix task for a failed attempt, written into the plan. */
  insertFix: {
    input: onTask.extend({
      /** The task that it repairs. */
      fixOf: z.string(),
      /** The fix task whose place it takes; null when it takes none. */
      supersedes: z.string().nullable(),
      /** What it is made for. */
      failure: FailureDigest,
      /** Fix tasks that were made for the task before. */
      made: z.int().min(0),
      scope: z.string().nullable(),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("inserted"), fix: z.string() }), Denial]),
  },
  /** The box of an accepted task, ticked, and its lines in the progress log. */
  recordPass: {
    input: onTask.extend({
      fixes: z.array(z.string()),
      /** Its lines are written when its batch ends. */
      grouped: z.boolean(),
      /** Its box stays open: it is to be done again in its turn. */
      keepOpen: z.boolean(),
      /** Commit the spec's files. */
      commit: CommitChoice,
      /** The repair that has led to it, for the summary; null without one. */
      repair: Repair.nullable(),
      /** Parts of it that were left out. */
      leftOut: z.int().min(0),
      /** No command has shown that it is done. */
      unverified: z.boolean(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      /** Abbreviated hash of HEAD when the attempt has moved it. */
      commit: z.string().nullable().optional(),
      /** Its lines in the progress log are still to be written. */
      grouped: z.boolean().optional(),
      /** Its box was left open. */
      open: z.boolean().optional(),
      /** No command has shown that it is done. */
      unverified: z.boolean().optional(),
    }),
  },
  /** The lines of a batch in the progress log, in the order of the plan. */
  mergeProgress: {
    input: onRun.extend({
      /** Members whose own logs are taken over. */
      logs: z.array(z.string()),
      commit: CommitChoice,
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** One consistent look at the whole plan: is every task ticked and accounted for, and does the final check pass? */
  confirmCompletion: {
    input: onRun.extend({ finalVerify: z.string().nullable(), timeoutMs: z.int().min(1) }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("complete") }),
      /** All but what was left out. */
      z.object({ kind: z.literal("skipped") }),
      Question,
    ]),
  },
} as const;

export type EffectName = keyof typeof effects;
export type EffectInput<Name extends EffectName> = z.infer<(typeof effects)[Name]["input"]>;
/** What an effect is answered with. */
export type Answer<Name extends EffectName> = z.infer<(typeof effects)[Name]["answer"]>;
/** A request of a machine to the outside. `key` names it: an answer under another key is ignored. */
export type Effect = {
  [Name in EffectName]: { readonly name: Name; readonly key: string; readonly input: EffectInput<Name> };
}[EffectName];
