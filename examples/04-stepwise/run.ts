/**
 * The same machine without actors and without I/O: it says what is to be done, is told how it went, and is nothing but
 * JSON in between. So it can live in a queue, a database or a durable workflow.
 *
 *     npm run build && node examples/04-stepwise/run.ts   (Node 22.18 or later)
 */

import { createTaskMachine } from "fixpoint/machines";
import { type Performers, pending, performEffect, report, restore, start } from "fixpoint/run";

// What is done for each effect; a real one would ask an agent, run a command or write a file.
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
let { state } = start(machine, { root: "1.3", policy: { recovery: ["fix"] } });

while (state.status === "active") {
  for (const effect of pending(machine, state)) {
    const answer = await performEffect(performers, effect);
    const step = report(machine, state, effect.key, answer);
    console.log(`${effect.key.padEnd(19)} ${effect.name} is answered with ${answer.kind}`);
    for (const event of step.events) console.log(`  ${event.type}`);
    // It could be stored here, and gone on with in another process.
    state = restore(machine, JSON.parse(JSON.stringify(step.state)));
  }
}

console.log(`\n${state.status}: ${JSON.stringify(state.output)}`);
