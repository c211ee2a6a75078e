import { assign, emit, type NonReducibleUnknown, setup } from "xstate";
import * as z from "zod";
import {
  Escalation,
  type EscalationEvent,
  type FailedAttempt,
  type Level,
  noEscalation,
} from "../src/model/escalation.ts";
import type { EscalationContext } from "../src/model/escalation-context.ts";
import type { RunEvent } from "../src/model/event.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { type Policy, type PolicyInput, readPolicy } from "../src/model/policy.ts";
import { type EscalationRung, escalationRungs } from "../src/model/rung.ts";
import { clamp } from "../src/model/text.ts";
import { digestAttempt } from "../src/recover/digest-failure.ts";
import { afterClimb, afterFailure, afterPass, afterRejection, afterReset } from "../src/recover/escalation.ts";
import { chooseLevel, countAtLevel, type Setback } from "../src/recover/levels.ts";
import type { Machine } from "./machine-type.ts";
import { checkInput, PolicyGiven } from "./machine-type.ts";

export interface EscalationInput {
  /**
   * The machine uses only the rungs for stuck tasks from the ladder `recovery` (by default, all rungs for stuck tasks).
   * The last rung is always a checkpoint.
   */
  readonly policy?: PolicyInput | undefined;
  /** State to continue from (by default, a task that is not stuck). */
  readonly escalation?: Escalation | undefined;
  /** Name of the task in events. */
  readonly task?: string | undefined;
}

const escalationInput: z.ZodType<EscalationInput> = z.strictObject({
  policy: PolicyGiven,
  escalation: Escalation.optional(),
  task: z.string().optional(),
});

export type EscalationEmitted = Extract<RunEvent, { readonly type: "level.changed" }>;

export type EscalationMachine = Machine<{
  context: EscalationContext;
  event: EscalationEvent | PersonEvent;
  state: "starting" | "normal" | "checkingLimit" | "pivoting" | "researching" | "checkpoint";
  input: EscalationInput;
  output: NonReducibleUnknown;
  emitted: EscalationEmitted;
}>;

/**
 * The escalation chart, for an orchestrator that works on a task itself: it reports how each attempt ended, and reads
 * what to do next. The machine has no effects and no ports.
 *
 * The machine is in one of four states. `normal`: repair a failure in any way. `pivoting`: try another approach next.
 * `researching`: gather context first. `checkpoint`: no attempt, because a person is needed. The tag of the machine is
 * `waitingForPerson` at the checkpoint, and `busy` otherwise. `context.escalation` holds counts and approaches for the
 * next prompt.
 *
 * ```ts
 * const actor = createActor(createEscalationMachine(), { input: { task: "1.3" } }).start();
 * actor.on("level.changed", ({ level, attempt, max }) => show(level, attempt, max)); // pivot 1 3
 * actor.send({ type: "attempt.failed", failure: { error: "Too many re-renders", admission: "I'm not sure what's causing it" } });
 * actor.getSnapshot().value; // "pivoting"
 * actor.getSnapshot().hasTag("busy"); // true
 * actor.getSnapshot().context.escalation.pivots; // 1
 * ```
 *
 * @see docs/ladder.md
 */
