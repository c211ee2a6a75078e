import type { Effect, EffectInput } from "../model/effect.ts";
import type { Ledger } from "../model/ledger.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { attemptOf } from "../model/reply.ts";
import { roles, worksOnTasks } from "../model/role.ts";
import { checkBudget } from "../recover/check-budget.ts";
import type { Decision } from "./replayed.ts";

type Delegated = Extract<TimedRunRecord, { type: "delegated" }>;

/** The effect that a delegation is made for. */
export function makes({ key, role }: Delegated): (effect: Effect) => boolean {
  const keyOf = worksOnTasks(role) ? attemptOf : (own: string) => own;
  return (effect) => effect.name === roles[role].askedBy && keyOf(effect.key) === key;
}

/** Who is asked which time at which level, and that no limit of the run forbids it. */
export function delegationDecisions(effect: Effect, made: Delegated, ledger: Ledger): Decision[] {
  const { task, attempt, retries, level = null, elapsedMs } = made;
  const { limits } = effect.input as EffectInput<"delegate">;
  const asked = { what: "who is asked", expected: factsOf(effect), recorded: { task, attempt, retries, level } };
  const denial = checkBudget({ ...ledger, elapsedMs }, limits);
  return [asked, { what: "the limit of the run", expected: denial?.limit ?? null, recorded: null }];
}

function factsOf(effect: Effect) {
  const { task } = effect.input as EffectInput<"delegate">;
  if (effect.name === "delegate") {
    const { attempt, retries, climb } = effect.input;
    return { task, attempt, retries, level: climb?.level ?? null };
  }
  return { task, attempt: (effect.input as EffectInput<"review">).round, retries: 0, level: null };
}
