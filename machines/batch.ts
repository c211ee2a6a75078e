import { assign, enqueueActions, setup } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import type { Member } from "../src/model/run-effects.ts";
import { ends, invoke, is, sockets, to } from "./ask.ts";
import {
  type BatchContext,
  type BatchInput,
  type BatchMachine,
  type BatchOutcome,
  batchInput,
  type MemberDone,
} from "./batch-machine.ts";
import { described } from "./described.ts";
import type { Tag } from "./machine-type.ts";
import { checkInput } from "./machine-type.ts";
import { createTaskMachine } from "./task.ts";
import type { TaskOutcome } from "./task-machine.ts";

/**
 * The chart of a batch of parallel `[P]` tasks. Each member is a task machine. No outcome stops the other members, so
 * the order in which the members end does not matter.
 *
 * @see docs/machines.md
 */
export const createBatchMachine = (effects?: Effects): BatchMachine =>
  setup({
    types: {
      input: {} as BatchInput,
      context: {} as BatchContext,
      output: {} as BatchOutcome,
      events: {} as MemberDone,
      children: {} as Record<string, "task">,
      tags: {} as Tag,
    },
    actors: { task: createTaskMachine(effects), ...sockets(effects, "mergeProgress") },
    guards: { is, allSettled: ({ context }) => context.ended.length === context.members.length },
    actions: {
      note: assign(({ context, event: { output } }) => ({
        running: context.running.filter((root) => root !== output.root),
        ended: withEnd(context, output),
      })),
      // Remove the ended member from the children of the batch.
      forget: enqueueActions(({ event, enqueue }) => void enqueue.stopChild(event.actorId)),
      begin: enqueueActions(({ context, enqueue }) => {
        const ready = readyMembers(context);
        for (const { root, current } of ready) enqueue.spawnChild("task", { id: root, input: { root, current } });
        enqueue.assign({ running: [...context.running, ...ready.map(({ root }) => root)] });
      }),
    },
  }).createMachine({
    ...described("batch", {
      working: {
        tags: "busy",
        entry: "begin",
        on: { "xstate.done.actor.*": { actions: ["note", "forget", "begin"] } },
        always: { guard: "allSettled", target: "merging" },
      },
      // Do not merge the logs of parked members, or of members that stop the run.
      merging: invoke("mergeProgress", logsIn, to("settled")),
      ...ends("settled"),
    }),
    context: ({ input: given }) => ({ ...checkInput("batch", batchInput, given), running: [], ended: [] }),
    initial: "working",
    output: ({ context }) => {
      const outcomes = inPlanOrder(context);
      const stop = outcomes.find((outcome) => !isPast(outcome)) ?? null;
      return { kind: stop?.kind ?? "passed", stop, outcomes };
    },
  }) as unknown as BatchMachine;

const logsIn = ({ context }: { readonly context: BatchContext }) => ({
  logs: inPlanOrder(context)
    .filter((outcome) => isPast(outcome) && outcome.kind !== "parked")
    .map(({ root }) => root),
});

function withEnd({ members, ended }: BatchContext, outcome: TaskOutcome): readonly TaskOutcome[] {
  const all = [...ended, outcome];
  if (outcome.kind !== "parked") return all;
  const left = new Set([outcome.root]);
  for (const { root, current, after } of members) {
    if (ended.some((one) => one.root === root) || !after.some((earlier) => left.has(earlier))) continue;
    left.add(root);
    all.push({ root, current, end: outcome.end, kind: "parked" });
  }
  return all;
}

/**
 * Lists the members that can start now: the batch has room, and no unfinished earlier member changes the same files.
 */
function readyMembers({ members, running, ended, width }: BatchContext): Member[] {
  const over = new Set(ended.map(({ root }) => root));
  const waiting = members.filter(({ root }) => !over.has(root) && !running.includes(root));
  const free = waiting.filter(({ after }) => after.every((root) => over.has(root)));
  return free.slice(0, Math.max(0, width - running.length));
}

function inPlanOrder({ members, ended }: BatchContext): TaskOutcome[] {
  const places = new Map(members.map(({ root }, place) => [root, place]));
  const placeOf = ({ root }: TaskOutcome): number => places.get(root) as number;
  return [...ended].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Outcomes of a task after which the run continues. */
export const goesOn: readonly TaskOutcome["kind"][] = ["passed", "replanned", "pruned", "parked"];

const isPast = ({ kind }: TaskOutcome): boolean => goesOn.includes(kind);
