import { clamp } from "../model/clamp.ts";
import type { CommandEnd } from "../model/evidence.ts";
import type { FailedCheck, OutputDigest } from "../model/failed-check.ts";
import type { FailureEvidence } from "../model/failure.ts";

/** What is known of a failed attempt. Texts are untrusted and of any length. */
export interface FailureSource {
  /** The command that failed it; null when none did. */
  readonly run: {
    readonly command: string;
    readonly result: CommandEnd;
    readonly digest: OutputDigest | null;
  } | null;
  /** What the executor said at the end. */
  readonly claim: string;
  /** What a reviewer or a verifier found. */
  readonly findings: string;
}

/** Characters that are kept: of all failed checks, of one text of them, of the ends of an output, of what was said. */
const keptChecks = 8000;
const keptText = 300;
const keptHead = 1000;
const keptTail = 3000;
const keptClaim = 1500;
const keptFindings = 3000;
const keptCommand = 1000;

/** What a failed attempt has left to look at, bounded. */
export const evidenceOf = ({ run, claim, findings }: FailureSource): FailureEvidence => ({
  command: run && {
    line: clamp(run.command, keptCommand),
    exitCode: run.result.exitCode,
    timedOut: run.result.timedOut,
    ...(run.result.limitBytes !== undefined && { limitBytes: run.result.limitBytes }),
    source: run.digest?.source ?? "nothing",
    failures: firstChecks(run.digest?.failures ?? []),
    head: (run.digest?.head ?? "").slice(0, keptHead),
    tail: (run.digest?.tail ?? "").slice(-keptTail),
  },
  claim: claim.slice(-keptClaim).trim(),
  findings: findings.slice(0, keptFindings).trim(),
});

function firstChecks(checks: readonly FailedCheck[]): FailedCheck[] {
  const kept: FailedCheck[] = [];
  let left = keptChecks;
  for (const check of checks) {
    const shorter = shorten(check);
    left -= JSON.stringify(shorter).length;
    if (left < 0) break;
    kept.push(shorter);
  }
  return kept;
}

const shorten = ({ message, expected, actual, ...check }: FailedCheck): FailedCheck => ({
  ...check,
  message: clamp(message, keptText),
  ...(expected !== undefined && { expected: clamp(expected, keptText) }),
  ...(actual !== undefined && { actual: clamp(actual, keptText) }),
});
