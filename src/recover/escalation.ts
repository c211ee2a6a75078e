import { type Approach, type Escalation, type Level, noEscalation, type Tried } from "../model/escalation.ts";
import type { Progress } from "../model/event.ts";
import type { FailureDigest, FailureEvidence, FailureLeft } from "../model/failure.ts";
import { compareSets, type FailedCheck, type FailureSet, nameOfCheck } from "../model/failure-set.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

const keptEntries = 10;
const keptForComparison = 20;
const keptReason = 200;

/**
 * Update after a failed attempt on a task of the tree.
 *
 * @param level Level of the attempt. It differs from the level of the tree if a changed ladder lacks that level.
 */
export function afterFailure(
  { rejected: _, ...before }: Escalation,
  task: string,
  failure: FailureDigest,
  level: Level = before.level,
): Escalation {
  const failures = before.failures + 1;
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
  const later = isLater(before, level) && ({ later: true } as const);
  const approach: Approach = { level, task, strategy: signs.strategy, error, ...later };
  const state = signs.fileState;
  return {
    ...after,
    unchanged: signs.changed === false ? before.unchanged + 1 : 0,
    fileStates: state === null ? before.fileStates : [...before.fileStates, state].slice(-keptForComparison),
    approaches: keepFirst([...before.approaches, approach]),
    sinceCalm: before.sinceCalm + 1,
    findings: [...new Set([...before.findings, ...signs.findings])].slice(-keptEntries),
    admission: signs.admission,
  };
}

/** Update after an attempt whose claim was rejected. @param reason Null if unknown. */
export const afterRejection = ({ rejected: _, ...before }: Escalation, reason: string | null): Escalation => ({
  ...before,
  failures: before.failures + 1,
  admission: null,
  ...(reason !== null && { rejected: clamp(reason, keptReason) }),
});

/**
 * Update after a race attempt that was not chosen.
 *
 * @param tried Approach and error of that attempt, if it failed.
 */
export const afterLoss = (before: Escalation, task: TaskId, tried: Tried | undefined): Escalation => ({
  ...before,
  failures: before.failures + 1,
  ...(tried !== undefined && {
    approaches: keepFirst([...before.approaches, { level: "race", task, ...tried }]),
    sinceCalm: before.sinceCalm + 1,
  }),
});

/**
 * Whether an attempt at the normal level follows another level or a restart, so that its approach is not the original
 * approach.
 */
function isLater({ approaches, sinceCalm }: Escalation, level: Level): boolean {
  const last = approaches.at(-1);
  if (last === undefined || isClimbed(level)) return false;
  return last.later === true || isClimbed(last.level) || sinceCalm === 0;
}

const isClimbed = (level: Level): boolean => level !== "normal" && level !== "checkpoint";

const keepFirst = <Entry>(entries: readonly Entry[]): Entry[] => [
  ...entries.slice(0, 1),
  ...entries.slice(1).slice(1 - keptEntries),
];

/**
 * Update after an accepted claim.
 *
 * @param left Failures that remain after a fix; null if no known failure remains.
 */
export const afterAcceptance = (before: Escalation, left: FailureLeft | null): Escalation =>
  left === null
    ? { ...before, failing: null, change: null, before: null, lost: [], gained: [], evidence: null }
    : { ...before, ...afterSet(before, left.failing, left.evidence), evidence: left.evidence };

/**
 * Use the failures of a Verify run before the first attempt as the baseline for progress. Does nothing if a failure set
 * is already known.
 *
 * @param failing Null if the run passed, or no tool names or counts failures.
 */
export const afterRunBefore = (before: Escalation, failing: FailureSet | null): Escalation =>
  failing === null || before.failing !== null || Object.keys(before.best).length > 0
    ? before
    : { ...before, failing, best: { [failing.stage]: failing.count } };

/** Whether fewer checks of a stage failed than ever before. The limits of the task count anew after such an attempt. */
export const isNewMinimum = ({ change, sinceBest }: Escalation): boolean => change !== null && sinceBest === 0;

/**
 * Derive progress from a failure set. A count at a new stage is a new minimum only if the set shrank. Failures of tests
 * that could not run before the code compiled are neither progress nor a setback.
 */
