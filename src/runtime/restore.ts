import type { AnyStateMachine } from "xstate";
import * as z from "zod";
import { BatchContext } from "../model/batch-context.ts";
import { effects } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import { EscalationContext } from "../model/escalation-context.ts";
import { interpreted } from "../model/interpreted.ts";
import { PullRequestContext } from "../model/pull-request-context.ts";
import { RepairContext } from "../model/repair-context.ts";
import { SpecContext } from "../model/spec-context.ts";
import { TaskContext } from "../model/task-context.ts";
import { invokedIn } from "./chart.ts";
import { childPath, machineAt, type StepState } from "./step-state.ts";

const names = Object.keys(effects) as [keyof typeof effects, ...(keyof typeof effects)[]];

/** What is kept by the machines that can be restored. */
const contexts: Readonly<Record<string, z.ZodType>> = {
  task: TaskContext,
  repair: RepairContext,
  escalation: EscalationContext,
  batch: BatchContext,
  pullRequest: PullRequestContext,
  spec: SpecContext,
};

/** Ids of the machines that one has spawned and waits for, whatever state it is in. */
const spawned: Readonly<Record<string, (context: unknown) => readonly string[]>> = {
  batch: (context) => (context as BatchContext).running,
};

const Stored = z.object({
  version: z.literal(1),
  machine: z.string(),
  status: z.enum(["active", "done"]),
  output: z.unknown(),
  nodes: z.record(
    z.string(),
    z.object({
      value: z.string(),
      context: z.unknown(),
      invoked: z.record(
        z.string(),
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("machine"), src: z.string(), spawned: z.literal(true).optional() }),
          z.object({
            kind: z.literal("effect"),
            effect: z.object({ name: z.enum(names), key: z.string(), input: z.looseObject({ key: z.string() }) }),
          }),
        ]),
      ),
    }),
  ),
});

/**
 * Take up a state that was stored as JSON, after checking that this machine can go on from it: one whose effect or
 * nested machine is missing would wait for ever.
 *
 * @throws {InputError} `state-malformed`, `state-newer`, `state-of-other-machine`, `state-incomplete`
 */
export function restore(machine: AnyStateMachine, json: unknown): StepState {
  const version: unknown = typeof json === "object" && json !== null && "version" in json ? json.version : undefined;
  if (typeof version === "number" && version > 1) throw refuse("state-newer", "a state of version 1, not a newer one");
  const parsed = Stored.safeParse(json, interpreted);
  if (!parsed.success) {
    throw refuse("state-malformed", `a state of version 1: ${parsed.error.issues[0]?.path.join(".")}`, parsed.error);
  }
  const state = parsed.data as unknown as StepState;
  if (state.machine !== machine.id) throw refuse("state-of-other-machine", `one of \`${machine.id}\``);
  if (state.status === "done") return state;
  if (!("" in state.nodes)) throw refuse("state-incomplete", "the machine itself in it");
  for (const [path, node] of Object.entries(state.nodes)) {
    const logic = machineIn(machine, state, path);
    const context = contexts[logic.id]?.safeParse(node.context, interpreted);
    if (context?.success === false) {
      const where = context.error.issues[0]?.path.join(".");
      throw refuse("state-malformed", `the context of \`${logic.id}\` to be whole: ${where}`, context.error);
    }
    for (const id of spawned[logic.id]?.(node.context) ?? []) {
      if (!(id in node.invoked) || !(childPath(path, id) in state.nodes)) {
        throw refuse("state-incomplete", `the machine \`${childPath(path, id)}\` in it`);
      }
    }
    for (const { id, src } of awaitedAt(state, path, logic)) {
      const child = node.invoked[id];
      const name = child?.kind === "effect" ? child.effect.name : child?.src;
      if (child === undefined || name !== src) {
        throw refuse("state-incomplete", `\`${logic.id}\` to wait for \`${id}\``);
      }
      if (child.kind === "machine" && !(childPath(path, id) in state.nodes)) {
        throw refuse("state-incomplete", `the machine \`${childPath(path, id)}\` in it`);
      }
    }
  }
  return state;
}

function machineIn(machine: AnyStateMachine, state: StepState, path: string): AnyStateMachine {
  try {
    return machineAt(machine, state, path);
  } catch (cause) {
    throw refuse("state-incomplete", `the machine \`${path}\` to have been invoked`, cause);
  }
}

/** What a machine waits for in the states it is in. */
function awaitedAt(state: StepState, path: string, logic: AnyStateMachine) {
  try {
    return invokedIn(logic, state.nodes[path]?.value);
  } catch (cause) {
    throw refuse("state-incomplete", `a state that \`${logic.id}\` has at \`${path}\``, cause);
  }
}

const refuse = (code: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot restore the state, expected ${expected}`, {
    code,
    hint: "It was stored by another version or changed since; start again from the plan",
    cause,
  });
