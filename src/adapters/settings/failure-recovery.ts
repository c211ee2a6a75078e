import { plainLine } from "../../markdown/text/plain-line.ts";
import { type Escalation, type Level, noEscalation } from "../../model/escalation.ts";
import { type RecoveryMap, recoveryMap } from "./recovery-map.ts";

// Import this file only when it is needed, never from start-up code: loading `yaml` takes 38 ms.

/** The content of `failure_recovery` in a `state.yaml`. */
export interface FailureRecovery {
  readonly escalation: Escalation;
  /** Limits set in the file. */
  readonly limits: {
    readonly maxPivotAttempts?: number;
    readonly maxResearchAttempts?: number;
    readonly maxTotalAttempts?: number;
  };
}

const maxText = 200;
const maxEntries = 10;

/**
 * Read the escalation that a `state.yaml` tracks. The level and the minimum number of failed attempts are derived from
 * the counts in the file. The task of the last approach is unknown.
 *
 * @param yaml The whole text of the file, empty if it does not exist.
 * @throws {InputError} `yaml-malformed`
 */
export function readFailureRecovery(yaml: string): FailureRecovery {
  const recovery = recoveryMap(yaml);
  const { count, text, list } = recovery;
  const line = (key: string): string | null => plainLine(text(key) ?? "", maxText) || null;
  const [pivots, researches] = [count("pivot_count", 0) ?? 0, count("research_count", 0) ?? 0];
  const level: Level = researches > 0 ? "research" : pivots > 0 ? "pivot" : "normal";
  const sameErrors = count("consecutive_same_error", 0) ?? 0;
  const [strategy, lastError, fileState] = [line("current_strategy"), line("last_error"), line("last_file_state_hash")];
  const findings = list("research_findings").map((finding) => plainLine(finding, maxText));
  return {
    escalation: {
      ...noEscalation,
      level,
      pivots,
      researches,
      failures: pivots + researches + sameErrors,
      sameErrors,
      unchanged: count("iterations_without_change", 0) ?? 0,
      lastFingerprint: line("last_error_hash"),
      lastError,
      fileStates: fileState === null ? [] : [fileState],
      approaches: strategy === null ? [] : [{ level, task: "", strategy, error: lastError ?? "" }],
      findings: findings.filter((finding) => finding !== "").slice(-maxEntries),
    },
    limits: limitsIn(recovery),
  };
}

/**
 * Read only the limits.
 *
 * @param yaml The whole text of the file.
 * @throws {InputError} `yaml-malformed`
 */
export const readRecoveryLimits = (yaml: string): FailureRecovery["limits"] => limitsIn(recoveryMap(yaml));

function limitsIn({ count }: Pick<RecoveryMap, "count">): FailureRecovery["limits"] {
  const given = {
    maxPivotAttempts: count("max_pivot_attempts", 0),
    maxResearchAttempts: count("max_research_attempts", 0),
    maxTotalAttempts: count("max_total_attempts", 1),
  };
  return Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== null));
}

/**
 * Write the tracked part of an escalation into a `state.yaml`. All other content stays, comments included; blank lines
 * and indentation may change.
 *
 * @param yaml The whole text of the file; an empty one becomes a new document.
 * @throws {InputError} `yaml-malformed`: an unreadable file is not written.
 */
export function writeFailureRecovery(yaml: string, escalation: Escalation): string {
  readFailureRecovery(yaml);
  return recoveryMap(yaml).replace({
    consecutive_same_error: escalation.sameErrors,
    iterations_without_change: escalation.unchanged,
    last_error_hash: escalation.lastFingerprint ?? "",
    last_file_state_hash: escalation.fileStates.at(-1) ?? "",
    pivot_count: escalation.pivots,
    research_count: escalation.researches,
    current_strategy: escalation.approaches.at(-1)?.strategy ?? "",
    last_error: escalation.lastError ?? "",
    research_findings: escalation.findings,
  });
}
