import * as z from "zod";
import { RedCheck, redCheck } from "./check-run.ts";
import { DigestSource, FailedCheck, FailureSet } from "./failure-set.ts";
import { DeniedAct, serviceKinds } from "./reply.ts";

/** The failure that a fix task was made for, as far as it takes to tell whether it is gone. */
export const MadeFor = z.object({
  fingerprint: z.string(),
  /** What failed, where tools name or count it. */
  failing: FailureSet.optional(),
  /** The name in that set of the failure that its title tells. */
  first: z.string().optional(),
  /** The command that failed; not given where none did. */
  command: z.string().optional(),
  /** The checks that failed in it, of many the first. */
  reds: z.array(RedCheck).optional(),
});
export type MadeFor = z.infer<typeof MadeFor>;

/** A task generated from a failure. Every text is untrusted and still as it came in; the markdown room encodes it. */
export const FixTask = z.object({
  id: z.string(),
  /** The task it repairs. */
  fixOf: z.string(),
  /** At most 50 characters of the error, one line. */
  summary: z.string(),
  /** At most 500 characters. */
  error: z.string(),
  /** At most 500 characters. */
  attemptedFix: z.string(),
  /** What is to hold when it is done, at most 500 characters. */
  doneWhen: z.string(),
  /** The repaired task's own Files, as written there, or their fallback. */
  files: z.string(),
  /** The repaired task's own Verify, as written there; null where that has none that can be run. */
  verify: z.string().nullable(),
  /** Commit message without code marks. */
  commit: z.string(),
  madeFor: MadeFor.optional(),
  /** The fix task whose place it takes. */
  supersedes: z.string().optional(),
  /** The task that it repairs is done: a check that had passed, or the final one, has failed at the end of the run. */
  late: z.literal(true).optional(),
});
export type FixTask = Readonly<z.infer<typeof FixTask>>;

/**
 * What has become of a task that failed or had fixes: for now a limit has stopped it, it waits for a person, or it is
 * left out; or it is done, by itself, by a person, or as a fix task whose place another one has taken.
 */
export const FixEnd = z.enum(["PASS", "FAIL (max limit)", "WAITING", "SKIPPED", "done by hand", "superseded"]);
export type FixEnd = z.infer<typeof FixEnd>;

/**
 * Coarse class of a failure: what the executor or Verify reported, a time limit, an end without an answer, or what
 * kept the executor from working at all.
 */
export const FailureKind = z.enum(["task", "timeout", "crash", "context-exhausted", ...serviceKinds]);
export type FailureKind = z.infer<typeof FailureKind>;

/** A line of the failure block that may be missing. */
export type FailureField = "error" | "attemptedFix" | "status";

/** What an executor or a Verify command reported instead of a completion. A value, never thrown. */
export interface Failure {
  readonly taskId: string;
  readonly failed: true;
  readonly kind: FailureKind;
  /** Never empty. */
  readonly error: string;
  readonly attemptedFix: string;
  readonly status: string;
  /** The output the failure was read from, unmodified. */
  readonly rawOutput: string;
  /** Fields the output did not state; they hold the source's fallback texts. */
  readonly unstated: readonly FailureField[];
  /** Neither a check of the work nor the executor says that the task has failed: no fix task is written for it. */
  readonly unreported?: boolean;
  /** When a rate limit ends, in milliseconds since 1970, where the executor said so. */
  readonly until?: number;
  /** What failed, where tools name or count it. */
  readonly failing?: FailureSet;
  readonly evidence?: FailureEvidence;
}

/** What a failed attempt shows of being stuck or getting on. Texts have at most 200 characters. */
export const Signs = z.object({
  /** What the executor says it tried; null when it does not. */
  strategy: z.string().nullable(),
  /** What it says it has found out. */
  findings: z.array(z.string()),
  /** The phrase with which it admits to be at a loss; null without one. */
  admission: z.string().nullable(),
  /** Name of the state of the files, commits included; null when it is not known. */
  fileState: z.string().nullable(),
  /** Whether the attempt has changed that; null when it is not known. */
  changed: z.boolean().nullable(),
});
export type Signs = z.infer<typeof Signs>;

