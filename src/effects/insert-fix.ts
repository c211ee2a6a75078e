import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { nextFixNumber } from "../model/plan.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import { findTask } from "./find-task.ts";
import { specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Write a fix task for a failed attempt into the plan. The task is recorded first, so that a retry after a crash
 * finishes this insertion instead of adding a second task.
 */
export async function insertFix(ports: WholePorts, input: EffectInput<"insertFix">): Promise<Answer<"insertFix">> {
  const { plan, attempts, spec = "" } = ports;
  const denial = attempts.denial(input.limits);
  if (denial !== null) return { ...denial, task: input.task };
  const { failure, fixOf, supersedes, made, scope } = input;
  return plan.exclusively(async () => {
    const task = await findTask(ports, fixOf);
    const number = nextFixNumber((await plan.known()).plan, task.id, made);
    const fix = await attempts.intend(
      attemptOf(input.key),
      writeFixTask({
        task: await runnable(ports, task),
        failure,
        attempt: number,
        scope,
        supersedes,
        spec: specName(spec),
      }),
    );
    await plan.insert(fix);
    return { kind: "inserted", fix: fix.id };
  });
}

/** Remove a Verify that cannot run: prose cannot verify a fix. */
async function runnable({ shell }: WholePorts, task: Task): Promise<Task> {
  const verify = readVerify(task.fields.verify);
  if (verify.kind === "command" && (verify.word === null || (await shell.exists(verify.word)))) return task;
  const { verify: _, ...fields } = task.fields;
  return { ...task, fields };
}
