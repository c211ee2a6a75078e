import type { Plan } from "../model/plan.ts";
import type { RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task-id.ts";
import { claimsAt } from "./claims.ts";
import { standsIn } from "./intention.ts";
import type { Origin } from "./origin.ts";

/**
 * What is to be recorded of the last turn when it is not gone on with, together.
 *
 * @param known The plan that is gone on with, without ticks that nobody accepted.
 * @param planHash Of the plan as it was found.
 */
export function leaveTurn(
  origin: Pick<Origin, "state" | "ended" | "policy">,
  { found, known, planHash }: { readonly found: Plan; readonly known: Plan; readonly planHash: string },
): readonly RunRecord[] {
  const { state, ended } = origin;
  if (state === null) return [];
  const settled: RunRecord[] = [
    ...(mayReset(origin, planHash) ? [{ type: "reset", task: ended?.denial?.task ?? "" } as const] : []),
    ...claimsAt(state, "begun", "claimed").map((key) => ({ type: "refunded", key }) as const),
    ...unrecordedIn(state, known),
    ...unwrittenIn(state, found),
  ];
  // The next start takes the plan that this one goes on with for that of the turn.
  const isUnsaid = settled.length === 0 && state.turns > 0 && !state.turn.left;
  return isUnsaid ? [{ type: "left" }] : settled;
}

/** Passes of a turn that were refused or killed behind their ticks; of what stays open after it none is recorded. */
function unrecordedIn(state: RunState, { tasks }: Plan): RunRecord[] {
  if (state.turn.cleaning) return [];
  const ticked = new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
  return claimsAt(state, "accepted")
    .filter((key) => ticked.has(taskOf(key)))
    .map((key) => ({ type: "passed", key, commit: commitOf(state, key) }));
}

/** The last commit that an attempt has made. */
const commitOf = ({ turn }: RunState, key: string): string | null =>
  at(turn.attempts, key)?.judgement?.evidence.git?.commits[0]?.hash ?? null;

/** What a turn was about to write into the plan, has not said to be written, and does not stand there. */
function unwrittenIn({ turn }: RunState, found: Plan): RunRecord[] {
  const isMissing = (effect: string, ids: readonly TaskId[]): boolean =>
    !Object.hasOwn(turn.written, effect) && !standsIn(found, { ids });
  const fixes = Object.entries(turn.fixes).filter(([key, { id }]) => isMissing(`${key}/insertFix`, [id]));
  const changes = Object.entries(turn.changes).filter(([key, { change }]) =>
    isMissing(
      `${key}/changePlan`,
      change.tasks.map(({ id }) => id),
    ),
  );
  return [
    ...fixes.map(([, { id }]) => ({ type: "dropped", fix: id }) as const),
    ...changes.map(([key]) => ({ type: "withdrawn", key }) as const),
  ];
}

/** A person who changes the plan after its iterations were spent gives the task another chance. */
function mayReset({ ended, policy }: Pick<Origin, "ended" | "policy">, planHash: string): boolean {
  if (ended?.denial?.limit !== "maxTaskIterations") return false;
  return policy.maxTaskIterations <= ended.denial.max && ended.planHash !== planHash;
}
