import { assign, emit, setup } from "xstate";
import { createEffects } from "../src/effects/create-effects.ts";
import type { Answer, Question } from "../src/model/effect.ts";
import type { RunEvent } from "../src/model/event.ts";
import type { FailureDigest } from "../src/model/failure.ts";
import { type SpentByTask, spentOn } from "../src/model/ledger.ts";
import { completePolicy, type PolicyInput, runLimits } from "../src/model/policy.ts";
import type { Rejection, TaskContext } from "../src/model/task-context.ts";
import { repairedBy, type TaskId } from "../src/model/task-id.ts";
import type { Ports } from "../src/ports.ts";
import { decide } from "../src/recover/decide.ts";
import { socket } from "./socket.ts";
import { answerIn, denialOf, keyed, settled, spend, type TaskOutcome } from "./task-outcome.ts";

/** What a task machine is started with. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** Where in its tree to go on: an open fix task below it; the root itself when not given. */
  readonly current?: TaskId;
  /** What its tree has spent in earlier starts. */
  readonly spent?: SpentByTask;
  readonly policy?: PolicyInput;
}

/**
 * The chart of one planned task and of all fixes below it. Without ports every effect throws, which is enough for
 * the step function, for tests and for diagrams.
 *
 * @see docs/machines.md
 */
