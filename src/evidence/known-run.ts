import type { Before, KnownRun, RedCheck } from "../model/check-run.ts";
import { nameOfCheck, type OutputDigest, setOfRun } from "../model/failure-set.ts";
import { clamp } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

/** Code points of what its tool calls a check. */
const longestId = 200;

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
  return failures.slice(0, mostReds).map((check) => ({
    ...{ name: nameOfCheck(check), id: clamp(check.id, longestId) },
    file: check.file,
  }));
}

/** What a run before the work says. */
export const beforeOf = (command: string, { passed, failing, reds, counts }: KnownRun): Before => ({
  command,
  red: !passed,
  ...{ failing, reds: [...reds], counts },
});

/** A command that cannot be run yet. */
export const notThere = (command: string): Before => ({
  ...{ command, red: true, failing: null, reds: [], counts: null },
});

/** That nothing is known of a command before the work. */
export const unknownBefore = (command: string, why: string): Before => ({
  ...{ command, red: null, why, failing: null, reds: [], counts: null },
});
