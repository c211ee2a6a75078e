import type { CheckRan, CommandEnd } from "../model/evidence.ts";
import type { FailureEvidence } from "../model/failure.ts";
import type { FailedCheck, OutputDigest } from "../model/failure-set.ts";
import type { Task } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

export function checkRan({ command, result, digest }: Pick<VerifyRun, "command" | "result" | "digest">): CheckRan {
  const { exitCode, timedOut, limitMs, limitBytes } = result;
  return {
    ...{ kind: "ran", command: clamp(command, keptCommand), exitCode, timedOut, digest },
    ...(limitMs !== undefined && { limitMs }),
    ...(limitBytes !== undefined && { limitBytes }),
  };
}

/**
 * The expected result of a task in one line: its `Done when` and `Verify` fields; if both fields are missing, its
 * title.
 */
export function expectedOf({ title, fields }: Pick<Task, "title" | "fields">): string {
  const { doneWhen, verify } = fields;
  const told = [doneWhen, verify === undefined ? undefined : `Verify: ${verify}`].filter((text) => text !== undefined);
  return (told.length === 0 ? title : told.join("; ")).replace(/\s+/g, " ").trim();
}

/** Facts about a failed attempt. Texts are untrusted and of any length. */
export interface FailureSource {
  /** The failed command; null if no command failed. */
  readonly run: {
    readonly command: string;
    readonly result: CommandEnd;
    readonly digest: OutputDigest | null;
  } | null;
  readonly claim: string;
  readonly findings: string;
}

/** Maximum lengths of the stored texts, in characters. The first length is for all failed checks together. */
const keptChecks = 8000;
const keptText = 300;
const keptHead = 1000;
const keptTail = 3000;
const keptClaim = 1500;
const keptFindings = 3000;
const keptCommand = 1000;

export const evidenceOf = ({ run, claim, findings }: FailureSource): FailureEvidence => ({
  command: run && {
    line: clamp(run.command, keptCommand),
    exitCode: run.result.exitCode,
    timedOut: run.result.timedOut,
    ...(run.result.limitBytes !== undefined && { limitBytes: run.result.limitBytes }),
    source: run.digest?.source ?? "nothing",
    failures: firstChecks(run.digest?.failures ?? []),
    ...endsOf(run.digest ?? { head: "", tail: "" }),
  },
  claim: claim.slice(-keptClaim).trim(),
  findings: findings.slice(0, keptFindings).trim(),
});

/** Beginning and end of an output. A short output is whole in `head`. */
const endsOf = ({ head, tail }: Pick<OutputDigest, "head" | "tail">) => ({
  head: head.slice(0, keptHead),
  tail: (tail === "" ? head.slice(keptHead) : tail).slice(-keptTail),
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
