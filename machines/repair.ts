import { type AnyEventObject, assign, emit, setup } from "xstate";
import * as z from "zod";
import type { Effects } from "../src/effects/create-effects.ts";
import { type Directive, Repair } from "../src/model/directive.ts";
import type { Answer } from "../src/model/effect.ts";
import { Escalation, noEscalation } from "../src/model/escalation.ts";
import { type Denial, noLimits, RunLimits } from "../src/model/limits.ts";
import { readPolicy } from "../src/model/policy.ts";
import type { RepairContext } from "../src/model/repair-context.ts";
import type { AttemptKey } from "../src/model/reply.ts";
import type { TaskId } from "../src/model/task-id.ts";
import { asActor } from "./as-actor.ts";
import { checkInput } from "./check-input.ts";
import type { EffectActor, EffectActors, Emitted, Machine } from "./machine-type.ts";
import { socket } from "./socket.ts";
import { answerIn } from "./task-outcome.ts";
import { otherwise, when } from "./when.ts";

/** What a repair machine is started with. */
export interface RepairInput {
  /** The task that failed. */
  readonly task: TaskId;
  /** The planned task it belongs to; itself when not given. */
  readonly root?: TaskId | undefined;
  /** Its attempt that failed, `<task id>#<attempt>`. */
  readonly attempt: AttemptKey;
  /** Directives that may still be followed for it. */
  readonly budget: number;
  /** Directives that were followed before (none when not given). */
  readonly repairs?: readonly Repair[] | undefined;
  /** What the planned task has been through, and what its last attempt has left to look at (nothing when not given). */
  readonly escalation?: Escalation | undefined;
  /** Characters that may tell what failed (that of the default policy when not given). */
  readonly maxEvidence?: number | undefined;
  /** Limits of the whole run (none when not given). */
  readonly limits?: RunLimits | undefined;
}

const repairInput: z.ZodType<RepairInput> = z.strictObject({
  task: z.string(),
  root: z.string().optional(),
  attempt: z.string(),
  budget: z.int().min(0),
  repairs: z.array(Repair).optional(),
  escalation: Escalation.optional(),
  maxEvidence: z.int().min(1).optional(),
  limits: RunLimits.optional(),
});

/** The directive that is to be followed; or the limit of the run that allows no more questions. */
export type RepairOutcome = { readonly kind: "directed"; readonly directive: Directive } | Denial;

export type RepairEmitted = Emitted<"repair.refused">;

export type RepairMachine = Machine<
  {
    context: RepairContext;
    event: AnyEventObject;
    state: "checkingBudget" | "asking" | "askingAgain" | "directed" | "escalated" | "denied";
    tag: "busy" | "settled";
    input: RepairInput;
    output: RepairOutcome;
    emitted: RepairEmitted;
  },
  EffectActors<"askOperator">,
  { askOperator: EffectActor<"askOperator">; askAgain: EffectActor<"askOperator"> }
>;

/**
 * The chart of the repair of one failure: a repair operator chooses one of four strategies. One whose answer cannot be
 * followed is asked once more; without budget, and after a second such answer, a person has to decide.
 *
 * @see docs/ladder.md
 */
export const createRepairMachine = (effects?: Effects): RepairMachine => {
  const chart = setup({
    types: {
      input: {} as RepairInput,
      context: {} as RepairContext,
      output: {} as RepairOutcome,
      emitted: {} as RepairEmitted,
      tags: {} as "busy" | "settled",
    },
    actors: { askOperator: socket("askOperator", effects) },
    guards: {
      budgetLeft: ({ context }) => context.budget > 0,
      denied: (_, answer: { kind: string }) => answer.kind === "denied",
      directed: (_, answer: { kind: string }) => answer.kind === "directed",
    },
    actions: {
      recordRefusal: assign((_, { reason }: Malformed) => ({ refusal: reason })),
      announceRefusal: emit(({ context }, { reason }: Malformed) => {
        return { type: "repair.refused", task: context.task, reason } satisfies RepairEmitted;
      }),
    },
  }).createMachine({
    id: "repair",
    description: "What is to be done about a task that failed: retry, decompose, prune, or escalate to a person.",
    context: ({ input: given }) => {
      const input = checkInput("repair", repairInput, given);
      return {
        task: input.task,
        root: input.root ?? input.task,
        attempt: input.attempt,
        budget: input.budget,
        repairs: [...(input.repairs ?? [])],
        escalation: input.escalation ?? noEscalation,
        maxEvidence: input.maxEvidence ?? readPolicy().maxEvidence,
        limits: input.limits ?? noLimits,
        refusal: null,
      };
    },
    initial: "checkingBudget",
    states: {
      checkingBudget: {
        description: "Without budget nobody is asked.",
        always: [{ guard: "budgetLeft", target: "asking" }, { target: "escalated" }],
      },
      asking: {
        description: "The repair operator looks at the failure and chooses a strategy.",
        tags: "busy",
        invoke: {
          id: "askOperator",
          src: "askOperator",
          input: ({ context }) => ({ ...question(context), key: `${context.attempt}/askOperator`, round: 1 }),
          onDone: [
            when("denied", "denied"),
            when("directed", "directed"),
            otherwise("askingAgain", "recordRefusal", "announceRefusal"),
          ],
        },
      },
      askingAgain: {
        description: "Its answer could not be followed: it is told why, and asked once more.",
        tags: "busy",
        invoke: {
          id: "askAgain",
          src: "askOperator",
          input: ({ context }) => ({ ...question(context), key: `${context.attempt}/askAgain`, round: 2 }),
          onDone: [
            when("denied", "denied"),
            when("directed", "directed"),
            otherwise("escalated", "recordRefusal", "announceRefusal"),
          ],
        },
      },
      directed: {
        description: "A strategy was chosen.",
        type: "final",
        tags: "settled",
        output: ({ event }) => {
          const { directive } = answerIn(event) as Extract<Answer<"askOperator">, { kind: "directed" }>;
          return { kind: "directed", directive };
        },
      },
      escalated: {
        description: "Nobody but a person can choose any more.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({
          kind: "directed",
          directive: { strategy: "escalate", tried: tried(context), decision: "" },
        }),
      },
      denied: {
        description: "A limit of the whole run allows no question.",
        type: "final",
        tags: "settled",
        output: ({ event }) => answerIn(event) as Denial,
      },
    },
    output: ({ event }) => event.output as RepairOutcome,
  });
  return asActor(chart, effects);
};

type Malformed = Extract<Answer<"askOperator">, { kind: "malformed" }>;

const question = ({ attempt: _attempt, ...asked }: RepairContext) => asked;

const tried = ({ repairs, refusal }: RepairContext): string =>
  refusal === null ? `${repairs.length} directives of the repair operator` : `the operator's answers: ${refusal}`;
