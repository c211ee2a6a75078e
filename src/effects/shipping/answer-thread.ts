import type { Answer, EffectInput } from "../../model/effect.ts";
import { type AddedTask, answerMarker, type Look, type Thread } from "../../model/pull-request.ts";
import { isTrustedThread } from "../../recover/open-threads.ts";
import { answerText } from "../../wording/render-pull-request.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, shipping } from "./shipping-ports.ts";

/**
 * Reply to a thread once, saying what was done; resolve the thread if the policy says so and no one has written after
 * `comment`.
 */
export async function answerThread(
  ports: WholePorts,
  { key, number, thread, comment, task, book, policy }: EffectInput<"answerThread">,
  signal: AbortSignal,
): Promise<Answer<"answerThread">> {
  const { forge, attempts } = shipping(ports);
  const { result } = book.tasks[task] as AddedTask;
  const marker = answerMarker(task, comment);
  const text = answerText(task, result as NonNullable<typeof result>, marker);
  attempts.record([{ type: "shipping", key, act: "answer", target: thread }]);
  const outcome = await forge.answer({ number, thread, text, marker }, signal);
  if (outcome.kind !== "done") return asAnswer(outcome);
  if (policy.resolveThreads !== "off") {
    const seen = await forge.look(number, signal);
    if (seen.kind !== "look") return asAnswer(seen);
    const found = seen.look.threads.find(({ id }) => id === thread);
    const isWanted = policy.resolveThreads === "all" || isTrustedThread(found, policy.trustedReviewers);
    if (found !== undefined && !found.resolved && isWanted && !isSpokenOn(found, comment, seen.look)) {
      const resolved = await forge.resolve(thread, signal);
      if (resolved.kind === "hindered") return resolved;
    }
  }
  return { kind: "answered", thread, comment };
}

/** Whether someone else wrote after a comment, and still waits for an answer. */
const isSpokenOn = ({ comments }: Thread, comment: string, { viewer }: Look): boolean =>
  comments.slice(comments.findIndex(({ id }) => id === comment) + 1).some(({ author }) => author !== viewer);
