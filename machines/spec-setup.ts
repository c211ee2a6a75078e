import { assign, emit, setup } from "xstate";
import type { Effects } from "../src/effects/create-effects.ts";
import type { Answer } from "../src/model/effect.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import type { SpecContext } from "../src/model/spec-context.ts";
import type { TaskId } from "../src/model/task-id.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import { createBatchMachine } from "./batch.ts";
import { forward } from "./forward.ts";
import { createPullRequestMachine } from "./pull-request.ts";
import type { PullRequestOutcome } from "./pull-request-outcome.ts";
import { socket } from "./socket.ts";
import type { SpecInput } from "./spec-input.ts";
import { type Outcome, type SpecEmitted, type SpecOutcome, stopping } from "./spec-outcome.ts";
import { createTaskMachine } from "./task.ts";
import { answers } from "./when.ts";

/**
 * What the chart of the coordinator is made of: its effects and machines, what it tells apart, and what it keeps.
 *
 * @internal
 */
export function specSetup(effects: Effects | undefined) {
  return setup({
    types: {
      input: {} as SpecInput | undefined,
      context: {} as SpecContext,
      output: {} as SpecOutcome,
      events: {} as PersonEvent,
      emitted: {} as SpecEmitted,
      children: {} as { task: "task"; batch: "batch"; pullRequest: "pullRequest"; cleanup: "task" },
      tags: {} as "busy" | "settled",
    },
    actors: {
      chooseTask: socket("chooseTask", effects),
      chooseCleanup: socket("chooseCleanup", effects),
      confirmCompletion: socket("confirmCompletion", effects),
      task: createTaskMachine(effects),
      batch: createBatchMachine(effects),
      pullRequest: createPullRequestMachine(effects),
    },
    guards: {
      taskOpen: (_, answer: { kind: string }) => answer.kind === "task",
      batchOpen: (_, answer: { kind: string }) => answer.kind === "batch",
      shippingDue: ({ context }, answer: { kind: string }) =>
        answer.kind === "none" && context.policy.pullRequest !== undefined,
      noneOpen: (_, answer: { kind: string }) => answer.kind === "none",
      ...answers("complete", "skipped", "more"),
      shipped: (_, { kind }: PullRequestOutcome) => kind === "ready" || kind === "merged",
      outOfLimit: (_, { kind }: PullRequestOutcome) => kind === "exhausted",
      asks: (_, { kind }: PullRequestOutcome) => kind === "gate",
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
      recordBook: assign((_, { pullRequest }: Extract<Answer<"chooseTask">, { kind: "none" }>) => ({
        ...(pullRequest !== undefined && { book: pullRequest }),
      })),
      recordLimit: assign((_, { denial }: Extract<PullRequestOutcome, { kind: "exhausted" }>) => ({
        stop: { task: denial.task, denial, lastError: null, spent: {} },
      })),
      recordCleanup: assign(({ context }, { root, current, spent }: ChosenCleanup) => ({
        chosen: { root, current, spent, alwaysFixed: false },
        cleaned: [...context.cleaned, root],
      })),
      announceBatch: emit(({ context }) => ({ type: "group.started" as const, tasks: rootsOf(context) })),
      announceBatchEnd: emit(({ context }) => ({ type: "group.ended" as const, tasks: rootsOf(context) })),
    },
  });
}

type ChosenTask = Extract<Answer<"chooseTask">, { kind: "task" }>;
type ChosenBatch = Extract<Answer<"chooseTask">, { kind: "batch" }>;
type ChosenCleanup = Extract<Answer<"chooseCleanup">, { kind: "task" }>;
type Exhausted = Extract<TaskOutcome, { kind: "exhausted" }>;

const rootsOf = ({ members }: SpecContext): TaskId[] => members.map(({ root }) => root);
