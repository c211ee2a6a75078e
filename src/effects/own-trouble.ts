import type { AttemptKey, DeniedAct, Reply } from "../model/reply.ts";
import { attemptKey, isServiceKind, taskOf } from "../model/reply.ts";
import { fingerprint } from "../model/text.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { classifyFailure, type FailureClass, lastLine } from "../recover/classify-failure.ts";
import { saysStopped } from "../recover/says-stopped.ts";
import { leastPauseMs } from "./blocked-until.ts";
import type { WholePorts } from "./with-memory.ts";

type Made = Pick<AttemptRecord, "reply" | "judgement">;

/**
 * What kept the executor itself from working, whatever the task; null when it worked. An executor that ends at once, has
 * said nothing and changed no file is started once more; when that ends in the same words, a person is asked.
 *
 * @param now Milliseconds since 1970.
 */
export async function ownTrouble(
  ports: Pick<WholePorts, "attempts">,
  key: AttemptKey,
  { reply, judgement }: Made,
  now: number,
): Promise<FailureClass | null> {
  const told = classifyFailure({ reply, failure: { kind: "task" } }, now);
  if (isServiceKind(told.kind)) return told;
  const changed = judgement?.evidence.git?.changed ?? [];
  if (reply.atOnce !== true || changed.length > 0) return null;
  const before = await recallBefore(ports, key, 1);
  const words = wordsOf(reply);
  const message = `${lastLine(words) ?? "it says nothing"} (exit ${reply.exitCode ?? 0}, at once)`;
  if (before?.atOnce !== true) return { kind: "startup", until: now + leastPauseMs, message };
  return fingerprint(wordsOf(before)) === fingerprint(words) ? { kind: "startup", until: null, message } : null;
}

const wordsOf = ({ stderr = "" }: Reply): string => stderr.trim();

/**
 * The act that a tool did not allow, which ends a run: the agent says that it could not go on without it, or it is not
 * the first attempt on its planned task and the fixes of it to be denied something. Null when none is, or a person was
 * asked about it.
 */
export function withheldAct(
  { attempts }: Pick<WholePorts, "attempts">,
  key: AttemptKey,
  { denials = [], text }: Reply,
): DeniedAct | null {
  const act = attempts.newDenial(taskOf(key), denials);
  return act !== null && (saysStopped(text) || attempts.deniedBefore(key)) ? act : null;
}

/** The reply of an earlier attempt of the same task; null when there is none, or this turn does not know it. */
async function recallBefore({ attempts }: Pick<WholePorts, "attempts">, key: AttemptKey, back: number) {
  const earlier = attemptKey(taskOf(key), Number(key.slice(key.lastIndexOf("#") + 1)) - back);
  return attempts.knows(earlier) ? (await attempts.recall(earlier)).reply : null;
}
