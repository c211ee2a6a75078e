import type {
  AnyActorLogic,
  AnyActorRef,
  AnyActorScope,
  AnyMachineSnapshot,
  AnyStateMachine,
  DoneActorEvent,
  EventObject,
} from "xstate";
import type { Effects } from "../src/effects/create-effects.ts";
import type { Effect } from "../src/model/effect.ts";

/**
 * What a machine does as an actor beside what its chart says. It emits what the machines in it emit, as a step gives the
 * events of all of them. Its effects remember what an actor has answered that was provided in their place, and refuse to
 * go on in a restored one without the records of its run. Only actors that are started do so: a step starts none.
 */
export function asActor<Machine extends AnyStateMachine>(machine: Machine, effects: Effects | undefined): Machine {
  const { start, transition } = machine as AnyStateMachine;
  const provide = machine.provide.bind(machine);
  const started = new WeakSet<AnyActorRef>();
  const met = new WeakSet<AnyActorRef>();
  /** What each effect at work was asked for. */
  const asked = new WeakMap<AnyActorRef, Effect>();
  /** Look at the actors that have come into a machine. Answers the effects among them. */
  const meet = ({ children }: AnyMachineSnapshot, { emit }: AnyActorScope): Effect[] => {
    const fresh = (Object.values(children) as AnyActorRef[]).filter((child) => !met.has(child));
    return fresh.flatMap((child) => {
      met.add(child);
      const effect = effectIn(child);
      if (effect === null) child.on("*", emit);
      else asked.set(child, effect);
      return effect ?? [];
    });
  };
  const remember = ({ children }: AnyMachineSnapshot, event: EventObject): void => {
    const effect = isDone(event) ? asked.get(children[event.actorId]) : undefined;
    if (effect !== undefined) effects?.remember(effect, (event as DoneActorEvent).output);
  };
  const own = {
    start: (snapshot, scope) => {
      started.add(scope.self);
      for (const effect of meet(snapshot, scope)) effects?.checkMemory(effect);
      start(snapshot);
    },
    transition: (snapshot, event, scope) => {
      if (!started.has(scope.self)) return transition(snapshot, event, scope);
      remember(snapshot, event);
      const next = transition(snapshot, event, scope);
      meet(next, scope);
      return next;
    },
    provide: (given: Parameters<typeof provide>[0]) => asActor(provide(given), effects),
  } satisfies Partial<AnyActorLogic> & { readonly provide: unknown };
  return Object.assign(machine, own);
}

const isDone = (event: EventObject): event is DoneActorEvent => event.type.startsWith("xstate.done.actor.");

/** The effect that an actor was started for; null for a machine. An actor of a promise keeps what it was asked. */
function effectIn(child: AnyActorRef): Effect | null {
  const { input } = child.getSnapshot() as { readonly input?: { readonly key: string } };
  return input === undefined ? null : ({ name: child.src, key: input.key, input } as Effect);
}
