import type { Escalation } from "../model/escalation.ts";
import type { Progress } from "../model/event.ts";

/** How much fails after the last attempt, and how that came out of the one before; null where that is not known. */
export function progressOf({ failing, change, lost, gained, best, before }: Escalation): Progress {
  if (failing === null || change === null) return null;
  return {
    failing: failing.count,
    of: failing.ran,
    was: before,
    change,
    lost: [...lost],
    gained: [...gained],
    best: best[failing.stage] ?? failing.count,
  };
}
