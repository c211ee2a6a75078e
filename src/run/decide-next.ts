import type { Decided, DecisionState, StuckCounts } from "../model/decision.ts";
import type { Answer, EffectName } from "../model/effect.ts";
import { partsOf } from "../model/ledger.ts";
import { totalCap, totalSpent } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { at, type RunState } from "../model/run-state.ts";
import { escalates, hasLevels } from "../model/rung.ts";
import { partId, partNumber, type TaskId, wholeOf } from "../model/task.ts";
import { deliberate } from "../recover/decide.ts";
import { mostSameErrors } from "../recover/rules.ts";
import { decisionState, isTotalReached, mayBegin, type Place } from "./decision-state.ts";

/** Decide the next step for a task from the state alone: the same state gives the same decision. */
export function decideNext(state: RunState, policy: Policy, place: Place): Decided {
  const standing = decisionState(state, policy, place);
  const counts = countsOf(standing);
  const { level } = standing.escalation;
  const isUntried =
    Object.hasOwn(state.turn.setbacks, place.current) && at(state.turn.setbacks, place.current) === null;
  const isNew = isUntried || !Object.hasOwn(state.turn.setbacks, place.current);
  if (isNew && mayBegin(standing, isUntried)) return { kind: "begin", stuck: null, level, considered: [], counts };
  const { decision, stuck, considered } = deliberate(standing);
  const denial = decision.kind === "exhausted" ? { denial: decision.denial } : {};
  return {
    kind: decision.kind === "gate" ? "ask" : decision.kind,
    ...denial,
    stuck,
    level,
    considered: [...considered],
    counts,
  };
}

export const isAnsweredByState = (name: EffectName): name is "decide" | "nextPart" =>
  name === "decide" || name === "nextPart";

export const answerOfState = (
  state: RunState,
  policy: Policy,
  name: "decide" | "nextPart",
  place: Place,
): Answer<"decide" | "nextPart"> => (name === "decide" ? decideNext : nextPart)(state, policy, place);

export function nextPart(state: RunState, policy: Policy, { root, current }: Place): Answer<"nextPart"> {
  const whole = wholeOf(current) as TaskId;
  const next = partNumber(current) + 1;
  if (next <= partsOf(state.tasks, whole).length) return { kind: "part", task: partId(whole, next) };
  const isSpent = isTotalReached(decisionState(state, policy, { root, current }));
  return { kind: isSpent ? "spent" : "whole", task: whole };
}

function countsOf({ escalation, policy }: DecisionState): StuckCounts {
  const { sameErrors, unchanged, sinceBest, best, failures, admission } = escalation;
  // The counts have no maximum if the policy has no rung for stuck tasks.
  const most = (max: number): number | null => (escalates(policy) ? max : null);
  return {
    sinceBest: Object.keys(best).length === 0 ? null : { count: sinceBest, max: most(mostSameErrors(policy)) },
    sameErrors: { count: sameErrors, max: most(mostSameErrors(policy)) },
    unchanged: { count: unchanged, max: most(policy.stuckAfterUnchanged) },
    failures: { count: failures, max: hasLevels(policy) ? null : totalCap(policy) },
    total: { count: totalSpent(policy, escalation), max: totalCap(policy) },
    admission,
  };
}
