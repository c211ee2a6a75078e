/**
 * The task machine without I/O: it returns the effects to perform, and gets their answers. Between two steps, its state
 * is a list of records as JSON, which a queue, a database or a durable workflow can store.
 *
 *     npm run build && node examples/04-stepwise/run.ts   (Node 22.18 or later)
 */

import { createTaskMachine } from "fixpoint/machines";
import { type Performers, performEffect, report, restore, start } from "fixpoint/run";

// A real performer would ask an agent, run a command or write a file.
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

const machine = createTaskMachine();
let step = start(machine, { root: "1.3" }, { recovery: ["fix"] });

while (!step.isDone) {
  for (const effect of step.effects) {
    const answer = await performEffect(performers, effect);
    // Here a program could store the state, and another process could restore it.
    const state = restore(machine, JSON.parse(JSON.stringify(step.state)));
    step = report(machine, state, effect.key, answer);
    console.log(`${effect.key.padEnd(19)} ${effect.name} is answered with ${answer.kind}`);
    for (const event of step.events) console.log(`  ${event.type}`);
  }
}

console.log(`\n${JSON.stringify(step.output)}`);
