import {
  type AnyActorRef,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from "xstate";

/** An action as XState gives it: what a transition asks for, as data. */
export interface PureAction {
  readonly type: string;
  readonly params: unknown;
}

/** The state a machine begins in, and what it asks for. Performs nothing. */
export const pureStart = (machine: AnyStateMachine, input: unknown): [AnyMachineSnapshot, PureAction[]] =>
  collect(machine, (scope) => machine.getInitialSnapshot(scope, input as never));

/** The state after an event, and what the transition asks for. Performs nothing. */
export const pureTransition = (
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: { readonly type: string },
): [AnyMachineSnapshot, PureAction[]] => collect(machine, (scope) => machine.transition(snapshot, event, scope));

/**
 * Actors that are never started, one a machine, as the `self` of its transitions. XState's own `transition()` does the
 * same with a fresh actor for every call, which costs more than the transition.
 */
const selves = new WeakMap<AnyStateMachine, AnyActorRef>();

function collect(
  machine: AnyStateMachine,
  move: (scope: AnyActorScope) => AnyMachineSnapshot,
): [AnyMachineSnapshot, PureAction[]] {
  const self = selves.get(machine) ?? createActor(machine);
  selves.set(machine, self);
  const actions: PureAction[] = [];
  const nothing = (): void => {};
  const snapshot = move({
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: ({ type, params }) => actions.push({ type, params }),
  });
  return [snapshot, actions];
}
