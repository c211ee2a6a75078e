import { assign, enqueueActions, setup } from "xstate";
import * as z from "zod";
import type { Effects } from "../src/effects/create-effects.ts";
import type { BatchContext } from "../src/model/batch-context.ts";
import { Member } from "../src/model/chosen.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { type PolicyInput, readPolicy } from "../src/model/policy.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import { asActor } from "./as-actor.ts";
import { checkInput, PolicyGiven } from "./check-input.ts";
import { forward } from "./forward.ts";
import type { EffectActor, EffectActors, Machine } from "./machine-type.ts";
import { socket } from "./socket.ts";
import { createTaskMachine, type TaskMachine } from "./task.ts";
import type { TaskEmitted } from "./task-events.ts";

/** What a batch is started with. */
export interface BatchInput {
  /** In the order of the plan. */
  readonly members: readonly Member[];
  /** Number of the coordinator's turn, which names its effects. */
  readonly turn: number;
  readonly policy?: PolicyInput | undefined;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean | undefined;
}

const batchInput: z.ZodType<BatchInput> = z.strictObject({
  members: z.array(Member),
  turn: z.int().min(1),
  policy: PolicyGiven,
  paused: z.boolean().optional(),
});

/** How each member ended, in the order of the plan. */
export interface BatchOutcome {
  readonly outcomes: readonly TaskOutcome[];
}

export type BatchMachine = Machine<
  {
    context: BatchContext;
    event: MemberDone | PersonEvent;
    state: "working" | "merging" | "settled";
    tag: "busy" | "settled";
    input: BatchInput;
    output: BatchOutcome;
    emitted: TaskEmitted;
  },
  EffectActors<"mergeProgress"> & { readonly task: TaskMachine },
  Record<string, TaskMachine | EffectActor<"mergeProgress">>
>;

type MemberDone = {
  readonly type: `xstate.done.actor.${string}`;
  readonly output: TaskOutcome;
  readonly actorId: string;
};

/**
 * The chart of `[P]` tasks that are worked on side by side. Each member is a task machine of its own and comes to its
 * own outcome; what one of them ends with stops no other, so that the order in which they end changes nothing.
 *
 * @see docs/machines.md
 */
export const createBatchMachine = (effects?: Effects): BatchMachine => {
  const chart = setup({
    types: {
      input: {} as BatchInput,
      context: {} as BatchContext,
      output: {} as BatchOutcome,
      events: {} as MemberDone | PersonEvent,
      emitted: {} as TaskEmitted,
      children: {} as Record<string, "task">,
      tags: {} as "busy" | "settled",
    },
    actors: {
      task: createTaskMachine(effects),
      mergeProgress: socket("mergeProgress", effects),
    },
    guards: {
      allSettled: ({ context }) => context.outcomes.length === context.members.length,
    },
    actions: {
      forward,
      pause: assign({ paused: true }),
      resume: assign({ paused: false }),
      // Only where a member has ended.
      recordOutcome: assign(({ context, event }) => {
        const { output } = event as MemberDone;
        return {
          running: context.running.filter((root) => root !== output.root),
          outcomes: [...context.outcomes, output],
        };
      }),
      // Apart from its start: an assignment made there warns where an actor above is within an action of its own.
      noteReady: assign(({ context }) => ({
        running: [...context.running, ...readyMembers(context).map(({ root }) => root)],
      })),
      startReady: enqueueActions(({ context, enqueue }) => {
        for (const { after: _, ...member } of readyMembers(context)) {
          const input = { ...member, policy: context.policy, paused: context.paused, grouped: true };
          enqueue.spawnChild("task", { id: member.root, input });
        }
      }),
    },
  }).createMachine({
    id: "batch",
    description: "Tasks that may be done in any order, some at a time, each with the fixes it needs.",
    context: ({ input: given }) => {
      const input = checkInput("batch", batchInput, given);
      return {
        members: [...input.members],
        turn: input.turn,
        policy: readPolicy(input.policy),
        paused: input.paused ?? false,
        running: [],
        outcomes: [],
      };
    },
    initial: "working",
    on: {
      pause: { actions: ["pause", "forward"] },
      resume: { actions: ["resume", "forward"] },
      "guidance.given": { actions: "forward" },
      "decision.made": { actions: "forward" },
    },
    states: {
      working: {
        description: "Task machines work side by side; those that change the same files wait for each other.",
        tags: "busy",
        entry: ["startReady", "noteReady"],
        on: {
          "xstate.done.actor.*": { actions: ["recordOutcome", "startReady", "noteReady"] },
        },
        always: { guard: "allSettled", target: "merging" },
      },
      merging: {
        description: "What the members wrote into logs of their own goes into that of the spec, in plan order.",
        tags: "busy",
        invoke: {
          id: "mergeProgress",
          src: "mergeProgress",
          input: ({ context }) => ({
            key: `run#${context.turn}/mergeProgress`,
            // What one that is exhausted wrote is taken over when it passes later.
            logs: inPlanOrder(context)
              .filter(({ kind }) => ["passed", "replanned", "pruned"].includes(kind))
              .map(({ root }) => root),
            commit: context.policy.commit,
          }),
          onDone: "settled",
        },
      },
      settled: {
        description: "Every member has come to its outcome.",
        type: "final",
        tags: "settled",
      },
    },
    output: ({ context }) => ({ outcomes: inPlanOrder(context) }),
  });
  return asActor(chart, effects);
};

/** Members that can be started now: there is room, and nobody before them changes the same files any more. */
function readyMembers({ members, running, outcomes, policy }: BatchContext): Member[] {
  const ended = new Set(outcomes.map(({ root }) => root));
  const waiting = members.filter(({ root }) => !ended.has(root) && !running.includes(root));
  const free = waiting.filter(({ after }) => after.every((root) => ended.has(root)));
  return free.slice(0, Math.max(0, policy.maxParallel - running.length));
}

/** Outcomes of all members. */
function inPlanOrder({ members, outcomes }: BatchContext): TaskOutcome[] {
  const places = new Map(members.map(({ root }, place) => [root, place]));
  const placeOf = ({ root }: TaskOutcome): number => places.get(root) as number;
  return [...outcomes].sort((one, other) => placeOf(one) - placeOf(other));
}