function afterSet(
  before: Escalation,
  failing: FailureSet | undefined,
  evidence: FailureEvidence | null,
): Partial<Escalation> {
  const sinceBest = before.sinceBest + 1;
  // An attempt without a Verify run says nothing about the set.
  if (failing === undefined) return { change: null, before: null, lost: [], gained: [], sinceBest };
  const change = before.failing === null ? "first" : compareSets(before.failing, failing);
  const least = Object.hasOwn(before.best, failing.stage) ? (before.best[failing.stage] as number) : null;
  const isBest = least === null ? change === "progress" : failing.count < least;
  const mayKeep = least !== null || Object.keys(before.best).length < keptForComparison;
  // A new minimum at a level shows that the other approach works: return to normal.
  const climbed = isClimbed(before.level);
  return {
    failing,
    change,
    before: before.failing?.count ?? null,
    // The previous evidence belongs to the previous set only if one attempt produced both.
    lost: before.change === null ? [] : namesIn(before.evidence?.command?.failures, failing),
    gained: before.failing === null ? [] : namesIn(evidence?.command?.failures, before.failing),
    best: mayKeep ? { ...before.best, [failing.stage]: Math.min(least ?? failing.count, failing.count) } : before.best,
    sinceBest: isBest && mayKeep ? 0 : sinceBest,
    ...(isBest && mayKeep && climbed && { level: "normal" as const }),
  };
}

function namesIn(checks: readonly FailedCheck[] = [], { ids }: FailureSet): string[] {
  if (ids === null) return [];
  const known = new Set(ids);
  return checks
    .filter((check) => !known.has(nameOfCheck(check)))
    .slice(0, keptForComparison)
    .map(({ id }) => id);
}

export const afterClimb = (before: Escalation, level: Exclude<Level, "normal">): Escalation => ({
  ...spentAt(before, level, 1),
  level,
});

/** Update when an attempt at a level does not count as spent, so that another attempt may replace it. */
export const afterRefund = (before: Escalation, level: Level): Escalation => spentAt(before, level, -1);

const spentAt = (before: Escalation, level: Level, attempts: number): Escalation => ({
  ...before,
  pivots: before.pivots + (level === "pivot" ? attempts : 0),
  researches: before.researches + (level === "research" ? attempts : 0),
  races: before.races + (level === "race" ? attempts : 0),
});

/** Update after a success: back to normal. Spent amounts stay until the planned task is done. */
export const afterPass = (before: Escalation): Escalation => ({
  ...noEscalation,
  ...spentIn(before),
  ...(before.evidence !== null && leftIn(before)),
});

const spentIn = ({ pivots, researches, races, failures, earlier, approaches, findings }: Escalation) => ({
  ...{ pivots, researches, races, failures, approaches, findings },
  ...(earlier !== undefined && { earlier }),
});

const leftIn = ({ failing, change, before, lost, gained, best, evidence }: Escalation) => ({
  ...{ failing, change, before, lost, gained, best, evidence },
});

/**
 * Update after an accepted fix task or part, which is progress. Every level returns to `normal`. At `normal`, a
 * repeated error still counts as the same error.
 */
export function afterProgress(before: Escalation): Escalation {
  if (before.level !== "normal") return afterPass(before);
  const { rejected: _, ...kept } = before;
  return { ...kept, unchanged: 0, fileStates: [], admission: null };
}

/**
 * Update when a person skips a part and the rest of its tree continues. A checkpoint stays; any other level returns to
 * normal, since the person granted no attempt at that level.
 */
export const afterSkip = (before: Escalation): Escalation => ({
  ...before,
  asked: false,
  level: before.level === "checkpoint" ? before.level : "normal",
});

/** Update when a person resets a planned task: counts restart, and only approaches and findings are kept. */
export const afterReset = ({ approaches, findings, failures, earlier = 0 }: Escalation): Escalation => ({
  ...noEscalation,
  approaches,
  findings,
  ...(failures + earlier > 0 && { earlier: failures + earlier }),
});

/** Number of failures after the last attempt, and the change since the previous attempt; null if unknown. */
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
