import * as z from "zod";
import { RedCheck, redCheck } from "./check-run.ts";
import { DigestSource, FailedCheck, FailureSet } from "./failure-set.ts";
import { DeniedAct, serviceKinds } from "./reply.ts";

/** Failure that a fix task repairs, with the facts that show whether the failure is gone. */
export const MadeFor = z.object({
  fingerprint: z.string(),
  failing: FailureSet.optional(),
  /** Name of the check in the fix task's title, as in the failure set. */
  first: z.string().optional(),
  /** Command that failed; not given if no command failed. */
  command: z.string().optional(),
  /** Checks that failed in the command; a long list is cut. */
  reds: z.array(RedCheck).optional(),
});
export type MadeFor = z.infer<typeof MadeFor>;

/** A task generated from a failure. All texts are untrusted and not yet encoded for markdown. */
export const FixTask = z.object({
  id: z.string(),
  /** Id of the task to repair. */
  fixOf: z.string(),
  /** First words of the error, one line of at most 50 characters. */
  summary: z.string(),
  /** At most 500 characters. */
  error: z.string(),
  /** At most 500 characters. */
  attemptedFix: z.string(),
  /** Expected result, at most 500 characters. */
  doneWhen: z.string(),
  /** The repaired task's `Files` field as written, or a fallback. */
  files: z.string(),
  /** The repaired task's Verify as written; null if the task has no runnable Verify. */
  verify: z.string().nullable(),
  /** Commit message, without backticks around it. */
  commit: z.string(),
  madeFor: MadeFor.optional(),
  /** The fix task that this one replaces. */
  supersedes: z.string().optional(),
  /** Whether the repaired task stays done, since a check failed only at the end of the run. */
  late: z.literal(true).optional(),
});
export type FixTask = Readonly<z.infer<typeof FixTask>>;

/**
 * Result of a task with failures or fixes: passed (alone, by a person, or superseded), stopped by a limit for now,
 * waiting for a person, or skipped.
 */
export const FixEnd = z.enum(["PASS", "FAIL (max limit)", "WAITING", "SKIPPED", "done by hand", "superseded"]);
export type FixEnd = z.infer<typeof FixEnd>;

/**
 * Class of a failure: reported by executor or Verify, a time limit, an end without an answer, too long a prompt, or a
 * reason that kept the executor from working.
 */
export const FailureKind = z.enum(["task", "timeout", "crash", "context-exhausted", ...serviceKinds]);
export type FailureKind = z.infer<typeof FailureKind>;

/** A failure-block line that may be missing. */
export type FailureField = "error" | "attemptedFix" | "status";

/** A failure reported by an executor or a Verify command. A value, never thrown. */
export interface Failure {
  readonly taskId: string;
  readonly failed: true;
  readonly kind: FailureKind;
  /** Never empty. */
  readonly error: string;
  readonly attemptedFix: string;
  readonly status: string;
  /** The unmodified output that the failure was read from. */
  readonly rawOutput: string;
  /** Fields missing in the output; they hold the source system's fallback texts. */
  readonly unstated: readonly FailureField[];
  /** Whether neither a check nor the executor reports a failure, so that no fix task is written. */
  readonly unreported?: boolean;
  /** End of a rate limit, in milliseconds since 1970, if the executor reported it. */
  readonly until?: number;
  /** The failure set, if tools name or count failures. */
  readonly failing?: FailureSet;
  readonly evidence?: FailureEvidence;
}

/** Signs of being stuck or of progress in a failed attempt. Texts have at most 200 characters. */
export const Signs = z.object({
  /** The approach in the executor's words; null if it named none. */
  strategy: z.string().nullable(),
  /** Findings of the executor. */
  findings: z.array(z.string()),
  /** The phrase in which the executor admits being stuck; null if there is none. */
  admission: z.string().nullable(),
  /** Fingerprint of the files and commits; null if unknown. */
  fileState: z.string().nullable(),
  /** Whether the attempt changed the file state; null if unknown. */
  changed: z.boolean().nullable(),
});
export type Signs = z.infer<typeof Signs>;

/** Evidence of a failed attempt for the next attempt: enough to act on, limited in size. All texts are untrusted. */
export const FailureEvidence = z.object({
  /** The failed command, and how it ended; null if none ran. */
  command: z
    .object({
      line: z.string(),
      /** Null if a signal or limit ended it. */
      exitCode: z.int().nullable(),
      timedOut: z.boolean(),
      /** The output limit that ended it. */
      limitBytes: z.number().optional(),
      /** Source of the failures in the command's output. */
      source: DigestSource,
      /** Failures in output order; a long list is cut. */
      failures: z.array(FailedCheck),
      /** Beginning and end of the command's output. */
      head: z.string(),
      tail: z.string(),
    })
    .nullable(),
  /** The end of the executor's message. */
  claim: z.string(),
  /** Findings of a reviewer or verifier, in its own words; empty if there are none. */
  findings: z.string(),
});
export type FailureEvidence = z.infer<typeof FailureEvidence>;

/** The stored part of a failure: its kind and its evidence. */
export const FailureDigest = z.object({
  kind: FailureKind,
  error: z.string(),
  attemptedFix: z.string(),
  status: z.string(),
  /** Fingerprint of the failure set if known, else of the error. */
  fingerprint: z.string(),
  /** Fields missing in the output; not given if none is missing. */
  unstated: z.array(z.enum(["error", "attemptedFix", "status"])).optional(),
  /** The failure set, if tools name or count failures. */
  failing: FailureSet.optional(),
  evidence: FailureEvidence.optional(),
  /** The likely problem with the environment. */
  environment: z.string().optional(),
  /** Whether three tasks in a row had this problem, so that a person is asked. */
  repeated: z.boolean().optional(),
  /** End of the executor's unavailability, in milliseconds since 1970; null if no wait would help. */
  until: z.number().nullable().optional(),
  /**
   * Start of the time for which executors have been unavailable for this reason, in milliseconds since 1970; given if
   * none of them named a duration or worked in between.
   */
  since: z.number().optional(),
  /** The act that the executor's tool denied and that a person is asked about. */
  denied: DeniedAct.optional(),
  /**
   * Time at which this executor can work again, in the form of `until`; given if another executor of the chain is free
   * earlier.
   */
  blocked: z.number().nullable().optional(),
  /** Whether another executor takes over at once. */
  fallback: z.boolean().optional(),
  /** Whether neither a check nor the executor reports a failure, so that no fix task is written. */
  unreported: z.boolean().optional(),
  /** Signs of being stuck; not given if the policy has no rung for stuck trees. */
  signs: Signs.optional(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;

/** Remaining failures after an accepted fix. */
export const FailureLeft = z.object({ failing: FailureSet, evidence: FailureEvidence });
export type FailureLeft = z.infer<typeof FailureLeft>;

/** Parts of a failure that show whether it is fixed. */
interface FixedFailure {
  readonly fingerprint: string;
  readonly failing?: FailureSet | undefined;
  readonly evidence?: FailureEvidence | undefined;
}

/** Describe the failure that a fix task is made for. */
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
