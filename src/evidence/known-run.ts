import { type Before, type KnownRun, type RedCheck, redCheck } from "../model/check-run.ts";
import { type OutputDigest, setOfRun } from "../model/failure-set.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

/** Red checks that are remembered of one run. */
const mostReds = 200;

/** What is remembered of a run of a command that checks something. */
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

/** Whether a run has passed and its tool does not say that there was no check. */
export const hasShown = ({ passed, counts }: Pick<KnownRun, "passed" | "counts">): boolean =>
  passed && counts?.ran !== 0;

/** What a run before the work says: without a check it is red. */
export const beforeOf = (command: string, known: KnownRun): Before => ({
  command,
  red: !hasShown(known),
  ...{ failing: known.failing, reds: [...known.reds], counts: known.counts },
});

/** A command that cannot be run yet. */
export const notThere = (command: string): Before => ({
  ...{ command, red: true, failing: null, reds: [], counts: null },
});

/** That nothing is known of a command before the work. */
export const unknownBefore = (command: string, why: string): Before => ({
  ...{ command, red: null, why, failing: null, reds: [], counts: null },
});
