import type { Answer, EffectInput } from "../../model/effect.ts";
import { sleepUntil } from "../wait.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge } from "./look-and-judge.ts";
import { shipping } from "./outside.ts";

/** Forges find out in seconds whether something can be merged; so often that is looked at before it takes its time. */
const soon = 10_000;
const mostSoon = 6;

/**
 * Look again and again until there is something else to do, or until the time at which there is in any case. A look that
 * says what the one before has said is told and recorded nowhere. A start that goes on with it looks at once.
 */
export async function awaitChange(
  whole: WholePorts,
  input: EffectInput<"awaitChange">,
  signal: AbortSignal,
): Promise<Answer<"awaitChange">> {
  const ports = shipping(whole);
  const { policy, reason, until } = input;
  for (let looks = 0; ; looks++) {
    const pause = reason === "merge" && looks < mostSoon ? soon : policy.interval;
    const now = ports.clock.now();
    if (now >= until) return { kind: "done" };
    await sleepUntil(ports, Math.min(now + pause, until), signal);
    const judged = await lookAndJudge(ports, input, signal);
    const isSame = "judgement" in judged && judged.judgement.kind === "pending" && judged.judgement.reason === reason;
    if (!isSame) return { kind: "done" };
  }
}

/** Sleep until the outside can be asked again. */
export async function awaitTime(
  ports: WholePorts,
  { until }: EffectInput<"awaitTime">,
  signal: AbortSignal,
): Promise<Answer<"awaitTime">> {
  await sleepUntil(ports, until, signal);
  return { kind: "done" };
}
