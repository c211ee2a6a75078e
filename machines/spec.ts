import { assign, emit, setup } from "xstate";
import { createEffects } from "../src/effects/create-effects.ts";
import { withMemory } from "../src/effects/with-memory.ts";
import type { Answer, Denial, Question } from "../src/model/effect.ts";
import type { RunEvent } from "../src/model/event.ts";
import type { SpentByTask } from "../src/model/ledger.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { completePolicy, type Policy, type PolicyInput } from "../src/model/policy.ts";
import type { SpecContext } from "../src/model/spec-context.ts";
import type { TaskId } from "../src/model/task-id.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import type { Ports } from "../src/ports.ts";
import { type BatchInput, type BatchOutcome, createBatchMachine } from "./batch.ts";
import { forward } from "./forward.ts";
import { socket } from "./socket.ts";
import { createTaskMachine } from "./task.ts";
import type { TaskInput } from "./task-input.ts";
import { answerIn } from "./task-outcome.ts";
import { answers, otherwise, when } from "./when.ts";

/** What the coordinator is started with. */
export interface SpecInput {
  readonly policy?: PolicyInput;
  /** Number of its first turn, so that keys of a continued run do not repeat; 1 when not given. */
  readonly turn?: number;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean;
}

/** How the work on a plan ended. */
export type SpecOutcome =
  | { readonly kind: "complete" }
  /** All but what was left out. */
  | { readonly kind: "skipped" }
  | {
      readonly kind: "limit";
      readonly task: TaskId;
      readonly denial: Denial;
      readonly lastError: string | null;
      readonly spent: SpentByTask;
    }
  | Question
  | { readonly kind: "checkpoint"; readonly reason: string; readonly hint: string }
  | { readonly kind: "cancelled" };

/**
 * The chart of the coordinator: it picks the next open task, or the batch it begins, has it finished, and starts over
 * until none is left.
 *
 * @see docs/machines.md
 */
export const createSpecMachine = (ports?: Ports) => {
  const shared = ports && withMemory(ports);
  const effects = shared && createEffects(shared);
  return setup({
    types: {
      input: {} as SpecInput | undefined,
      context: {} as SpecContext,
      output: {} as SpecOutcome,
      events: {} as PersonEvent,
      emitted: {} as RunEvent,
      children: {} as { task: "task"; batch: "batch"; cleanup: "task" },
      tags: {} as "busy" | "settled",
    },
    actors: {
      chooseTask: socket("chooseTask", effects),
      chooseCleanup: socket("chooseCleanup", effects),
      confirmCompletion: socket("confirmCompletion", effects),
      task: createTaskMachine(shared),
      batch: createBatchMachine(shared),
    },
    guards: {
      taskOpen: (_, answer: { kind: string }) => answer.kind === "task",
      batchOpen: (_, answer: { kind: string }) => answer.kind === "batch",
      noneOpen: (_, answer: { kind: string }) => answer.kind === "none",
      ...answers("complete", "skipped"),
      goesOn: (_, outcome: Outcome) => stopping(outcome) === undefined,
      exhausted: (_, outcome: Outcome) => stopping(outcome)?.kind === "exhausted",
      needsPerson: (_, outcome: Outcome) => stopping(outcome)?.kind === "gate",
      stuck: (_, outcome: Outcome) => stopping(outcome)?.kind === "checkpoint",
    },
    actions: {
      forward,
      pause: assign({ paused: true }),
      resume: assign({ paused: false }),
      countTurn: assign(({ context }) => ({ turn: context.turn + 1, chosen: null, members: [] })),
      recordChoice: assign((_, { kind: _kind, alwaysFixed = false, ...chosen }: ChosenTask) => ({
        chosen: { ...chosen, alwaysFixed },
      })),
      recordBatch: assign((_, { members }: ChosenBatch) => ({ members })),
      recordStop: assign(({ context }, outcome: Outcome) => {
        const { root, current: task, denial, lastError, spent } = stopping(outcome) as Exhausted;
        // A cleanup that is itself exhausted is not carried out again.
        return { stop: { task, denial, lastError, spent }, cleaned: [...context.cleaned, root] };
      }),
      recordCleanup: assign(({ context }, { root, current, spent }: ChosenCleanup) => ({
        chosen: { root, current, spent, alwaysFixed: false },
        cleaned: [...context.cleaned, root],
      })),
      announceBatch: emit(({ context }) => ({ type: "group.started" as const, tasks: rootsOf(context) })),
      announceBatchEnd: emit(({ context }) => ({ type: "group.ended" as const, tasks: rootsOf(context) })),
    },
  }).createMachine({
    id: "spec",
    description: "The coordinator of one plan: task after task until none is open, or a reason to stop.",
    context: ({ input }) => ({
      policy: completePolicy(input?.policy),
      paused: input?.paused ?? false,
      turn: (input?.turn ?? 1) - 1,
      chosen: null,
      members: [],
      stop: null,
      cleaned: [],
    }),
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
          }),
          onDone: [
            when("taskOpen", "working", "recordChoice"),
            when("batchOpen", "workingOnBatch", "recordBatch", "announceBatch"),
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
          input: ({ context }): TaskInput => taskInput(context),
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
            ...(context.chosen as NonNullable<SpecContext["chosen"]>),
            policy: { ...context.policy, recovery: ["retry"], maxTaskIterations: 1 },
            keepOpen: true,
            paused: context.paused,
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
            finalVerify: context.policy.finalVerify,
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
};

type ChosenTask = Extract<Answer<"chooseTask">, { kind: "task" }>;
type ChosenBatch = Extract<Answer<"chooseTask">, { kind: "batch" }>;
type ChosenCleanup = Extract<Answer<"chooseCleanup">, { kind: "task" }>;
type Stuck = Extract<TaskOutcome, { kind: "checkpoint" }>;
type Exhausted = Extract<TaskOutcome, { kind: "exhausted" }>;

/** How a task ended, or the tasks of a batch. */
type Outcome = TaskOutcome | Question | BatchOutcome;

/** What stops the run in an outcome: of a batch, that of the first member in the order of the plan; else undefined. */
const stopping = (outcome: Outcome): TaskOutcome | Question | undefined =>
  ("outcomes" in outcome ? outcome.outcomes : [outcome]).find(({ kind }) => !goingOn.has(kind));

const goingOn: ReadonlySet<string> = new Set(["passed", "replanned", "pruned"]);

const rootsOf = ({ members }: SpecContext): TaskId[] => members.map(({ root }) => root);

/** The task that was chosen. Fix tasks are made for some whatever the policy says. */
function taskInput({ chosen, policy, paused }: SpecContext): TaskInput {
  const { alwaysFixed, ...task } = chosen as NonNullable<SpecContext["chosen"]>;
  const fixing: Policy["recovery"] =
    alwaysFixed && !policy.recovery.includes("fix") ? withFix(policy) : policy.recovery;
  return { ...task, paused, policy: fixing === policy.recovery ? policy : { ...policy, recovery: fixing } };
}

/** Fix tasks take the place of plain retries; the rest of the ladder stays. */
const withFix = ({ recovery }: Policy): Policy["recovery"] => ["fix", ...recovery.filter((rung) => rung !== "retry")];
