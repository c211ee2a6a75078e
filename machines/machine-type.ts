import type {
  ActorRefFromLogic,
  EventObject,
  MetaObject,
  ParameterizedObject,
  PromiseActorLogic,
  StateMachine,
  UnknownActorLogic,
} from "xstate";
import type { Answer, EffectInput, EffectName } from "../src/model/effect.ts";
import type { RunEvent } from "../src/model/event.ts";

/** The actor that performs an effect. */
export type EffectActor<Name extends EffectName> = PromiseActorLogic<Answer<Name>, EffectInput<Name>>;
export type EffectActors<Name extends EffectName> = { readonly [Src in Name]: EffectActor<Src> };

/** Events of a run, by their types. */
export type Emitted<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;

type Logics = Readonly<Record<string, UnknownActorLogic>>;

interface MachineTypes {
  readonly context: object;
  readonly event: EventObject;
  readonly state: string;
  readonly tag: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly emitted: EventObject;
}

/**
 * The type of a machine, by name: what XState infers is too long to stand in a declaration.
 *
 * @typeParam Actors What can be provided.
 * @typeParam Children By id, where that is not the name of the actor.
 */
export type Machine<
  Types extends MachineTypes,
  Actors extends Logics = Record<never, never>,
  Children extends Logics = Actors,
> = StateMachine<
  Types["context"],
  Types["event"],
  { -readonly [Id in keyof Children]?: ActorRefFromLogic<Children[Id]> },
  { [Src in keyof Actors & string]: { src: Src; logic: Actors[Src]; id: string | undefined } }[keyof Actors & string],
  ParameterizedObject,
  ParameterizedObject,
  string,
  Types["state"],
  Types["tag"],
  Types["input"],
  Types["output"],
  Types["emitted"],
  MetaObject,
  object
>;
