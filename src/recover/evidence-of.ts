import type { CheckRan, CommandEnd } from "../model/evidence.ts";
import type { FailureEvidence } from "../model/failure.ts";
import type { FailedCheck, OutputDigest } from "../model/failure-set.ts";
import type { Task } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";

/** What a command that checks something has come to, as its claim is judged by it. */
export function checkRan({ command, result, digest }: Pick<VerifyRun, "command" | "result" | "digest">): CheckRan {
  const { exitCode, timedOut, limitMs, limitBytes } = result;
  return {
    ...{ kind: "ran", command: clamp(command, keptCommand), exitCode, timedOut, digest },
    ...(limitMs !== undefined && { limitMs }),
    ...(limitBytes !== undefined && { limitBytes }),
  };
}

/** What a task is expected to come to, in one line: its Done when and its Verify, else its title. */
export function expectedOf({ title, fields }: Pick<Task, "title" | "fields">): string {
  const { doneWhen, verify } = fields;
  const told = [doneWhen, verify === undefined ? undefined : `Verify: ${verify}`].filter((text) => text !== undefined);
  return (told.length === 0 ? title : told.join("; ")).replace(/\s+/g, " ").trim();
}

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
    ...endsOf(run.digest ?? { head: "", tail: "" }),
  },
  claim: claim.slice(-keptClaim).trim(),
  findings: findings.slice(0, keptFindings).trim(),
});

/** Where an output begins and ends. A short one stands whole in its head, with its end. */
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
