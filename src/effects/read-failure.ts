import type { Answer, EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import { digestFailure } from "../recover/digest-failure.ts";
import { failureOf } from "./failure-of.ts";
import type { WholePorts } from "./with-memory.ts";

/** Read what an attempt failed with, from the recorded end of its output or of its Verify. */
export async function readFailure(
  { attempts }: WholePorts,
  { key, task }: EffectInput<"readFailure">,
): Promise<Answer<"readFailure">> {
  return digestFailure(failureOf(task, await attempts.recall(attemptOf(key))));
}
