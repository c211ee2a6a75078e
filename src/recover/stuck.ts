import type { Escalation, StuckReason } from "../model/escalation.ts";
import type { Policy } from "../model/policy.ts";
import { mostSameErrors } from "./rules.ts";

/**
 * Why a planned task is stuck after a failed attempt; null if it is not. The first matching reason counts. Waiting or
 * making progress never counts as stuck; a commit counts as a new file state.
 *
 * @see docs/ladder.md
 */
export function detectStuck(
  escalation: Escalation,
  policy: Pick<Policy, "stuckAfterSameErrors" | "stuckAfterUnchanged"> & Partial<Pick<Policy, "rules">>,
): StuckReason | null {
  const most = mostSameErrors(policy);
  const { admission, sameErrors, sinceBest, best, change, unchanged, fileStates } = escalation;
  const isSame = sameErrors >= most;
  // Prefer counts of failed checks: errors may differ although equally many checks fail.
  if (Object.keys(best).length > 0) {
    if (sinceBest >= most) return admission !== null ? "admission" : isSame ? "same-error" : "no-progress";
    if (sinceBest === 0 || change === "progress") return null;
  } else if (admission === null && isSame) return "same-error";
  if (admission !== null) return "admission";
  if (unchanged >= policy.stuckAfterUnchanged) return "no-change";
  if (comesBack(fileStates)) return "state-again";
  return repeatsStrategy(escalation) ? "strategy-again" : null;
}

/** The letters and digits of a text, as lower-case words. */
const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Names that executors give to an approach although they tried nothing, as plain words. */
const unnamed: ReadonlySet<string> = new Set(["none", "n a", "na", "nothing", "no", "unknown", "no fix attempted"]);

/** Whether the last approach, as named by the executor, was tried before. */
export function repeatsStrategy({ approaches, sinceCalm }: Pick<Escalation, "approaches" | "sinceCalm">): boolean {
  const named = approaches
    .map(({ strategy }) => plainWords(strategy ?? ""))
    .map((name) => (unnamed.has(name) ? "" : name));
  named.reverse();
  const [last = "", ...earlier] = named.slice(0, sinceCalm);
  return last !== "" && earlier.includes(last);
}

/** Whether the last state equals an earlier state, with a different state in between: A, B, A. */
function comesBack(states: readonly string[]): boolean {
  const last = states.at(-1) ?? "";
  const between = states.findLastIndex((state) => state !== last);
  return states.slice(0, Math.max(between, 0)).includes(last);
}
