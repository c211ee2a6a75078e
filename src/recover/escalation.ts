import { type Approach, type Escalation, type Level, noEscalation, type StuckReason } from "../model/escalation.ts";
import type { Progress } from "../model/event.ts";
import type { FailureDigest, FailureEvidence, FailureLeft } from "../model/failure.ts";
import { compareSets, type FailedCheck, type FailureSet, nameOfCheck } from "../model/failure-set.ts";
import type { Policy } from "../model/policy.ts";
import { mostSameErrors } from "./rules.ts";

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
  const approach: Approach = {
    level,
    task,
    strategy: signs.strategy,
    error,
    ...(isLater(before, level) && { later: true }),
  };
  const state = signs.fileState;
  return {
    ...after,
    unchanged: signs.changed === false ? before.unchanged + 1 : 0,
    fileStates: state === null ? before.fileStates : [...before.fileStates, state].slice(-keptStates),
    approaches: keepFirst([...before.approaches, approach]),
    sinceCalm: before.sinceCalm + 1,
    findings: [...new Set([...before.findings, ...signs.findings])].slice(-keptEntries),
    admission: signs.admission,
  };
}

/** Whether another level or a new beginning lies between the first approach and the next one, at this level. */
function isLater({ approaches, sinceCalm }: Escalation, level: Level): boolean {
  const last = approaches.at(-1);
  if (last === undefined || isClimbed(level)) return false;
  return last.later === true || isClimbed(last.level) || sinceCalm === 0;
}

const isClimbed = (level: Level): boolean => level !== "normal" && level !== "checkpoint";

/** The first of a list, and the last of it. */
const keepFirst = <Entry>(entries: readonly Entry[]): Entry[] => [
  ...entries.slice(0, 1),
  ...entries.slice(1).slice(1 - keptEntries),
];

/**
 * After a claim was accepted: what still fails where it was a fix for something else, else nothing.
 *
 * @param left Null when nothing is known to fail any more.
 */
export const afterAcceptance = (before: Escalation, left: FailureLeft | null): Escalation =>
  left === null
    ? { ...before, failing: null, change: null, before: null, lost: [], gained: [], evidence: null }
    : { ...before, ...afterSet(before, left.failing, left.evidence), evidence: left.evidence };

/**
 * After Verify ran before the first attempt: progress is measured from there. Nothing changes once a set is known.
 *
 * @param failing Null when it passed, or no tool names or counts what failed.
 */
export const afterRunBefore = (before: Escalation, failing: FailureSet | null): Escalation =>
  failing === null || before.failing !== null || Object.keys(before.best).length > 0
    ? before
    : { ...before, failing, best: { [failing.stage]: failing.count } };

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
  const climbed = isClimbed(before.level);
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
  races: before.races + (level === "race" ? 1 : 0),
});

/** When an attempt at a level has spent nothing: there may be another in its place. */
export const afterRefund = (before: Escalation, level: Level): Escalation => ({
  ...before,
  pivots: before.pivots - (level === "pivot" ? 1 : 0),
  researches: before.researches - (level === "research" ? 1 : 0),
  races: before.races - (level === "race" ? 1 : 0),
});

/** After a success: back to normal. What was spent stays spent until the planned task is done. */
export const afterPass = (before: Escalation): Escalation => ({
  ...noEscalation,
  ...spentIn(before),
  ...(before.evidence !== null && leftIn(before)),
});

const spentIn = ({ pivots, researches, races, failures, approaches, findings }: Escalation) => ({
  ...{ pivots, researches, races, failures, approaches, findings },
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

/**
 * Whether a planned task is stuck after a failed attempt, and why: the first reason that holds, else null. Waiting is
 * never stuck, progress is never, and a commit is a new state of the files.
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
  // Where it is known how much fails, that tells whether anything helps: errors that differ may all be as bad.
  if (Object.keys(best).length > 0) {
    if (sinceBest >= most) return admission !== null ? "admission" : isSame ? "same-error" : "no-progress";
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
