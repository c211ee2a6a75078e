import { scenarios } from "../scenarios/index.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import type { GroundPlan } from "./ground.ts";
import { pidMark } from "./traced-call.ts";

const replacement = `.fixpoint/replacement-${pidMark}-00000000.tmp`;

export const groundPlans: readonly (GroundPlan & { readonly name: string })[] = [
  { name: "a fix", scenario: named("fixes: one"), start: 0 },
  {
    name: "a fix, killed before it was in the plan",
    scenario: named("fixes: one"),
    start: 0,
    killedAt: { name: "rename", path: replacement, ordinal: 1 },
  },
  {
    name: "a fix, killed between tick and log",
    scenario: named("fixes: one"),
    start: 0,
    killedAt: { name: "rename", path: replacement, ordinal: 2 },
  },
  { name: "a batch with logs", scenario: named("batches: members that write logs and tick"), start: 0 },
  { name: "another task first", scenario: named("changes: a task needs another one first"), start: 0 },
  { name: "a question to a person", scenario: named("checkpoint: guidance"), start: 0 },
  { name: "the answer to it", scenario: named("checkpoint: guidance"), start: 1 },
  { name: "a repair", scenario: named("repair: DECOMPOSE"), start: 0 },
  { name: "an interruption and what follows", scenario: named("resume: after an interruption"), start: 1 },
];

function named(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`Cannot find scenario \`${name}\`, expected it among the others`);
  return found;
}
