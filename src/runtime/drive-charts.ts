import {
  type ActorOptions,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from "xstate";
import { type EffectRef, ownBy } from "../../machines/effect.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { beginsTurn, type RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { Requested } from "../run/requests.ts";

/** A running machine. */
export interface Position {
  /** Ids of the invoked machines down to this machine, joined by `/`; `""` for the outermost. */
  readonly path: string;
  readonly machine: string;
  readonly state: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Charts driven by records. When a call returns, the charts have settled. */
export interface Charts {
  /** Requests of the charts, oldest first. */
  requests(): readonly Requested[];
  /** Send a record to the charts. False if no chart waits for this answer. */
  tell(record: RunRecord): boolean;
  isDone(): boolean;
  output(): unknown;
  positions(): readonly Position[];
}

interface DriveOptions {
  readonly input?: unknown;
  /** Called by XState for every actor, event and snapshot. */
  readonly inspect?: Inspect | undefined;
}

/** Start charts from the beginning. An error in a chart is thrown to the caller who sent the record. */
export function driveCharts(machine: AnyStateMachine, { input, inspect }: DriveOptions = {}): Charts {
  const asked = new Map<EffectRef, Requested>();
  let fault: { readonly error: unknown } | null = null;
  const actor = createActor(machine, { input, ...(inspect !== undefined && { inspect: inspect as never }) });
  ownBy(actor, {
    ask: (request, ref) => void asked.set(ref, request),
    leave: (ref) => void asked.delete(ref),
  });
  actor.subscribe({
    error: (error) => {
      fault = { error };
    },
  });
  const atRest = (): void => {
    if (fault !== null) throw fault.error;
  };
  actor.start();
  atRest();
  return {
    requests: () => [...asked.values()],
    tell: (record) => {
      if (record.type === "said") {
        if (record.event.type === "cancel") actor.send({ type: "cancel" } as never);
        atRest();
        return true;
      }
      // The result of one racing attempt does not end the effect.
      if (record.type !== "answered" || record.answer.kind === "raced") return true;
      const { effect: name, key, answer } = record;
      for (const [ref, request] of asked) {
        if (request.name !== name || (request.current !== undefined && request.current !== taskOf(key))) continue;
        asked.delete(ref);
        ref.send({ type: "answer", answer });
        atRest();
        return true;
      }
      return false;
    },
    isDone: () => actor.getSnapshot().status !== "active",
    output: () => actor.getSnapshot().output,
    positions: () => positionsIn(machine.id, "", actor as AnyActorRef),
  };
}

function positionsIn(machine: string, path: string, ref: AnyActorRef): Position[] {
  const { value, context, children, status } = ref.getSnapshot() as AnyMachineSnapshot;
  // Skip effects, which are actors without a state of their own.
  if (value === undefined || (path !== "" && status !== "active")) return [];
  const own = { path, machine, state: String(value), context };
  const below = Object.entries(children as Record<string, AnyActorRef>).flatMap(([id, child]) =>
    positionsIn(String(child.src), path === "" ? id : `${path}/${id}`, child),
  );
  return [own, ...below];
}

/** The records of the current turn, from the choice of its task on. */
export function currentTurn<Made extends RunRecord>(records: readonly Made[]): readonly Made[] {
  const at = records.findLastIndex(beginsTurn);
  return at === -1 ? [] : records.slice(at);
}

/** Drop the first answers to questions that were asked again: the last answer counts. */
export function lastAnswers<Made extends RunRecord>(records: readonly Made[]): readonly Made[] {
  const later = new Set<string>();
  const counting = records.toReversed().filter((record) => {
    if (record.type !== "answered") return true;
    const { key, effect, answer } = record;
    const isPutAgain = later.has(key) && (answer.kind === "gate" || effect === "confirmCompletion");
    later.add(key);
    return !isPutAgain;
  });
  return counting.reverse();
}

/**
 * Select the records with which to resume a turn. The final check of the plan is omitted: it runs again, since the plan
 * may have changed.
 */
export const resumableRecords = <Made extends RunRecord>(records: readonly Made[]): readonly Made[] =>
  lastAnswers(currentTurn(records)).filter(
    (record) => record.type !== "answered" || record.effect !== "confirmCompletion",
  );

let made: ReturnType<typeof createSpecMachine> | undefined;

/** The chart of all runs. It is created once, since it holds no data of a run. */
export function specMachine(): NonNullable<typeof made> {
  made ??= createSpecMachine();
  return made;
}

/** Type of the `inspect` option of `createActor`. */
export type Inspect = NonNullable<ActorOptions<AnyActorLogic>["inspect"]>;