export const createTaskMachine = (ports?: Ports) => {
  const effects = ports && createEffects(ports);
  return setup({
    types: {
      input: {} as TaskInput,
      context: {} as TaskContext,
      output: {} as TaskOutcome,
      events: {} as { type: "cancel" },
      emitted: {} as RunEvent,
      tags: {} as "busy" | "settled",
    },
    actors: {
      delegate: socket("delegate", effects),
      verify: socket("verify", effects),
      readFailure: socket("readFailure", effects),
      insertFix: socket("insertFix", effects),
      recordPass: socket("recordPass", effects),
    },
    guards: {
      denied: (_, answer: { kind: string }) => answer.kind === "denied",
      accepted: (_, answer: { kind: string }) => answer.kind === "accepted",
      rejected: (_, answer: { kind: string }) => answer.kind === "rejected",
      failed: (_, answer: { kind: string }) => answer.kind === "failed",
      retryAllowed: ({ context }) => decide(context).kind === "retry",
      fixAllowed: ({ context }) => decide(context).kind === "fix",
      isFix: ({ context }) => context.current !== context.root,
      attempted: ({ context }) => spentOn(context.spent, context.current).attempts > 0,
    },
    actions: {
      countAttempt: assign(({ context }) => spend(context, ({ attempts }) => ({ attempts: attempts + 1 }))),
      countRetry: assign(({ context }) => spend(context, ({ retries }) => ({ retries: retries + 1 }))),
      recordFailure: assign((_, failure: FailureDigest) => ({ failure, rejection: null })),
      recordRejection: assign((_, { layer, reason }: Rejection) => ({ failure: null, rejection: { layer, reason } })),
      descendToFix: assign(({ context }, { fix }: { fix: TaskId }) => ({
        ...spend(context, ({ fixes }) => ({ fixes: [...fixes, fix] })),
        current: fix,
        failure: null,
        rejection: null,
      })),
      // Only after `isFix`: the root repairs nothing.
      returnToRepaired: assign(({ context }) => ({
        current: repairedBy(context.root, context.current) as TaskId,
        failure: null,
        rejection: null,
      })),
      announceRejection: emit(({ context }, { layer, reason }: Rejection) => ({
        type: "task.rejected" as const,
        task: context.current,
        layer,
        reason,
      })),
      announceFailure: emit(({ context }, { kind, error, attemptedFix, status }: FailureDigest) => ({
        type: "task.failed" as const,
        task: context.current,
        failure: { kind, error, attemptedFix, status },
      })),
      announceFix: emit(({ context }, { fix }: { fix: TaskId }) => ({
        type: "fix.inserted" as const,
        task: context.current,
        fix,
        attempts: spentOn(context.spent, context.current).fixes.length + 1,
        limit: context.policy.maxFixTasksPerOriginal,
      })),
      announcePass: emit(({ context }) => {
        const { attempts, fixes } = spentOn(context.spent, context.current);
        return { type: "task.passed" as const, task: context.current, attempts, fixes };
      }),
    },
  }).createMachine({
    id: "task",
    description: "One planned task, from its first delegation to a settled outcome, with all fixes made for it.",
    context: ({ input }) => ({
      root: input.root,
      current: input.current ?? input.root,
      spent: input.spent ?? {},
      policy: completePolicy(input.policy),
      failure: null,
      rejection: null,
    }),
    initial: "starting",
    on: { cancel: ".cancelled" },
    states: {
      starting: {
        description: "A task that was attempted in an earlier start goes on within its limits.",
        always: [{ guard: "attempted", target: "checkingLimit" }, { target: "delegating" }],
      },
      delegating: {
        description: "The executor works on the current task: the planned one, or a fix below it.",
        tags: "busy",
        entry: "countAttempt",
        invoke: {
          id: "delegate",
          src: "delegate",
          input: ({ context }) => ({
            ...keyed(context, "delegate"),
            root: context.root,
            attempt: spentOn(context.spent, context.current).attempts,
            retries: spentOn(context.spent, context.current).retries,
            requireExecutorTick: context.policy.requireExecutorTick,
            limits: runLimits(context.policy),
          }),
          onDone: [
            { guard: { type: "denied", params: ({ event }) => event.output }, target: "exhausted" },
            { target: "verifying" },
          ],
        },
      },
      verifying: {
        description: "The claim is checked layer by layer: signal, contradiction, checkmarks, the task's own Verify.",
        tags: "busy",
        invoke: {
          id: "verify",
          src: "verify",
          input: ({ context }) => ({
            ...keyed(context, "verify"),
            trustExecutor: context.policy.trustExecutor,
            requireExecutorTick: context.policy.requireExecutorTick,
            timeoutMs: context.policy.verifyTimeout,
          }),
          onDone: [
            { guard: { type: "accepted", params: ({ event }) => event.output }, target: "recordingPass" },
            {
              guard: { type: "rejected", params: ({ event }) => event.output },
              target: "checkingLimit",
              actions: [
                { type: "recordRejection", params: ({ event }) => event.output as Verified<"rejected"> },
                { type: "announceRejection", params: ({ event }) => event.output as Verified<"rejected"> },
              ],
            },
            { guard: { type: "failed", params: ({ event }) => event.output }, target: "parsing" },
            { target: "gated" },
          ],
        },
      },
      parsing: {
        description: "What went wrong is read from the output of the executor or of Verify.",
        tags: "busy",
        invoke: {
          id: "readFailure",
          src: "readFailure",
          input: ({ context }) => keyed(context, "readFailure"),
          onDone: {
            target: "checkingLimit",
            actions: [
              { type: "recordFailure", params: ({ event }) => event.output },
              { type: "announceFailure", params: ({ event }) => event.output },
            ],
          },
        },
      },
      checkingLimit: {
        description: "What may be tried next, if anything: the task again, or a fix task first.",
        always: [
          { guard: "retryAllowed", target: "delegating", actions: "countRetry" },
          { guard: "fixAllowed", target: "insertingFix" },
          { target: "exhausted" },
        ],
      },
      insertingFix: {
        description: "A fix task is written into the plan, below the task that failed.",
        tags: "busy",
        invoke: {
          id: "insertFix",
          src: "insertFix",
          input: ({ context }) => ({
            ...keyed(context, "insertFix"),
            made: spentOn(context.spent, context.current).fixes.length,
            scope: context.policy.scope,
            limits: runLimits(context.policy),
          }),
          onDone: [
            { guard: { type: "denied", params: ({ event }) => event.output }, target: "exhausted" },
            {
              target: "delegating",
              actions: [
                { type: "announceFix", params: ({ event }) => event.output as Inserted },
                { type: "descendToFix", params: ({ event }) => event.output as Inserted },
              ],
            },
          ],
        },
      },
      recordingPass: {
        description: "The accepted task is ticked in the plan and written into the progress log.",
        tags: "busy",
        invoke: {
          id: "recordPass",
          src: "recordPass",
          input: ({ context }) => ({
            ...keyed(context, "recordPass"),
            fixes: spentOn(context.spent, context.current).fixes,
          }),
          onDone: [
            { guard: "isFix", target: "delegating", actions: ["announcePass", "returnToRepaired"] },
            { target: "passed", actions: "announcePass" },
          ],
        },
      },
      passed: {
        description: "The planned task is done, and every fix below it.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "passed", ...settled(context) }),
      },
      exhausted: {
        description: "A limit allows no further attempt.",
        type: "final",
        tags: "settled",
        output: ({ context, event }) => ({
          kind: "exhausted",
          ...settled(context),
          denial: denialOf(context, event),
          lastError: context.failure?.error ?? context.rejection?.reason ?? null,
        }),
      },
      gated: {
        description: "Only a person can decide how to go on.",
        type: "final",
        tags: "settled",
        output: ({ context, event }) => ({ ...(answerIn(event) as Question), ...settled(context) }),
      },
      cancelled: {
        description: "The run was told to give this task up.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "cancelled", ...settled(context) }),
      },
    },
    output: ({ event }) => event.output as TaskOutcome,
  });
};

type Verified<Kind> = Extract<Answer<"verify">, { kind: Kind }>;
type Inserted = Extract<Answer<"insertFix">, { kind: "inserted" }>;
