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
 * The problem that kept the executor from working on any task; null if it worked. An executor that ends at once without
 * a message or a file change is restarted once; if it ends with the same words, a person is asked.
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
 * The denied act to ask a person about: the agent says that it was stopped, or an earlier attempt in the tree had a
 * denial as well. Null if there is none, or a person was asked about each denied act already.
 */
export function withheldAct(
  { attempts }: Pick<WholePorts, "attempts">,
  key: AttemptKey,
  { denials = [], text }: Reply,
): DeniedAct | null {
  const act = attempts.newDenial(taskOf(key), denials);
  return act !== null && (saysStopped(text) || attempts.deniedBefore(key)) ? act : null;
}

/** The reply of an earlier attempt at the task; null if there is none in this turn. */
async function recallBefore({ attempts }: Pick<WholePorts, "attempts">, key: AttemptKey, back: number) {
  const earlier = attemptKey(taskOf(key), Number(key.slice(key.lastIndexOf("#") + 1)) - back);
  return attempts.knows(earlier) ? (await attempts.recall(earlier)).reply : null;
}
