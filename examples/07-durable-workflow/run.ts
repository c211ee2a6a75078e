/**
 * A task in a workflow of a durable execution engine, such as Temporal, DBOS or Restate. The engine here keeps steps in
 * a map. Its process dies twice, and each time the workflow begins again.
 *
 *     npm run build && node examples/07-durable-workflow/run.ts   (Node 22.18 or later)
 */
import { createTaskMachine } from "fixpoint/machines";
import { type DurableSetup, durableBy, type Performers, performEffect } from "fixpoint/run";

// With a real engine, each of these functions is an activity.
const performers: Partial<Performers> = {
  delegate: () => ({ kind: "replied" }),
  verify: (_, { key }) =>
    key === "1.3#1/verify"
      ? { kind: "failed", layer: "verify", reason: "Verify failed (exit 1)" }
      : { kind: "accepted" },
  readFailure: () => ({
    kind: "task",
    error: "File not found: src/parser.ts",
    attemptedFix: "Checked alternate paths",
    status: "Blocked",
    fingerprint: "9c1185a5c5e9fc54",
  }),
  insertFix: ({ fixOf, made }) => ({ kind: "inserted", fix: `${fixOf}.${made + 1}` }),
  recordPass: () => ({ kind: "recorded" }),
};

const memory = new Map<number, string>();
const crashes = new Set([3, 7]);

const once: DurableSetup["once"] = async (at, happening) => {
  const kept = memory.get(at);
  if (kept !== undefined) return JSON.parse(kept);
  const records = await happening();
  if (crashes.delete(at)) throw new Error("the process dies");
  memory.set(at, JSON.stringify(records));
  return JSON.parse(JSON.stringify(records));
};

const workflow = () =>
  durableBy({
    machine: createTaskMachine(),
    input: { root: "1.3" },
    policy: { recovery: ["fix"] },
    once,
    perform: async (effect) => {
      console.log(`  ${effect.key}`);
      return { answer: await performEffect(performers, effect) };
    },
  }).done;

for (;;) {
  try {
    console.log(`begun with ${memory.size} steps in memory`);
    console.log(JSON.stringify(await workflow()));
    break;
  } catch (error) {
    console.log(`${(error as Error).message}, after ${memory.size} steps`);
  }
}
