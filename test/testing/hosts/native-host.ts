import { createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../../machines/spec.ts";
import { createEffects } from "../../../src/effects/effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import type { Host } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { workPorts } from "./work-ports.ts";

export const nativeHost: Host = async (task) => {
  const store = memoryStore(task.tasks);
  const policy = readPolicy(task.policy);
  const { ports, delegated } = workPorts(task, store, (event) => {
    if (event.type === "cancel") actor.send({ type: "cancel" });
  });
  const whole = { ...ports, attempts: createRunMemory() };
  const actor = createActor(createSpecMachine(createEffects(whole, { policy })));
  actor.start();
  const { ended } = await endRun(whole, await toPromise(actor), policy);
  return { outcome: ended.outcome, tasks: store.tasks.text, progress: store.log.text, delegated, kills: 0 };
};
