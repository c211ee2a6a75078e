import type { Answer, EffectInput } from "../model/effect.ts";
import { nextFixNumber } from "../model/plan.ts";
import { attemptOf } from "../model/reply.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import { failureOf } from "./failure-of.ts";
import { findTask } from "./find-task.ts";
import { specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Write a fix task for a failed attempt into the plan. It is recorded first, so that a repetition after a crash
 * finishes that very insertion instead of making a second one.
 */
export async function insertFix(ports: WholePorts, input: EffectInput<"insertFix">): Promise<Answer<"insertFix">> {
  const { plan, attempts, clock, spec = "" } = ports;
  const denial = attempts.denial(input.limits);
  if (denial !== null) return { ...denial, task: input.task };
  const attempt = attemptOf(input.key);
  const failure = failureOf(input.task, await attempts.recall(attempt), clock.now());
  return plan.exclusively(async () => {
    const task = await findTask(ports, input.task);
    const number = nextFixNumber((await plan.known()).plan, task.id, input.made);
    const fix = await attempts.intend(
      attempt,
      writeFixTask({ task, failure, attempt: number, scope: input.scope, spec: specName(spec) }),
    );
    await plan.insert(fix);
    return { kind: "inserted", fix: fix.id };
  });
}
