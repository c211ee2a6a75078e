import type { Effects } from "../src/effects/create-effects.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { readPolicy } from "../src/model/policy.ts";
import type { Question } from "../src/model/question.ts";
import type { SpecContext } from "../src/model/spec-context.ts";
import { asActor } from "./as-actor.ts";
import type { BatchInput, BatchMachine } from "./batch.ts";
import { checkInput } from "./check-input.ts";
import type { EffectActors, Machine } from "./machine-type.ts";
import type { PullRequestInput, PullRequestMachine } from "./pull-request.ts";
import { type SpecInput, specInput } from "./spec-input.ts";
import { type Outcome, type SpecEmitted, type SpecOutcome, type Stuck, stopping } from "./spec-outcome.ts";
import { inputOfTask } from "./spec-requests.ts";
import { specSetup } from "./spec-setup.ts";
import type { TaskMachine } from "./task.ts";
import type { TaskInput } from "./task-input.ts";
import { answerIn } from "./task-outcome.ts";
import { otherwise, when } from "./when.ts";

export type SpecMachine = Machine<
  {
    context: SpecContext;
    event: PersonEvent;
    state:
      | ("choosing" | "working" | "workingOnBatch" | "shipping" | "choosingCleanup" | "cleaning" | "confirming")
      | ("complete" | "skipped" | "limited" | "gated" | "checkpoint" | "cancelled");
    tag: "busy" | "settled";
    input: SpecInput | undefined;
    output: SpecOutcome;
    emitted: SpecEmitted;
  },
  EffectActors<"chooseTask" | "chooseCleanup" | "confirmCompletion"> & {
    readonly task: TaskMachine;
    readonly batch: BatchMachine;
    readonly pullRequest: PullRequestMachine;
  },
  {
    readonly task: TaskMachine;
    readonly batch: BatchMachine;
    readonly pullRequest: PullRequestMachine;
    readonly cleanup: TaskMachine;
  }
>;

/**
 * The chart of the coordinator: it picks the next open task, or the batch it begins, has it finished, and starts over
 * until none is left.
 *
 * @see docs/machines.md
 */
