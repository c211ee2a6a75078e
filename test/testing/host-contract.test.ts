import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import type { SpecOutcome } from "../../machines/spec-outcome.ts";
import { createEffects } from "../../src/effects/create-effects.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { Answer, EffectName } from "../../src/model/effect.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import { type Host, hostContract } from "../../src/testing/host-contract.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { memoryPorts } from "../support/memory-run.ts";

const native: Host = async (tasks, policy, executor) => {
  const store = memoryStore(tasks);
  const actor = createActor(createSpecMachine(createEffects(memoryPorts(store, executor))), { input: { policy } });
  actor.start();
  const { kind } = (await toPromise(actor)) as SpecOutcome;
  return { outcome: kind, tasks: store.tasks.text, progress: store.log.text };
};

const stepwise: Host = async (tasks, policy, executor) => {
  const store = memoryStore(tasks);
  const effects = createEffects(memoryPorts(store, executor));
  const machine = createSpecMachine();
  let { state } = start(machine, { policy });
  for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
    const perform = effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<Answer<EffectName>>;
    state = report(machine, state, effect.key, await perform(effect.input, new AbortController().signal)).state;
  }
  return { outcome: (state.output as SpecOutcome).kind, tasks: store.tasks.text, progress: store.log.text };
};

const onFiles: Host = async (tasks, policy, executor) => {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-host-"));
  try {
    writeFileSync(join(folder, "tasks.md"), tasks);
    const { outcome } = await runSpec({ spec: folder, workspace: folder, policy, executors: { executor }, yes: true });
    const read = (name: string): string => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return "";
      }
    };
    return { outcome, tasks: read("tasks.md"), progress: read(".progress.md") };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe.each([
  ["native actor", native],
  ["step function", stepwise],
  ["run on files", onFiles],
])("%s as a host", (_, host) => {
  it.each(hostContract.map(({ name, run }) => [name, run] as const))("%s", (_, run) => run(host));
});
