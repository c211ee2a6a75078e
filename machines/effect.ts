import type { ActorLogic, ActorRef, AnyActorRef, EventObject, Snapshot } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import type { EffectName } from "../src/model/effect.ts";
import { InputError } from "../src/model/errors.ts";
import type { Requested } from "../src/run/requests.ts";

type AnyActorSystem = AnyActorRef["system"];

/** Answers what charts ask for: by an event `answer` to the one who has asked, once. */
export interface Owner {
  ask(asked: Requested, ref: EffectRef): void;
  /** Nobody waits for it any more. */
  leave(ref: EffectRef): void;
}

/** An effect that is asked for. It is answered by an event. */
export type EffectRef = ActorRef<EffectSnapshot, EffectEvent>;
type EffectEvent =
  | { readonly type: "answer"; readonly answer: object }
  | { readonly type: "fail"; readonly error: unknown };
type EffectSnapshot = Snapshot<object> & { readonly input: object | undefined };
export type EffectLogic = ActorLogic<EffectSnapshot, EffectEvent, object, AnyActorSystem, EventObject>;

type Place = Pick<Requested, "root" | "current">;

/** Who answers what the charts of an actor system ask for. */
const owners = new WeakMap<AnyActorSystem, Owner>();

/** Have an owner answer what the charts of an actor ask for. To be called before the actor is started. */
export const ownBy = ({ system }: Pick<AnyActorRef, "system">, owner: Owner): void => {
  owners.set(system, owner);
};

/**
 * The place of an effect in a chart: an actor that asks its owner when it starts, and is done when it is answered.
 *
 * @param effects Answer where the actor system has no owner of its own.
 */
export const effect = (name: EffectName, effects?: Effects): EffectLogic => ({
  getInitialSnapshot: (_scope, input) => ({ status: "active", output: undefined, error: undefined, input }),
  start: (snapshot, { self, system }) => {
    const owner = owners.get(system) ?? effects;
    if (owner === undefined) {
      throw new InputError(`Cannot perform effect \`${name}\`, expected the machine to be created with effects`, {
        code: "effect-not-provided",
        hint: "Pass those of `createEffects(ports)`",
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
