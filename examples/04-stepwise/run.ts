/**
 * The same machine without actors and without I/O: it says what is to be done, is told how it went, and is nothing but
 * JSON in between. So it can live in a queue, a database or a durable workflow.
 *
 *     npm run build && node examples/04-stepwise/run.ts   (Node 22.18 or later)
 */
import { type Answer, type EffectName, pending, report, restore, start } from "fixpoint";
import { createTaskMachine } from "fixpoint/machines";

// What whoever performs the effects answers, one after the other.
const answers: readonly Answer<EffectName>[] = [
  { kind: "replied" },
  { kind: "failed", layer: "verify", reason: "Verify failed (exit 1)" },
  {
    kind: "task",
    error: "File not found: src/parser.ts",
    attemptedFix: "Checked alternate paths",
    status: "Blocked",
    fingerprint: "9c1185a5c5e9fc54",
  },
  { kind: "inserted", fix: "1.3.1" },
  { kind: "replied" },
  { kind: "accepted" },
  { kind: "recorded" },
  { kind: "replied" },
  { kind: "accepted" },
  { kind: "recorded" },
];

const machine = createTaskMachine();
let stored = JSON.stringify(start(machine, { root: "1.3", policy: { recovery: ["fix"] } }).state);

for (const answer of answers) {
  const state = restore(machine, JSON.parse(stored));
  for (const { name, key } of pending(machine, state)) {
    const step = report(machine, state, key, answer);
    console.log(`${key.padEnd(19)} ${name} is answered with ${answer.kind}`);
    for (const event of step.events) console.log(`  ${event.type}`);
    stored = JSON.stringify(step.state);
  }
}

const { status, output } = restore(machine, JSON.parse(stored));
console.log(`\n${status}: ${JSON.stringify(output)}`);
