import { type Before, type KnownRun, type RedCheck, redCheck } from "../model/check-run.ts";
import { type OutputDigest, setOfRun } from "../model/failure-set.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

/** Maximum number of remembered red checks per run. */
const mostReds = 200;

/** Reduce the run of a check command to the facts that later comparisons need. */
export function knownRun({ name, result, digest, tree = null, counts }: VerifyRun): KnownRun {
  return {
    name,
    passed: digest === null,
    tree,
    failing: setOfRun({ ...result, digest }),
    reds: digest === null ? [] : redsIn(digest),
    counts: counts ?? null,
    durationMs: result.durationMs,
  };
}

function redsIn({ source, failures }: OutputDigest): RedCheck[] {
  if (source !== "tools") return [];
  return failures.slice(0, mostReds).map(redCheck);
}

/** Number of failed checks in a run; null if its tool does not report it. */
export function failingIn(run: VerifyRun): number | null {
  const { passed, failing } = knownRun(run);
  return passed ? 0 : (failing?.count ?? null);
}

/** Whether a run passed and its tool did not report zero checks. */
export const hasShown = ({ passed, counts }: Pick<KnownRun, "passed" | "counts">): boolean =>
  passed && counts?.ran !== 0;

/** The result of a run before the work; a run without any check counts as red. */
export const beforeOf = (command: string, known: KnownRun): Before => ({
  command,
  red: !hasShown(known),
  ...{ failing: known.failing, reds: [...known.reds], counts: known.counts },
});

/** The result before the work of a command that cannot run yet. */
export const notThere = (command: string): Before => ({
  ...{ command, red: true, failing: null, reds: [], counts: null },
});

/** An unknown result before the work. */
export const unknownBefore = (command: string, why: string): Before => ({
  ...{ command, red: null, why, failing: null, reds: [], counts: null },
});
