import type { ActorOptions, AnyActorLogic } from "xstate";

/** Type of the `inspect` option of `createActor`. */
export type Inspect = NonNullable<ActorOptions<AnyActorLogic>["inspect"]>;
