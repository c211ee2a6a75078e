import type { Answer, EffectInput } from "../../model/effect.ts";
import type { Hindered } from "../../ports/forge.ts";
import { sleepUntil } from "../wait.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge, nextLook } from "./look-and-judge.ts";
import { type ShippingPorts, shipping } from "./shipping-ports.ts";

/**
 * Pause between the first looks while waiting for a merge, in milliseconds: forges compute mergeability within seconds.
 */
const soon = 10_000;
const mostSoon = 6;

/**
 * Look at the pull request repeatedly until there is something to do, or until a given time. A look with the same
 * result as the previous one is neither reported nor recorded. A resumed wait looks at once.
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
    if (ports.clock.now() >= until) return { kind: "done" };
    await sleepUntil(ports, Math.min(nextLook(ports, pause), until), signal);
    const judged = await lookAndJudge(ports, input, signal);
    const isSame = "judgement" in judged && judged.judgement.kind === "pending" && judged.judgement.reason === reason;
    if (!isSame) return { kind: "done" };
  }
}

/** Sleep until an unavailable service answers again. An outage of hours is one wait, with no records in between. */
export async function awaitTime(
  whole: WholePorts,
  input: EffectInput<"awaitTime">,
  signal: AbortSignal,
): Promise<Answer<"awaitTime">> {
  const ports = shipping(whole);
  const { policy, limit } = input;
  for (let { until } = input; ; ) {
    await sleepUntil(ports, limit === null ? until : Math.min(until, limit), signal);
    const now = ports.clock.now();
    if (limit !== null && now >= limit) return { kind: "done" };
    const still = await stillHindered(ports, input, signal);
    if (still === null) return { kind: "done" };
    until = Math.max(still.until, now + policy.interval);
  }
}

/** Probe the service that was unavailable; null if it answers. */
async function stillHindered(
  ports: ShippingPorts,
  input: EffectInput<"awaitTime">,
  signal: AbortSignal,
): Promise<Hindered | null> {
  const answer = await askAgain(ports, input, signal);
  return isHindered(answer) ? answer : null;
}

async function askAgain(
  { forge, branch }: ShippingPorts,
  { at, number, policy }: EffectInput<"awaitTime">,
  signal: AbortSignal,
): Promise<Hindered | { readonly kind: string }> {
  if (at === "forge" && number !== null) return forge.look(number, signal);
  const name = policy.branch ?? (await branch.local()).branch;
  // Without a branch there is nothing to probe; the next step reports the missing branch.
  if (name === null) return { kind: "none" };
  if (at === "forge") return forge.find(name, policy.base, signal);
  return branch.remote({ remote: policy.remote, branch: name, base: policy.base }, signal);
}

const isHindered = (answer: { readonly kind: string }): answer is Hindered => answer.kind === "hindered";
