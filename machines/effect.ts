import type { ActorLogic, ActorRef, AnyActorRef, EventObject, Snapshot } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import type { EffectName } from "../src/model/effect.ts";
import { InputError } from "../src/model/errors.ts";
import type { Requested } from "../src/run/requests.ts";

type AnyActorSystem = AnyActorRef["system"];

/** Answers the requests of charts by sending one event `answer` or `fail` to each requester. */
export interface Owner {
  ask(asked: Requested, ref: EffectRef): void;
  /** Drops a request whose requester has stopped. */
  leave(ref: EffectRef): void;
}

/** An actor that has requested an effect and receives the answer as an event. */
export type EffectRef = ActorRef<EffectSnapshot, EffectEvent>;
type EffectEvent =
  | { readonly type: "answer"; readonly answer: object }
  | { readonly type: "fail"; readonly error: unknown };
type EffectSnapshot = Snapshot<object> & { readonly input: object | undefined };
export type EffectLogic = ActorLogic<EffectSnapshot, EffectEvent, object, AnyActorSystem, EventObject>;

type Place = Pick<Requested, "root" | "current">;

const owners = new WeakMap<AnyActorSystem, Owner>();

/** Sets the owner that answers the requests of an actor's charts. Call it before the actor starts. */
export const ownBy = ({ system }: Pick<AnyActorRef, "system">, owner: Owner): void => {
  owners.set(system, owner);
};

/**
 * Actor of an effect. The actor sends its request to the owner of the actor system, and ends when the owner answers.
 *
 * @param effects Owner to use if the actor system has no owner.
 * @throws {InputError} `effect-not-provided` at the start, if there is no owner.
 */
export const effect = (name: EffectName, effects?: Effects): EffectLogic => ({
  getInitialSnapshot: (_scope, input) => ({ status: "active", output: undefined, error: undefined, input }),
  start: (snapshot, { self, system }) => {
    const owner = owners.get(system) ?? effects;
    if (owner === undefined) {
      throw new InputError(`Cannot perform effect \`${name}\`, expected the machine to be created with effects`, {
        code: "effect-not-provided",
        hint: "Pass the result of `createEffects(ports)`",
      });
    }
    owners.set(system, owner);
    const input = snapshot.input as object;
    owner.ask({ name, input, ...(input as Place) }, self as EffectRef);
  },
  transition: (snapshot, event, { self, system }) => {
    if (event.type === "answer") {
      return { status: "done", output: event.answer, error: undefined, input: undefined };
    }
    if (event.type === "fail") return { status: "error", output: undefined, error: event.error, input: undefined };
    if ((event as EventObject).type !== "xstate.stop") return snapshot;
    owners.get(system)?.leave(self as EffectRef);
    return { status: "stopped", output: undefined, error: undefined, input: undefined };
  },
  getPersistedSnapshot: (snapshot) => snapshot as Snapshot<unknown>,
  restoreSnapshot: (snapshot) => snapshot as EffectSnapshot,
});
