import { assign, setup } from "xstate";
import { createEffects } from "../src/effects/create-effects.ts";
import { withMemory } from "../src/effects/with-memory.ts";
import type { Answer, Denial, Question } from "../src/model/effect.ts";
import type { SpentByTask } from "../src/model/ledger.ts";
import { completePolicy, type PolicyInput } from "../src/model/policy.ts";
import type { SpecContext } from "../src/model/spec-context.ts";
import type { TaskId } from "../src/model/task-id.ts";
import type { Ports } from "../src/ports.ts";
import { socket } from "./socket.ts";
import { createTaskMachine, type TaskInput } from "./task.ts";
import { answerIn, type TaskOutcome } from "./task-outcome.ts";

/** What the coordinator is started with. */
export interface SpecInput {
  readonly policy?: PolicyInput;
  /** Number of its first turn, so that keys of a continued run do not repeat; 1 when not given. */
  readonly turn?: number;
}

/** How the work on a plan ended. */
export type SpecOutcome =
  | { readonly kind: "complete" }
  | {
      readonly kind: "limit";
      readonly task: TaskId;
      readonly denial: Denial;
      readonly lastError: string | null;
      readonly spent: SpentByTask;
    }
  | Question
  | { readonly kind: "cancelled" };

/**
 * The chart of the coordinator: it picks the next open task, has the task machine finish it, and starts over until
 * none is left.
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
      events: {} as { type: "cancel" },
      children: {} as { task: "task" },
      tags: {} as "busy" | "settled",
    },
    actors: {
      chooseTask: socket("chooseTask", effects),
      confirmCompletion: socket("confirmCompletion", effects),
      task: createTaskMachine(shared),
    },
    guards: {
      taskOpen: (_, answer: { kind: string }) => answer.kind === "task",
      noneOpen: (_, answer: { kind: string }) => answer.kind === "none",
      complete: (_, answer: { kind: string }) => answer.kind === "complete",
      passed: (_, outcome: TaskOutcome) => outcome.kind === "passed",
      exhausted: (_, outcome: TaskOutcome) => outcome.kind === "exhausted",
      needsPerson: (_, outcome: TaskOutcome) => outcome.kind === "gate",
    },
    actions: {
      countTurn: assign(({ context }) => ({ turn: context.turn + 1, chosen: null })),
      recordChoice: assign((_, { root, current, spent }: Chosen) => ({
        chosen: { root, current, spent },
      })),
    },
  }).createMachine({
    id: "spec",
    description: "The coordinator of one plan: task after task until none is open, or a reason to stop.",
    context: ({ input }) => ({ policy: completePolicy(input?.policy), turn: (input?.turn ?? 1) - 1, chosen: null }),
    initial: "choosing",
    on: { cancel: ".cancelled" },
    states: {
      choosing: {
        description: "The first open task of the plan is looked up, and where in its tree to go on.",
        tags: "busy",
        entry: "countTurn",
        invoke: {
          id: "chooseTask",
          src: "chooseTask",
          input: ({ context }) => ({ key: `run#${context.turn}/chooseTask` }),
          onDone: [
            {
              guard: { type: "taskOpen", params: ({ event }) => event.output },
              target: "working",
              actions: { type: "recordChoice", params: ({ event }) => event.output as Chosen },
            },
            { guard: { type: "noneOpen", params: ({ event }) => event.output }, target: "confirming" },
            { target: "gated" },
          ],
        },
      },
      working: {
        description: "The task machine brings the chosen task to an outcome.",
        tags: "busy",
        invoke: {
          id: "task",
          src: "task",
          input: ({ context }): TaskInput => ({ ...(context.chosen as Chosen), policy: context.policy }),
          onDone: [
            { guard: { type: "passed", params: ({ event }) => event.output }, target: "choosing" },
            { guard: { type: "exhausted", params: ({ event }) => event.output }, target: "limited" },
            { guard: { type: "needsPerson", params: ({ event }) => event.output }, target: "gated" },
            { target: "cancelled" },
          ],
        },
      },
      confirming: {
        description: "One consistent look at the whole plan: is every task ticked and accounted for?",
        tags: "busy",
        invoke: {
          id: "confirmCompletion",
          src: "confirmCompletion",
          input: ({ context }) => ({ key: `run#${context.turn}/confirmCompletion` }),
          onDone: [
            { guard: { type: "complete", params: ({ event }) => event.output }, target: "complete" },
            { target: "gated" },
          ],
        },
      },
      complete: {
        description: "Every task is ticked and accounted for.",
        type: "final",
        tags: "settled",
        output: { kind: "complete" },
      },
      limited: {
        description: "A task is exhausted: the limit and the task are named.",
        type: "final",
        tags: "settled",
        output: ({ event }) => {
          const outcome = answerIn(event) as Extract<TaskOutcome, { kind: "exhausted" }>;
          const { current: task, denial, lastError, spent } = outcome;
          return { kind: "limit", task, denial, lastError, spent };
        },
      },
      gated: {
        description: "Only a person can decide how to go on.",
        type: "final",
        tags: "settled",
        output: ({ event }) => {
          const { reason, hint } = answerIn(event) as Question;
          return { kind: "gate", reason, hint };
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

type Chosen = Extract<Answer<"chooseTask">, { kind: "task" }>;
