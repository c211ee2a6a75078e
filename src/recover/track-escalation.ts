import { type Approach, type Escalation, type Level, noEscalation } from "../model/escalation.ts";
import type { FailedCheck } from "../model/failed-check.ts";
import type { FailureDigest, FailureEvidence, FailureLeft } from "../model/failure.ts";
import { compareSets, type FailureSet, nameOfCheck } from "../model/failure-set.ts";

/** Entries that each list keeps, and file states, of which more are compared. */
const keptEntries = 10;
const keptStates = 20;
/** Names of checks that are told, and stages whose minimum is kept. */
const keptNames = 20;
const keptStages = 20;

/**
 * After an attempt on a task of the tree that was not accepted.
 *
 * @param failure What it failed with; null when its claim was not in order.
 * @param level What it was made at, where the ladder was changed and does not have the level that was reached.
 */
export function afterFailure(
  before: Escalation,
  task: string,
  failure: FailureDigest | null,
  level: Level = before.level,
): Escalation {
  const failures = before.failures + 1;
  if (failure === null) return { ...before, failures, admission: null };
  const { error, fingerprint, signs, evidence = null } = failure;
  const same = before.lastFingerprint === fingerprint;
  const after = {
    ...before,
    ...afterSet(before, failure.failing, evidence),
    failures,
    sameErrors: same ? before.sameErrors + 1 : 1,
    lastFingerprint: fingerprint,
    lastError: error,
    evidence,
  };
  if (signs === undefined) return { ...after, admission: null };
  const approach: Approach = { level, task, strategy: signs.strategy, error };
  const state = signs.fileState;
  return {
    ...after,
    unchanged: signs.changed === false ? before.unchanged + 1 : 0,
    fileStates: state === null ? before.fileStates : [...before.fileStates, state].slice(-keptStates),
    approaches: [...before.approaches, approach].slice(-keptEntries),
    sinceCalm: before.sinceCalm + 1,
    findings: [...new Set([...before.findings, ...signs.findings])].slice(-keptEntries),
    admission: signs.admission,
  };
}

/**
 * After a claim was accepted: what still fails where it was a fix for something else, else nothing.
 *
 * @param left Null when nothing is known to fail any more.
 */
export const afterAcceptance = (before: Escalation, left: FailureLeft | null): Escalation =>
  left === null
    ? { ...before, failing: null, change: null, before: null, lost: [], gained: [], evidence: null }
    : { ...before, ...afterSet(before, left.failing, left.evidence), evidence: left.evidence };

/** Whether fewer checks of a stage failed last than ever before: the limits on one task count from there. */
export const isNewMinimum = ({ change, sinceBest }: Escalation): boolean => change !== null && sinceBest === 0;

/**
 * What the set of failed checks says of getting on. A stage that is seen for the first time has no minimum yet, so that
 * only a set that shrank reaches one there: tests that run at last, once the code compiles, are no step back or ahead.
 */
function afterSet(
  before: Escalation,
  failing: FailureSet | undefined,
  evidence: FailureEvidence | null,
): Partial<Escalation> {
  const sinceBest = before.sinceBest + 1;
  // An attempt that did not come to its Verify says nothing about the set.
  if (failing === undefined) return { change: null, before: null, lost: [], gained: [], sinceBest };
  const change = before.failing === null ? "first" : compareSets(before.failing, failing);
  const least = Object.hasOwn(before.best, failing.stage) ? (before.best[failing.stage] as number) : null;
  const isBest = least === null ? change === "progress" : failing.count < least;
  const mayKeep = least !== null || Object.keys(before.best).length < keptStages;
  // What led here from a level was a different approach that works.
  const climbed = before.level === "pivot" || before.level === "research";
  return {
    failing,
    change,
    before: before.failing?.count ?? null,
    // What is known of the attempt before this one belongs to the set only if it brought it.
    lost: before.change === null ? [] : namesIn(before.evidence?.command?.failures, failing),
    gained: before.failing === null ? [] : namesIn(evidence?.command?.failures, before.failing),
    best: mayKeep ? { ...before.best, [failing.stage]: Math.min(least ?? failing.count, failing.count) } : before.best,
    sinceBest: isBest && mayKeep ? 0 : sinceBest,
    ...(isBest && mayKeep && climbed && { level: "normal" as const }),
  };
}

/** Checks, by their ids, that a set does not have; none where its names are not known. */
function namesIn(checks: readonly FailedCheck[] = [], { ids }: FailureSet): string[] {
  if (ids === null) return [];
  const known = new Set(ids);
  return checks
    .filter((check) => !known.has(nameOfCheck(check)))
    .slice(0, keptNames)
    .map(({ id }) => id);
}

/** When another attempt begins at a level, or a checkpoint is reached. */
export const afterClimb = (before: Escalation, level: Exclude<Level, "normal">): Escalation => ({
  ...before,
  level,
  pivots: before.pivots + (level === "pivot" ? 1 : 0),
  researches: before.researches + (level === "research" ? 1 : 0),
});

/** When an attempt at a level has spent nothing: there may be another in its place. */
export const afterRefund = (before: Escalation, level: Level): Escalation => ({
  ...before,
  pivots: before.pivots - (level === "pivot" ? 1 : 0),
  researches: before.researches - (level === "research" ? 1 : 0),
});

/** After a success: back to normal. What was spent stays spent until the planned task is done. */
export const afterPass = (before: Escalation): Escalation => ({
  ...noEscalation,
  ...spentIn(before),
  ...(before.evidence !== null && leftIn(before)),
});

const spentIn = ({ pivots, researches, failures, approaches, findings }: Escalation) => ({
  ...{ pivots, researches, failures, approaches, findings },
});

/** What still fails, so that the next failure is held against it. */
const leftIn = ({ failing, change, before, lost, gained, best, evidence }: Escalation) => ({
  ...{ failing, change, before, lost, gained, best, evidence },
});

/**
 * After a fix or a part of a planned task was accepted, which is progress. At a level it is the way back to normal;
 * below it, an error that comes again all the same is still the same error.
 */
export const afterProgress = (before: Escalation): Escalation =>
  before.level === "normal" ? { ...before, unchanged: 0, fileStates: [], admission: null } : afterPass(before);

/**
 * When a person leaves something out and the rest of its tree goes on: below the checkpoint from the normal level, for
 * nothing has granted it an attempt at another.
 */
export const afterSkip = (before: Escalation): Escalation => ({
  ...before,
  asked: false,
  level: before.level === "checkpoint" ? before.level : "normal",
});

/** When a person resets a planned task: only what was learned is kept. */
export const afterReset = ({ approaches, findings }: Escalation): Escalation => ({
  ...noEscalation,
  approaches,
  findings,
});
