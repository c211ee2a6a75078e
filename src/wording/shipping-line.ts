import type { Answer, EffectName } from "../model/effect.ts";
import { tellDuration } from "../recover/verify-error.ts";

/**
 * What the progress log says when a step for a pull request has ended so; null for what is not worth a line.
 *
 * @param head Full hash of the commit that it is about; null without one.
 */
export function shippingLine(answer: Answer<EffectName>, head: string | null): string | null {
  const { kind } = answer;
  if (kind === "opened") return answer.url;
  if (kind === "inserted") return "title" in answer ? `task ${answer.task}: ${answer.title}` : null;
  if (kind === "confirmed") return `ready at ${(head ?? "").slice(0, 10)}${tellRequesting(answer.requesting)}`;
  if (kind === "merged") return `merged${"requesting" in answer ? tellRequesting(answer.requesting) : ""}`;
  if (kind === "gate") return `waits for a person: ${answer.reason}`;
  if (kind !== "denied") return null;
  const { limit, max } = answer;
  return `stopped at ${limit}: ${limit === "maxTime" ? tellDuration(max) : max}`;
}

/** Who still requests changes, behind what was said before. */
export const tellRequesting = (requesting: readonly string[] = []): string =>
  requesting.length === 0 ? "" : `, changes still requested by ${requesting.join(", ")}`;
