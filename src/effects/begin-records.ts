import type { Answer, AnsweredEffect, Effect, EffectInput, EffectName } from "../model/effect.ts";
import { type FixTask, madeForOf } from "../model/failure.ts";
import type { RunRecord } from "../model/record.ts";
import { attemptOf } from "../model/reply.ts";
import { type AdvisoryRole, advisoryRoles, roles } from "../model/role.ts";
import { shorten } from "../model/text.ts";

/** Records that are due before an effect performed by another system: the delegation, or the intended fix task. */
export function beginRecords(effect: Effect, given: Answer<EffectName>): RunRecord[] {
  const { name, key, input, answer } = { ...effect, answer: given } as AnsweredEffect;
  if (answer.kind === "denied") return [];
  const begun = { type: "delegated", retries: 0, elapsedMs: 0 } as const;
  if (name === "delegate") {
    const { task, attempt, retries, climb, remedy } = input;
    const more = { ...(climb !== null && { level: climb.level }), ...(remedy !== null && { rung: remedy }) };
    return [{ ...begun, key: attemptOf(key), task, role: "executor", attempt, retries, ...more }];
  }
  if (name === "review" || name === "askOperator") {
    const role = advisoryRoles.find((each) => roles[each].askedBy === name) as AdvisoryRole;
    return [{ ...begun, key, task: input.task, role, attempt: input.round }];
  }
  if (name !== "insertFix" || answer.kind !== "inserted") return [];
  return [{ type: "intended", key: attemptOf(key), fix: fixIn(input, answer.fix) }];
}

function fixIn({ fixOf, failure, supersedes }: EffectInput<"insertFix">, id: string): FixTask {
  const { error, attemptedFix } = failure;
  const text = { summary: shorten(error, 50), error, attemptedFix, doneWhen: "", files: "", verify: null, commit: "" };
  return { id, fixOf, ...text, madeFor: madeForOf(failure), ...(supersedes !== null && { supersedes }) };
}
