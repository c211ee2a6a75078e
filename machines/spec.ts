import { assign, setup } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import type { Answer } from "../src/model/effect.ts";
import type { Question } from "../src/model/person-event.ts";
import { answerIn, ask, ends, invoke, is, nameOf, on, sockets, to } from "./ask.ts";
import { createBatchMachine, goesOn } from "./batch.ts";
import type { BatchInput, BatchOutcome } from "./batch-machine.ts";
import { described } from "./described.ts";
import type { Machine, Tag } from "./machine-type.ts";
import { createPullRequestMachine, type PullRequestOutcome } from "./pull-request.ts";
import { createTaskMachine } from "./task.ts";
import type { TaskInput, TaskOutcome } from "./task-machine.ts";

/** Position of the work on a plan. `end` is the reason to stop; null before the run stops. */
export interface SpecContext {
  readonly end: Stopped | null;
}

export type Stopped = TaskOutcome | PullRequestOutcome | Question;

export interface SpecOutcome extends SpecContext {
  readonly kind: "complete" | "skipped" | "limited" | "gated" | "checkpoint" | "cancelled";
}

export type SpecMachine = Machine<{
  context: SpecContext;
  event: { readonly type: "cancel" };
  state:
    | (
        | "choosing"
        | "checking"
        | "working"
        | "workingOnBatch"
        | "shipping"
        | "choosingCleanup"
        | "cleaning"
        | "confirming"
      )
    | SpecOutcome["kind"];
  input: undefined;
  output: SpecOutcome;
}>;

/**
 * The chart of the coordinator: choose the next open task, or the batch that begins with it; finish that work; repeat
 * until no task is left.
 *
 * @see docs/machines.md
 */
export const createSpecMachine = (effects?: Effects): SpecMachine =>
  setup({
    types: {
      context: {} as SpecContext,
      output: {} as SpecOutcome,
      events: {} as { type: "cancel" },
      tags: {} as Tag,
    },
    actors: {
      ...sockets(effects, "chooseTask", "checkWork", "chooseCleanup", "confirmCompletion"),
      task: createTaskMachine(effects),
      batch: createBatchMachine(effects),
      pullRequest: createPullRequestMachine(effects),
    },
    guards: { is },
    actions: {
      stop: assign({
        end: ({ context, event }) => context.end ?? stopIn(answerIn(event) as TaskOutcome | BatchOutcome),
      }),
      end: assign({ end: ({ event }) => answerIn(event) as Stopped }),
    },
  }).createMachine({
    ...described("spec", {
      choosing: ask(
        "chooseTask",
        on("task", "working"),
        on("batch", "workingOnBatch"),
        on("check", "checking"),
        on("ships", "shipping"),
        on("none", "confirming"),
        to("gated", "end"),
      ),
      checking: ask("checkWork", on(["checked", "broken"], "choosing"), to("gated", "end")),
      working: invoke("task", taskIn, ...stops),
      workingOnBatch: invoke("batch", batchIn, ...stops),
      shipping: invoke(
        "pullRequest",
        undefined,
        on("more", "choosing"),
        on(["ready", "merged"], "confirming"),
        on("exhausted", "limited", "end"),
        on("gated", "gated", "end"),
        to("cancelled"),
      ),
      choosingCleanup: ask("chooseCleanup", on("task", "cleaning"), to("limited")),
      cleaning: invoke("task", taskIn, on(goesOn, "choosingCleanup"), to("limited")),
      confirming: ask(
        "confirmCompletion",
        on("broken", "choosing"),
        on("complete", "complete"),
        on("skipped", "skipped"),
        to("gated", "end"),
      ),
      ...ends("complete", "skipped", "limited", "gated", "checkpoint", "cancelled"),
    }),
    context: { end: null },
    initial: "choosing",
    on: { cancel: ".cancelled" },
    output: ({ context, event }) => ({ kind: nameOf(event) as SpecOutcome["kind"], ...context }),
  }) as unknown as SpecMachine;

const stops = [
  on(goesOn, "choosing"),
  on("exhausted", "choosingCleanup", "stop"),
  on("gated", "gated", "stop"),
  on("checkpoint", "checkpoint", "stop"),
  to("cancelled"),
];

const taskIn = ({ event }: { readonly event: object }): TaskInput => {
  const { root, current } = answerIn(event) as Extract<Answer<"chooseTask">, { kind: "task" }>;
  return { root, current };
};

const batchIn = ({ event }: { readonly event: object }): BatchInput => {
  const { members, width } = answerIn(event) as Extract<Answer<"chooseTask">, { kind: "batch" }>;
  return { members, width };
};

const stopIn = (outcome: TaskOutcome | BatchOutcome): TaskOutcome | null =>
  "stop" in outcome ? outcome.stop : outcome;
