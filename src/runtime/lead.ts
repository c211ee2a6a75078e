import { type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine, createActor } from "xstate";
import { type EffectRef, ownBy } from "../../machines/effect.ts";
import { beginsTurn, type RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { Requested } from "../run/requests.ts";
import type { Inspect } from "./inspect.ts";

/** A machine at work. */
export interface Position {
  /** Ids of the machines that it was invoked by, joined by `/`; `""` for the outermost. */
  readonly path: string;
  readonly machine: string;
  readonly state: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Charts that are led by records: whatever they are told, they have come to rest when the call returns. */
export interface Charts {
  /** What they wait for, oldest first. */
  requests(): readonly Requested[];
  /** Tell what was recorded. False where nobody waits for an answer. */
  tell(record: RunRecord): boolean;
  isDone(): boolean;
  output(): unknown;
  positions(): readonly Position[];
}

interface LeadOptions {
  readonly input?: unknown;
  /** Told by XState of every actor, event and snapshot. */
  readonly inspect?: Inspect | undefined;
}

/** Begin with charts that nothing was told yet. An error of a chart is thrown to whoever has told them. */
export function lead(machine: AnyStateMachine, { input, inspect }: LeadOptions = {}): Charts {
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
      // What one of a race has come to is no answer yet.
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
  // Effects are actors without a state of their own.
  if (value === undefined || (path !== "" && status !== "active")) return [];
  const own = { path, machine, state: String(value), context };
  const below = Object.entries(children as Record<string, AnyActorRef>).flatMap(([id, child]) =>
    positionsIn(String(child.src), path === "" ? id : `${path}/${id}`, child),
  );
  return [own, ...below];
}

/** The records of the turn that is under way: from the choice of its task on. */
export function currentTurn<Made extends RunRecord>(records: readonly Made[]): readonly Made[] {
  const at = records.findLastIndex(beginsTurn);
  return at === -1 ? [] : records.slice(at);
}

/** Records without questions that were put again later: the answer that counts is the later one. */
export function withoutPutAgain<Made extends RunRecord>(records: readonly Made[]): readonly Made[] {
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

/** The records that a turn is gone on with: the last look at the plan is taken anew, for what it saw may have changed. */
export const ledAlong = <Made extends RunRecord>(records: readonly Made[]): readonly Made[] =>
  withoutPutAgain(currentTurn(records)).filter(
    (record) => record.type !== "answered" || record.effect !== "confirmCompletion",
  );
