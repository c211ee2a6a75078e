import { assign, emit, setup } from "xstate";
import { createEffects } from "../src/effects/create-effects.ts";
import type { Answer, Question } from "../src/model/effect.ts";
import type { RunEvent } from "../src/model/event.ts";
import type { FailureDigest } from "../src/model/failure.ts";
import { attemptsOn, reviewsOn, type SpentByTask, spentOn } from "../src/model/ledger.ts";
import { completePolicy, type PolicyInput, runLimits } from "../src/model/policy.ts";
import { isServiceKind } from "../src/model/service-problem.ts";
import type { Rejection, TaskContext } from "../src/model/task-context.ts";
import { repairedBy, type TaskId } from "../src/model/task-id.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import type { Ports } from "../src/ports.ts";
import { decide } from "../src/recover/decide.ts";
import { socket } from "./socket.ts";
import { taskEvents } from "./task-events.ts";
import { answerIn, denialOf, keyed, settled, spend } from "./task-outcome.ts";
import { otherwise, when } from "./when.ts";

/** What a task machine is started with. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** Where in its tree to go on: an open fix task below it; the root itself when not given. */
  readonly current?: TaskId;
  /** What its tree has spent in earlier starts. */
  readonly spent?: SpentByTask;
  readonly policy?: PolicyInput;
  /** Others are worked on beside it (not so when not given). */
  readonly grouped?: boolean;
  /** Its box stays open when it is done (not so when not given). */
  readonly keepOpen?: boolean;
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
      tags: {} as "busy" | "waiting" | "settled",
    },
    actors: {
      delegate: socket("delegate", effects),
      verify: socket("verify", effects),
      changePlan: socket("changePlan", effects),
      review: socket("review", effects),
      readFailure: socket("readFailure", effects),
      wait: socket("wait", effects),
      insertFix: socket("insertFix", effects),
      recordPass: socket("recordPass", effects),
    },
    guards: {
      denied: (_, answer: { kind: string }) => answer.kind === "denied",
      accepted: (_, answer: { kind: string }) => answer.kind === "accepted",
      rejected: (_, answer: { kind: string }) => answer.kind === "rejected",
      failed: (_, answer: { kind: string }) => answer.kind === "failed",
      requested: (_, answer: { kind: string }) => answer.kind === "requested",
      replanned: (_, answer: { kind: string }) => answer.kind === "replanned",
      extended: (_, answer: { kind: string }) => answer.kind === "extended",
      refused: (_, answer: { kind: string }) => answer.kind === "refused",
      reviewDue: (_, answer: Answer<"verify">) => answer.kind === "accepted" && answer.reviewDue === true,
      replaced: (_, failure: FailureDigest) => failure.fallback === true,
      hindered: (_, { kind }: FailureDigest) => isServiceKind(kind),
      waited: (_, answer: { kind: string }) => answer.kind === "waited",
      retryAllowed: ({ context }) => decide(context).kind === "retry",
      fixAllowed: ({ context }) => decide(context).kind === "fix",
      isFix: ({ context }) => context.current !== context.root,
      attempted: ({ context }) => attemptsOn(context.spent, context.current) > 0,
    },
    actions: {
      countAttempt: assign(({ context }) => spend(context, ({ attempts }) => ({ attempts: attempts + 1 }))),
      countRetry: assign(({ context }) => spend(context, ({ retries }) => ({ retries: retries + 1 }))),
      countWait: assign(({ context }) => spend(context, ({ waits = 0 }) => ({ waits: waits + 1 }))),
      countReview: assign(({ context }) => spend(context, ({ reviews = 0 }) => ({ reviews: reviews + 1 }))),
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
      announceRejection: emit(taskEvents.rejected),
      announceFailure: emit(taskEvents.failed),
      announceWait: emit(taskEvents.waiting),
      announceReview: emit(taskEvents.reviewed),
      announceChange: emit(taskEvents.changed),
      announceRefusal: emit(taskEvents.refused),
      announceFix: emit(taskEvents.fixInserted),
      announcePass: emit(taskEvents.passed),
    },
  }).createMachine({
    id: "task",
    description: "One planned task, from its first delegation to a settled outcome, with all fixes made for it.",
    context: ({ input }) => ({
      root: input.root,
      current: input.current ?? input.root,
      spent: input.spent ?? {},
      policy: completePolicy(input.policy),
      grouped: input.grouped ?? false,
      keepOpen: input.keepOpen ?? false,
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
            grouped: context.grouped,
          }),
          onDone: [when("denied", "exhausted"), when("requested", "changingPlan"), otherwise("verifying")],
        },
      },
      changingPlan: {
        description: "The executor asks for other tasks: they are checked and written into the plan.",
        tags: "busy",
        invoke: {
          id: "changePlan",
          src: "changePlan",
          input: ({ context }) => ({ ...keyed(context, "changePlan"), root: context.root }),
          onDone: [
            when("replanned", "replanned", "countWait", "announceChange"),
            when("extended", "verifying", "announceChange"),
            when("refused", "verifying", "announceRefusal"),
            otherwise("gated"),
          ],
        },
      },
      verifying: {
        description: "The claim is checked layer by layer: signal, contradiction, checkmarks, commit, Verify.",
        tags: "busy",
        invoke: {
          id: "verify",
          src: "verify",
          input: ({ context }) => ({
            ...keyed(context, "verify"),
            trustExecutor: context.policy.trustExecutor,
            requireExecutorTick: context.policy.requireExecutorTick,
            // Members of a batch change the plan for each other.
            requireCommit: context.policy.requireCommit && !context.grouped,
            timeoutMs: context.policy.verifyTimeout,
            reviews: reviewsOn(context.spent, context.current),
          }),
          onDone: [
            when("reviewDue", "reviewing"),
            when("accepted", "recordingPass"),
            when("rejected", "checkingLimit", "recordRejection", "announceRejection"),
            when("failed", "parsing"),
            otherwise("gated"),
          ],
        },
      },
      reviewing: {
        description: "A reviewer looks at what was done; what it finds in the code makes a fix task.",
        tags: "busy",
        entry: "countReview",
        invoke: {
          id: "review",
          src: "review",
          input: ({ context }) => ({
            ...keyed(context, "review"),
            round: reviewsOn(context.spent, context.current),
            limits: runLimits(context.policy),
          }),
          onDone: [
            when("denied", "exhausted"),
            when("failed", "parsing", "announceReview"),
            when("accepted", "recordingPass", "announceReview"),
            otherwise("gated"),
          ],
        },
      },
      parsing: {
        description: "What went wrong is read from the output of the executor, of Verify or of the reviewer.",
        tags: "busy",
        invoke: {
          id: "readFailure",
          src: "readFailure",
          input: ({ context }) => ({
            ...keyed(context, "readFailure"),
            waits: spentOn(context.spent, context.current).waits ?? 0,
          }),
          onDone: [
            when("replaced", "delegating", "countWait", "announceFailure"),
            when("hindered", "waiting", "countWait", "recordFailure", "announceWait"),
            otherwise("checkingLimit", "recordFailure", "announceFailure"),
          ],
        },
      },
      waiting: {
        description: "The executor cannot work now: its limit is to end first, the net to come back, a person to help.",
        tags: "waiting",
        invoke: {
          id: "wait",
          src: "wait",
          input: ({ context }) => ({ ...keyed(context, "wait"), ...hindrance(context) }),
          onDone: [when("waited", "delegating"), otherwise("gated")],
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
          onDone: [when("denied", "exhausted"), otherwise("delegating", "announceFix", "descendToFix")],
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
            grouped: context.grouped,
            keepOpen: context.keepOpen,
            commit: context.policy.commit,
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
      replanned: {
        description: "Other tasks of the plan come first now.",
        type: "final",
        tags: "settled",
        output: ({ context }) => ({ kind: "replanned", ...settled(context) }),
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

/** Why the executor cannot work. Only in `waiting`: a failure has led there. */
function hindrance({ failure }: TaskContext) {
  const { kind: reason, error, until = null } = failure as FailureDigest;
  return { reason, error, until };
}