export const createEscalationMachine = (): EscalationMachine =>
  setup({
    types: {
      input: {} as EscalationInput,
      context: {} as EscalationContext,
      events: {} as EscalationEvent | PersonEvent,
      emitted: {} as EscalationEmitted,
      tags: {} as "busy" | "waitingForPerson",
    },
    guards: {
      leftPivoting: ({ context }) => context.escalation.level === "pivot",
      leftResearching: ({ context }) => context.escalation.level === "research",
      leftAtCheckpoint: ({ context }) => ["race", "checkpoint"].includes(context.escalation.level),
      copes: ({ context, event }) => levelAfter(context, event) === "normal",
      pivotAllowed: ({ context, event }) => levelAfter(context, event) === "pivot",
      researchAllowed: ({ context, event }) => levelAfter(context, event) === "research",
    },
    actions: {
      recordFailure: assign(({ context }, failure: FailedAttempt) => ({
        escalation: afterFailure(context.escalation, context.task, digestAttempt(failure)),
      })),
      recordRejection: assign(({ context }) => ({
        escalation: afterRejection(context.escalation, null),
      })),
      recordGuidance: assign((_, { text }: { text: string }) => ({ guidance: clamp(text, longestGuidance) })),
      climb: assign(({ context }, { to }: { to: EscalationRung }) => ({
        escalation: afterClimb(context.escalation, to),
      })),
      notePass: assign(({ context }) => ({ escalation: afterPass(context.escalation) })),
      reset: assign(({ context }) => ({ escalation: afterReset(context.escalation) })),
      announceLevel: emit(({ context }) => levelChanged(context)),
    },
  }).createMachine({
    id: "escalation",
    description: "How far a task has climbed while it is stuck: a different approach, context first, stop and ask.",
    context: ({ input: given }) => {
      const input = checkInput("escalation", escalationInput, given ?? {});
      return {
        task: input.task ?? "",
        policy: climbing(input.policy),
        escalation: input.escalation ?? noEscalation,
        guidance: null,
      };
    },
    initial: "starting",
    on: {
      "attempt.failed": { target: ".checkingLimit", actions: { type: "recordFailure", params: failed } },
      "attempt.rejected": { target: ".checkingLimit", actions: "recordRejection" },
      "attempt.passed": { target: ".normal", actions: ["notePass", "announceLevel"] },
      "guidance.given": { actions: { type: "recordGuidance", params: said } },
    },
    states: {
      starting: {
        description: "A task that is already stuck continues at its level.",
        always: [
          { guard: "leftPivoting", target: "pivoting" },
          { guard: "leftResearching", target: "researching" },
          { guard: "leftAtCheckpoint", target: "checkpoint" },
          { target: "normal" },
        ],
      },
      normal: {
        description: "Not stuck: the orchestrator handles failures itself.",
        tags: "busy",
        on: {
          "attempt.passed": { actions: "notePass" },
          "attempts.exhausted": "checkingLimit",
        },
      },
      checkingLimit: {
        description: "If the task is stuck, the first level with budget left is chosen.",
        always: [
          { guard: "copes", target: "normal" },
          { guard: "pivotAllowed", target: "pivoting", actions: [climbTo("pivot"), "announceLevel"] },
          { guard: "researchAllowed", target: "researching", actions: [climbTo("research"), "announceLevel"] },
          { target: "checkpoint", actions: [climbTo("checkpoint"), "announceLevel"] },
        ],
      },
      pivoting: {
        description: "Stuck: the next attempt must try another approach.",
        tags: "busy",
      },
      researching: {
        description: "Other approaches did not help: the next attempt must gather context first.",
        tags: "busy",
      },
      checkpoint: {
        description: "Nothing is left to try: a person gives guidance, and the task starts over.",
        tags: "waitingForPerson",
        on: {
          "attempt.failed": { actions: { type: "recordFailure", params: failed } },
          "attempt.rejected": { actions: "recordRejection" },
          "guidance.given": {
            target: "normal",
            actions: [{ type: "recordGuidance", params: said }, "reset", "announceLevel"],
          },
        },
      },
    },
  }) as unknown as EscalationMachine;

/** Maximum length of guidance, in code points. */
const longestGuidance = 4000;

const climbTo = <Name extends EscalationRung>(to: Name) => ({ type: "climb", params: { to } }) as const;

const failed = ({ event }: { readonly event: { readonly failure: FailedAttempt } }) => event.failure;
const said = ({ event }: { readonly event: { readonly text: string } }) => ({ text: event.text });

/** Keeps only the rungs for stuck tasks: the orchestrator itself does the work of lower rungs. */
function climbing({ recovery = [...escalationRungs], ...rest }: PolicyInput = {}): Policy {
  const policy = readPolicy({ ...rest, recovery });
  const ladder = escalationRungs.filter((rung) => rung === "checkpoint" || policy.recovery.includes(rung));
  // The orchestrator works on its tasks itself, so there are no worktrees for a race.
  return readPolicy({ ...policy, recovery: ladder, race: null });
}

const levelAfter = ({ policy, escalation }: EscalationContext, event: { readonly type: string }): Level =>
  chooseLevel(escalation, policy, setbacks[event.type]);

const setbacks: Readonly<Record<string, Setback>> = {
  "attempt.rejected": "rejected",
  "attempts.exhausted": "exhausted",
};

const levelChanged = ({ task, policy, escalation }: EscalationContext) =>
  ({
    type: "level.changed",
    task,
    level: escalation.level,
    ...countAtLevel(escalation, policy),
  }) satisfies EscalationEmitted;
