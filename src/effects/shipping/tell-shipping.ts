import type { Answer, EffectName } from "../../model/effect.ts";
import { shippingLine } from "../../wording/render-pull-request.ts";
import type { WholePorts } from "../with-memory.ts";

/**
 * Log an answer about the pull request in the progress log; does nothing if the line exists, or there is nothing to
 * log.
 */
export async function tellShipping(
  { documents, attempts, plan }: WholePorts,
  { head }: { readonly head?: string | null },
  answer: Answer<EffectName>,
): Promise<void> {
  const text = shippingLine(answer, head ?? null);
  if (text === null) return;
  const number = answer.kind === "opened" ? answer.number : attempts.pullRequest().number;
  await plan.exclusively(() => documents.append({ kind: "pull-request", number, text }));
}
