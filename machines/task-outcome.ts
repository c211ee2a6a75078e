import { spentOn } from "../src/model/ledger.ts";
import type { Denial } from "../src/model/limits.ts";
import { attemptKey } from "../src/model/reply.ts";
import type { Decision, Deliberation, TaskContext } from "../src/model/task-context.ts";

/** The attempt that is up. */
export const attemptIn = ({ current, spent }: TaskContext) => attemptKey(current, spentOn(spent, current).attempts);

/** What names an effect on the current task. */
export const keyOf = (context: TaskContext, effect: string) => `${attemptIn(context)}/${effect}`;

/** What every outcome names. */
export const settled = ({ root, current, spent }: TaskContext) => ({ root, current, spent });

/** The answer of the effect, or the outcome of the machine, that led to a final state; undefined when none did. */
export const answerIn = (event: object): unknown => ("output" in event ? event.output : undefined);

/** The limit that ended a task: the one an effect answered, else the one the decision names. */
export function denialOf(context: TaskContext, event: object): Denial {
  const answer = answerIn(event) as Denial | { kind: string } | undefined;
  if (answer?.kind === "denied") return answer as Denial;
  return (decisionIn(context) as { denial: Denial }).denial;
}

/** What was decided on the way into `checkingLimit`: everything that is asked for it comes behind that. */
export const deliberationIn = ({ decided }: TaskContext): Deliberation => decided as Deliberation;
export const decisionIn = (context: TaskContext): Decision => deliberationIn(context).decision;
