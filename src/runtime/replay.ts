import { InputError } from "../model/errors.ts";
import type { PolicyInput } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { versionsApart } from "../model/way-on.ts";
import type { StepState } from "./step-state.ts";
import { walkTurn } from "./walk.ts";

/** The turn a run is in, counted from 1; 0 before the first. */
export const turnOf = (records: readonly TimedRunRecord[]): number => records.filter(beginsTurn).length;

/** The records of the turn that is under way: from the choice of its task on. */
export function currentTurn(records: readonly TimedRunRecord[]): readonly TimedRunRecord[] {
  const at = records.findLastIndex(beginsTurn);
  return at === -1 ? [] : records.slice(at);
}

/**
 * The coordinator's state after the recorded answers of a turn. The last look at the plan is taken anew: what it saw may
 * have changed since.
 *
 * @throws {InputError} `journal-diverged`
 */
export function replayTurn(
  input: { readonly policy: PolicyInput; readonly turn: number },
  records: readonly TimedRunRecord[],
): StepState {
  const { walk, diverged } = walkTurn(
    input,
    records.filter((record) => record.type !== "answered" || record.effect !== "confirmCompletion"),
  );
  if (diverged === null) return walk.state;
  throw new InputError(
    `Cannot go on with the run, expected its records to fit: nothing waits for \`${diverged.key}\``,
    {
      code: "journal-diverged",
      ways: versionsApart,
    },
  );
}
