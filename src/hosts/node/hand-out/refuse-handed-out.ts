import { isHandOut } from "../../../effects/executor-chain.ts";
import { InputError } from "../../../model/errors.ts";
import { isPerson } from "../../../model/person-event.ts";
import type { Policy } from "../../../model/policy.ts";
import type { RunOptions } from "../run-options.ts";
import type { FoundStart } from "../start/find-start.ts";

/**
 * Refuse to give handed-out work to an executor. A caller without a terminal may be the agent that does the work: it
 * may not change limits or checks, nor take work back.
 *
 * @throws {InputError} `work-handed-out`, `person-needed`
 */
export function refuseHandedOut(
  { spec: { name }, by, origin: { state, before, policy } }: Pick<FoundStart, "spec" | "by" | "origin">,
  { executors: { executor }, takeOver = false }: Pick<RunOptions, "executors" | "takeOver">,
): void {
  if (state?.outside !== true) return;
  const changed = before === null ? [] : settingsApart(before, policy);
  if (!isPerson(by) && (takeOver || changed.length > 0)) {
    const what = takeOver ? "take back the work of" : `change ${changed.join(", ")} of`;
    throw new InputError(`Cannot ${what} \`${name}\` without a terminal, expected a person: its tasks are handed out`, {
      code: "person-needed",
      hint: "Do it in another terminal, or leave the option out",
    });
  }
  const [open] = Object.entries(state.turn.handedOut);
  if (open === undefined || takeOver || (typeof executor === "function" && isHandOut(executor))) return;
  const [key, { since }] = open;
  const when = new Date(since).toISOString();
  throw new InputError(`Cannot run \`${name}\`, ${key} was handed out at ${when} and is not reported yet`, {
    code: "work-handed-out",
    ways: [
      { say: "Wait for its report with `fixpoint report`" },
      { say: "Or take it back, if no one works on it any more", words: ["--take-over"] },
    ],
  });
}

/** Names of settings that differ between two policies. */
const settingsApart = (before: Policy, now: Policy): string[] =>
  (Object.keys(now) as (keyof Policy)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
