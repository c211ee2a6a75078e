import { z } from "zod";
import { FailureDigest } from "./failure.ts";
import { SpentByTask } from "./ledger.ts";
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

/** Everything a machine may ask the outside for: what goes in, and what it expects back. */
export const effects = {
  /** The first open task of the plan, and where in its tree to go on. */
  chooseTask: {
    input: onRun,
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("task"), root: z.string(), current: z.string(), spent: SpentByTask }),
      z.object({ kind: z.literal("none") }),
      Question,
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
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("replied") }), Denial]),
  },
  /** The verdict on the claim of an attempt. */
  verify: {
    input: onTask.extend({
      /** Skip the Verify command. */
      trustExecutor: z.boolean(),
      requireExecutorTick: z.boolean(),
      timeoutMs: z.int().min(1),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("accepted") }),
      z.object({ kind: z.literal("rejected"), layer: Layer, reason: z.string() }),
      z.object({ kind: z.literal("failed"), layer: Layer, reason: z.string() }),
      Question,
    ]),
  },
  /** What the output of a failed attempt says. */
  readFailure: { input: onTask, answer: FailureDigest },
  /** A fix task for a failed attempt, written into the plan. */
  insertFix: {
    input: onTask.extend({ made: z.int().min(0), scope: z.string().nullable(), limits: RunLimits }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("inserted"), fix: z.string() }), Denial]),
  },
  /** The box of an accepted task, ticked, and its lines in the progress log. */
  recordPass: {
    input: onTask.extend({ fixes: z.array(z.string()) }),
    answer: z.object({ kind: z.literal("recorded") }),
  },
  /** One consistent look at the whole plan: is every task ticked and accounted for? */
  confirmCompletion: {
    input: onRun,
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
