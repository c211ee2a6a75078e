import { createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../../machines/spec.ts";
import type { SpecOutcome } from "../../../machines/spec-outcome.ts";
import { createEffects } from "../../../src/effects/create-effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import type { Host } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { workPorts } from "./work-ports.ts";

/** An actor of XState. */
export const nativeHost: Host = async (task) => {
  const store = memoryStore(task.tasks);
  const { ports, delegated } = workPorts(task, store, (event) => actor.send(event));
  const whole = { ...ports, attempts: createRunMemory(), known: { text: null } };
  const actor = createActor(createSpecMachine(createEffects(whole)), { input: { policy: task.policy } });
  actor.start();
  const { ended } = await endRun(whole, (await toPromise(actor)) as SpecOutcome);
  return { outcome: ended.outcome, tasks: store.tasks.text, progress: store.log.text, delegated, kills: 0 };
};