export const createSpecMachine = (effects?: Effects): SpecMachine => {
  const chart = specSetup(effects).createMachine({
    id: "spec",
    description: "The coordinator of one plan: task after task until none is open, or a reason to stop.",
    context: ({ input: given }) => {
      const input = checkInput("spec", specInput, given ?? {});
      return {
        policy: readPolicy(input.policy),
        paused: input.paused ?? false,
        turn: (input.turn ?? 1) - 1,
        chosen: null,
        members: [],
        stop: null,
        cleaned: [],
      };
    },
    initial: "choosing",
    on: {
      cancel: ".cancelled",
      pause: { actions: ["pause", "forward"] },
      resume: { actions: ["resume", "forward"] },
      "guidance.given": { actions: "forward" },
      "decision.made": { actions: "forward" },
    },
    states: {
      choosing: {
        description: "The first open task of the plan is looked up, or the batch it begins, and where to go on in it.",
        tags: "busy",
        entry: "countTurn",
        invoke: {
          id: "chooseTask",
          src: "chooseTask",
          input: ({ context }) => ({
            key: `run#${context.turn}/chooseTask`,
            maxParallel: context.policy.maxParallel,
            commit: context.policy.commit,
            ...(context.policy.pullRequest !== undefined && { ships: true }),
          }),
          onDone: [
            when("taskOpen", "working", "recordChoice"),
            when("batchOpen", "workingOnBatch", "recordBatch", "announceBatch"),
            when("shippingDue", "shipping", "recordBook"),
            when("noneOpen", "confirming"),
            otherwise("gated"),
          ],
        },
      },
      working: {
        description: "The task machine brings the chosen task to an outcome.",
        tags: "busy",
        invoke: {
          id: "task",
          src: "task",
          input: ({ context }): TaskInput => inputOfTask(context),
          onDone: [
            when("goesOn", "choosing"),
            when("exhausted", "choosingCleanup", "recordStop"),
            when("needsPerson", "gated"),
            when("stuck", "checkpoint"),
            otherwise("cancelled"),
          ],
        },
      },
      workingOnBatch: {
        description: "Tasks that may be done side by side are brought to their outcomes.",
        tags: "busy",
        invoke: {
          id: "batch",
          src: "batch",
          input: ({ context }): BatchInput => ({
            members: context.members,
            turn: context.turn,
            policy: context.policy,
            paused: context.paused,
          }),
          onDone: [
            when("goesOn", "choosing", "announceBatchEnd"),
            when("exhausted", "choosingCleanup", "announceBatchEnd", "recordStop"),
            when("needsPerson", "gated", "announceBatchEnd"),
            when("stuck", "checkpoint", "announceBatchEnd"),
            otherwise("cancelled"),
          ],
        },
      },
      shipping: {
        description: "Nothing is left to choose: the branch is brought to a pull request, and that is watched.",
        tags: "busy",
        invoke: {
          id: "pullRequest",
          src: "pullRequest",
          input: ({ context }): PullRequestInput => ({
            policy: context.policy,
            turn: context.turn,
            ...(context.book !== undefined && { book: context.book }),
          }),
          onDone: [
            when("more", "choosing"),
            when("shipped", "confirming"),
            when("outOfLimit", "limited", "recordLimit"),
            when("asks", "gated"),
            otherwise("cancelled"),
          ],
        },
      },
      choosingCleanup: {
        description: "A limit stops the run; what has to be cleaned up is looked up first.",
        tags: "busy",
        invoke: {
          id: "chooseCleanup",
          src: "chooseCleanup",
          input: ({ context }) => ({
            key: `run#${context.turn}.${context.cleaned.length}/chooseCleanup`,
            done: context.cleaned,
          }),
          onDone: [when("taskOpen", "cleaning", "recordCleanup"), otherwise("limited")],
        },
      },
      cleaning: {
        description: "A cleanup is carried out once, and stays open for when the run goes on.",
        tags: "busy",
        invoke: {
          id: "cleanup",
          src: "task",
          input: ({ context }): TaskInput => ({
            ...inputOfTask(context),
            policy: { ...context.policy, recovery: ["retry"], maxTaskIterations: 1 },
            keepOpen: true,
          }),
          onDone: [when("goesOn", "choosingCleanup"), otherwise("limited")],
        },
      },
      confirming: {
        description: "The whole plan is looked at once more, and the final check is run, before the run is complete.",
        tags: "busy",
        invoke: {
          id: "confirmCompletion",
          src: "confirmCompletion",
          input: ({ context }) => ({
            key: `run#${context.turn}/confirmCompletion`,
            // A pull request was confirmed with it.
            finalVerify: context.policy.pullRequest === undefined ? context.policy.finalVerify : null,
            timeoutMs: context.policy.verifyTimeout,
          }),
          onDone: [when("complete", "complete"), when("skipped", "skipped"), otherwise("gated")],
        },
      },
      complete: {
        description: "Every task is ticked and accounted for.",
        type: "final",
        tags: "settled",
        output: { kind: "complete" },
      },
      skipped: {
        description: "Every task is ticked and accounted for, but those that were left out.",
        type: "final",
        tags: "settled",
        output: { kind: "skipped" },
      },
      limited: {
        description: "A task is exhausted: the limit and the task are named.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "limit", ...(context.stop as NonNullable<SpecContext["stop"]>) }),
      },
      gated: {
        description: "Only a person can decide how to go on.",
        type: "final",
        tags: "settled",
        output: ({ event }) => {
          const { reason, hint } = stopping(answerIn(event) as Outcome) as Question;
          return { kind: "gate", reason, hint };
        },
      },
      checkpoint: {
        description: "A task is stuck: a report was written, and a person resumes the run.",
        type: "final",
        tags: "settled",
        output: ({ event }) => {
          const { reason, hint } = stopping(answerIn(event) as Outcome) as Stuck;
          return { kind: "checkpoint", reason, hint };
        },
      },
      cancelled: {
        description: "The run was told to give the plan up.",
        type: "final",
        tags: "settled",
        output: { kind: "cancelled" },
      },
    },
    output: ({ event }) => event.output as SpecOutcome,
  });
  return asActor(chart, effects);
};
