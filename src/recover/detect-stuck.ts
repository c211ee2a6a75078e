import type { Escalation, StuckReason } from "../model/escalation.ts";
import type { Policy } from "../model/policy.ts";

/**
 * Whether a planned task is stuck after a failed attempt, and why: the first reason that holds, else null. Waiting is
 * never stuck, progress is never, and a commit is a new state of the files.
 *
 * @see docs/ladder.md
 */
export function detectStuck(
  escalation: Escalation,
  policy: Pick<Policy, "stuckAfterSameErrors" | "stuckAfterUnchanged">,
): StuckReason | null {
  const { admission, sameErrors, sinceBest, best, change, unchanged, fileStates } = escalation;
  const isSame = sameErrors >= policy.stuckAfterSameErrors;
  // Where it is known how much fails, that tells whether anything helps: errors that differ may all be as bad.
  if (Object.keys(best).length > 0) {
    if (sinceBest >= policy.stuckAfterSameErrors)
      return admission !== null ? "admission" : isSame ? "same-error" : "no-progress";
    if (sinceBest === 0 || change === "progress") return null;
  } else if (admission === null && isSame) return "same-error";
  if (admission !== null) return "admission";
  if (unchanged >= policy.stuckAfterUnchanged) return "no-change";
  if (comesBack(fileStates)) return "state-again";
  return repeatsStrategy(escalation) ? "strategy-again" : null;
}

/** Whether the last approach is one that was tried before, as its executor names it. */
export function repeatsStrategy({ approaches, sinceCalm }: Pick<Escalation, "approaches" | "sinceCalm">): boolean {
  const named = approaches.map(({ strategy }) => nameOf(strategy ?? "")).map((name) => (unnamed.has(name) ? "" : name));
  named.reverse();
  const [last = "", ...earlier] = named.slice(0, sinceCalm);
  return last !== "" && earlier.includes(last);
}

/** A, B, A: the last state is one from before, and another was in between. */
function comesBack(states: readonly string[]): boolean {
  const last = states.at(-1) ?? "";
  const between = states.findLastIndex((state) => state !== last);
  return states.slice(0, Math.max(between, 0)).includes(last);
}

/** What stands where nothing was tried. */
const unnamed: ReadonlySet<string> = new Set(["none", "n a", "na", "nothing", "no", "unknown", "no fix attempted"]);

/** A strategy without what may differ between two sights of it. */
const nameOf = (strategy: string): string =>
  strategy
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
