import { type Approach, calm, type Escalation, type Level, type StuckReason } from "../model/escalation.ts";
import type { FailureDigest } from "../model/failure.ts";

/** Entries that each list keeps, and file states, of which more are compared. */
const keptEntries = 10;
const keptStates = 20;

/**
 * After an attempt on a task of the tree that was not accepted.
 *
 * @param failure What it failed with; null when its claim was not in order.
 */
export function afterFailure(before: Escalation, task: string, failure: FailureDigest | null): Escalation {
  const failures = before.failures + 1;
  if (failure === null) return { ...before, failures, admission: null };
  const { error, fingerprint, signs } = failure;
  const same = before.lastFingerprint === fingerprint;
  const after = {
    ...before,
    failures,
    sameErrors: same ? before.sameErrors + 1 : 1,
    lastFingerprint: fingerprint,
    lastError: error,
  };
  if (signs === undefined) return { ...after, admission: null };
  const approach: Approach = { level: before.level, task, strategy: signs.strategy, error };
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

/** When another attempt begins at a level, or a checkpoint is reached. @param stuck Why, where it was not at one. */
export const afterClimb = (
  before: Escalation,
  level: Exclude<Level, "normal">,
  stuck: StuckReason | null,
): Escalation => ({
  ...before,
  level,
  stuck: before.level === "normal" ? stuck : before.stuck,
  pivots: before.pivots + (level === "pivot" ? 1 : 0),
  researches: before.researches + (level === "research" ? 1 : 0),
});

/** After a success: back to normal. What was spent stays spent until the planned task is done. */
export const afterPass = ({ pivots, researches, failures, approaches, findings }: Escalation): Escalation => ({
  ...calm,
  pivots,
  researches,
  failures,
  approaches,
  findings,
});

/**
 * After a fix or a part of a planned task was accepted, which is progress. At a level it is the way back to normal;
 * below it, an error that comes again all the same is still the same error.
 */
export const afterProgress = (before: Escalation): Escalation =>
  before.level === "normal" ? { ...before, unchanged: 0, fileStates: [], admission: null } : afterPass(before);

/** When a person lets a planned task begin anew: only what was learned is kept. */
export const afresh = ({ approaches, findings }: Escalation): Escalation => ({ ...calm, approaches, findings });
