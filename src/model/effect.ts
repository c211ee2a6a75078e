import { z } from "zod";
import { FailureDigest, FailureKind } from "./failure.ts";
import { SpentByTask } from "./ledger.ts";
import { ChangeType } from "./modification-request.ts";
import { Limit, RunLimits } from "./policy.ts";
import { Layer } from "./verdict.ts";

/** A limit that said no, and what it counted. */
export const Denial = z.object({ kind: z.literal("denied"), limit: Limit, task: z.string(), max: z.number() });
export type Denial = z.infer<typeof Denial>;

/** Something only a person can decide. */
export const Question = z.object({ kind: z.literal("gate"), reason: z.string(), hint: z.string() });
export type Question = z.infer<typeof Question>;

const onTask = z.object({ key: z.string(), task: z.string() });
const onRun = z.object({ key: z.string() });

/** A tree that is being finished: the planned task, where in its tree to go on, and what that tree has spent. */
export const Chosen = z.object({ root: z.string(), current: z.string(), spent: SpentByTask });
export type Chosen = z.infer<typeof Chosen>;

/** One of several trees that may be finished side by side. */
export const Member = Chosen.extend({
  /** Members whose end it waits for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;

/** Everything a machine may ask the outside for: what goes in, and what it expects back. */
export const effects = {
  /** What is to be done next: the first open task, or the batch it begins. */
  chooseTask: {
    input: onRun.extend({
      maxParallel: z.int().min(1),
      /** Commit the spec's files where lines of a batch before are still to be written. */
      commit: z.boolean(),
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
      z.object({ kind: z.literal("accepted"), reviewDue: z.boolean().optional() }),
      z.object({ kind: z.literal("rejected"), layer: Layer, reason: z.string() }),
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
  readFailure: { input: onTask.extend({ waits: z.int().min(0) }), answer: FailureDigest },
  /** The time at which an executor can work again, or the person without whom it cannot. */
  wait: {
    input: onTask.extend({ reason: FailureKind, error: z.string(), until: z.number().nullable() }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  /** A fix task for a failed attempt, written into the plan. */
  insertFix: {
    input: onTask.extend({ made: z.int().min(0), scope: z.string().nullable(), limits: RunLimits }),
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
      commit: z.boolean(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      /** Abbreviated hash of HEAD when the attempt has moved it. */
      commit: z.string().nullable().optional(),
      /** Its lines in the progress log are still to be written. */
      grouped: z.boolean().optional(),
      /** Its box was left open. */
      open: z.boolean().optional(),
    }),
  },
  /** The lines of a batch in the progress log, in the order of the plan. */
  mergeProgress: {
    input: onRun.extend({
      /** Members whose own logs are taken over. */
      logs: z.array(z.string()),
      commit: z.boolean(),
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** One consistent look at the whole plan: is every task ticked and accounted for, and does the final check pass? */
  confirmCompletion: {
    input: onRun.extend({ finalVerify: z.string().nullable(), timeoutMs: z.int().min(1) }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("complete") }), Question]),
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
