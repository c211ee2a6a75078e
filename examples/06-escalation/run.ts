/**
 * The escalation machine alone, for a loop of your own: it gets the result of each attempt, and chooses the kind of the
 * next attempt. Here the attempts follow a script.
 *
 *     npm run build && node examples/06-escalation/run.ts   (Node 22.18 or later)
 */
import { detectStuck, renderClimb } from "fixpoint";
import { createEscalationMachine, type FailedAttempt } from "fixpoint/machines";
import { createActor } from "xstate";

const error = "Too many re-renders";
const failures: readonly FailedAttempt[] = [
  { error, strategy: "memoize the list" },
  // The executor reports the same approach again, so the task is stuck.
  { error, strategy: "Memoize the list!" },
  { error, strategy: "move the state up" },
  { error, strategy: "a store of its own", findings: ["the effect sets what it depends on"] },
];

const policy = { maxPivotAttempts: 1, maxResearchAttempts: 1 };
const actor = createActor(createEscalationMachine(), { input: { task: "1.3", policy } });
actor.on("level.changed", ({ level, attempt, max }) => {
  if (level === "pivot" || level === "research") {
    const { escalation } = actor.getSnapshot().context;
    const [title] = renderClimb({ climb: { level, attempt, max }, escalation }).split("\n");
    console.log(`  the next prompt begins with ${title}`);
  }
});
actor.start();

for (const failure of failures) {
  actor.send({ type: "attempt.failed", failure });
  const { value, context } = actor.getSnapshot();
  console.log(
    `${failure.strategy} failed: ${value}, sign: ${detectStuck(context.escalation, context.policy) ?? "none"}`,
  );
}

console.log(`\na person is needed: ${actor.getSnapshot().hasTag("waitingForPerson")}`);
actor.send({ type: "guidance.given", text: "Leave out the second effect" });
console.log(`with guidance: ${actor.getSnapshot().value}`);
actor.send({ type: "attempt.passed" });
console.log(`found out meanwhile: ${actor.getSnapshot().context.escalation.findings.join("; ")}`);
