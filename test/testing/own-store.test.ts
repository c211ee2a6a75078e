import { describe, expect, it } from "vitest";
import { createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import { createEffects } from "../../src/effects/effects.ts";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { insertTasks } from "../../src/markdown/insert-tasks.ts";
import { closeTask, tickTask } from "../../src/markdown/tick-task.ts";
import type { Documents, OpenPlan } from "../../src/ports/documents.ts";
import { failedReply, scriptedExecutor, scriptedShell, stillClock } from "../../src/testing/scripted-ports.ts";

const open = (text: string): OpenPlan => ({ text, plan: readPlan(text) });
const planOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `- [ ] 1.${index + 1} Task\n`).join("");

function ownStore(tasks: string): Documents & { text(): string } {
  let now = open(tasks);
  const edit = (text: string) => {
    const before = now;
    if (text !== before.text) now = open(text);
    return { before, after: now };
  };
  return {
    text: () => now.text,
    read: async () => now,
    insert: async (fix) => edit(insertFixTask(now.text, fix)),
    tick: async (task, done) => edit(tickTask(now.text, task, done)),
    close: async (task, by) => edit(closeTask(now.text, task, by)),
    change: async (change) => edit(insertTasks(now.text, change)),
    rewrite: async (make) => edit(make(now)),
    artifact: async () => null,
    merge: async () => {},
    progress: async () => "",
    append: async () => {},
    summarize: async () => {},
    report: async (_, path) => path ?? "stuck-report.md",
  };
}

async function runOn(store: Documents, executor: ReturnType<typeof scriptedExecutor>, policy: object) {
  const executors = { executor, verifier: executor };
  const effects = createEffects(
    { executors, documents: store, shell: scriptedShell(), clock: stillClock() },
    { policy },
  );
  const actor = createActor(createSpecMachine(effects));
  actor.start();
  return toPromise(actor);
}

describe("native coordinator over a custom store", () => {
  it("recovers a plan to its end", async () => {
    const store = ownStore(planOf(2));
    const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "boom")] });
    expect(await runOn(store, executor, { recovery: ["fix"] })).toEqual({ kind: "complete", end: null });
    expect(readPlan(store.text()).tasks.map(({ id, done }) => [id, done])).toEqual([
      ["1.1", true],
      ["1.1.1", true],
      ["1.2", true],
    ]);
  });

  it("keeps to the limits of the whole run", async () => {
    const executor = scriptedExecutor();
    const output = await runOn(ownStore(planOf(9)), executor, { maxGlobalIterations: 3 });
    expect(output).toMatchObject({ kind: "limited", end: { end: { limit: "maxGlobalIterations", max: 3 } } });
    expect(executor.delegations).toHaveLength(3);
  });

  it("allows twice as many delegations as tasks were open at the start", async () => {
    const executor = scriptedExecutor();
    expect(await runOn(ownStore(planOf(120)), executor, {})).toEqual({ kind: "complete", end: null });
    expect(executor.delegations).toHaveLength(120);
  });
});