/**
 * What a failed attempt has left to look at, for whoever repairs it: enough to act on, and bounded. Every text is
 * untrusted.
 */
export const FailureEvidence = z.object({
  /** The command that failed, and how it ended; null when none was run. */
  command: z
    .object({
      line: z.string(),
      /** Null when a signal or a limit ended it. */
      exitCode: z.int().nullable(),
      timedOut: z.boolean(),
      /** The limit on its output that ended it. */
      limitBytes: z.number().optional(),
      /** How what failed was found in its output. */
      source: DigestSource,
      /** What failed, in the order in which it was printed; of many the first. */
      failures: z.array(FailedCheck),
      /** Where its output begins and ends. */
      head: z.string(),
      tail: z.string(),
    })
    .nullable(),
  /** The end of what the executor said. */
  claim: z.string(),
  /** What a reviewer or a verifier found, in its own words; empty without any. */
  findings: z.string(),
});
export type FailureEvidence = z.infer<typeof FailureEvidence>;

/** The part of a failure that a machine keeps: what it is, and what there is to look at. */
export const FailureDigest = z.object({
  kind: FailureKind,
  error: z.string(),
  attemptedFix: z.string(),
  status: z.string(),
  /** Of the set of what failed where that is known, else of the error. */
  fingerprint: z.string(),
  /** Fields that the output did not state; not given when it stated all. */
  unstated: z.array(z.enum(["error", "attemptedFix", "status"])).optional(),
  /** What failed, where tools name or count it. */
  failing: FailureSet.optional(),
  evidence: FailureEvidence.optional(),
  /** What is wrong with the environment rather than with the task, where it looks so. */
  environment: z.string().optional(),
  /** The same has now met three tasks in a row: a person is asked. */
  repeated: z.boolean().optional(),
  /** Until when the executor cannot work, in milliseconds since 1970; null when no wait would help. */
  until: z.number().nullable().optional(),
  /**
   * Since when executors could not work for this reason, in milliseconds since 1970, where none said for how long and
   * none came to work in between.
   */
  since: z.number().optional(),
  /** What its tool did not allow: a person is asked. */
  denied: DeniedAct.optional(),
  /** Until when this executor cannot work, where another of its chain can before it: as `until`. */
  blocked: z.number().nullable().optional(),
  /** Another executor stands in at once. */
  fallback: z.boolean().optional(),
  /** Neither a check of the work nor the executor says that the task has failed: no fix task is written for it. */
  unreported: z.boolean().optional(),
  /** What was seen of being stuck; not told where the policy has no rung for it. */
  signs: Signs.optional(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;

/** What still fails once a fix was accepted. */
export const FailureLeft = z.object({ failing: FailureSet, evidence: FailureEvidence });
export type FailureLeft = z.infer<typeof FailureLeft>;

/** What of a failure tells whether it is gone. */
interface FixedFailure {
  readonly fingerprint: string;
  readonly failing?: FailureSet | undefined;
  readonly evidence?: FailureEvidence | undefined;
}

/** What a fix task for a failure is made for. */
export function madeForOf({ fingerprint, failing, evidence }: FixedFailure): MadeFor {
  const reds = evidence?.command?.source === "tools" ? evidence.command.failures.map(redCheck) : [];
  const name = reds[0]?.name;
  const line = evidence?.command?.line;
  return {
    fingerprint,
    ...(failing !== undefined && { failing }),
    ...(name !== undefined && failing?.ids?.includes(name) === true && { first: name }),
    ...(line !== undefined && failing !== undefined && { command: line, ...(reds.length > 0 && { reds }) }),
  };
}
