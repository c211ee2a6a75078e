import type { ActorOptions, AnyActorLogic } from "xstate";

/** What `createActor` takes as `inspect`. */
export type Inspect = NonNullable<ActorOptions<AnyActorLogic>["inspect"]>;
