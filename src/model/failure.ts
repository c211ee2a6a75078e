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
  fixOf: z.string(),
  /** First words of the error, one line of at most 50 characters. */
  summary: z.string(),
  /** At most 500 characters. */
  error: z.string(),
  /** At most 500 characters. */
  attemptedFix: z.string(),
  doneWhen: z.string(),
  /** `Files` field of the repaired task, as written; a default text if it has none. */
  files: z.string(),
  /** Verify of the repaired task, as written; null if Verify cannot be run. */
  verify: z.string().nullable(),
  /** Commit message without backticks. */
  commit: z.string(),
  madeFor: MadeFor.optional(),
  supersedes: z.string().optional(),
  /** Set if a check failed only at the end of the run. The repaired task then stays done. */
  late: z.literal(true).optional(),
});
export type FixTask = Readonly<z.infer<typeof FixTask>>;

/**
 * Result of a task with failures or fix tasks. `PASS`: it passed; `done by hand`: a person did it; `superseded`:
 * another fix task replaced it; `FAIL (max limit)`: a limit stopped it for now; `WAITING`: a person must decide.
 */
export const FixEnd = z.enum(["PASS", "FAIL (max limit)", "WAITING", "SKIPPED", "done by hand", "superseded"]);
export type FixEnd = z.infer<typeof FixEnd>;

/**
 * Class of a failure. `task`: the executor or Verify reports it; `timeout`: a time limit; `crash`: no final message;
 * `context-exhausted`: the prompt was too long; other classes: the executor cannot work on any task.
 */
export const FailureKind = z.enum(["task", "timeout", "crash", "context-exhausted", ...serviceKinds]);
export type FailureKind = z.infer<typeof FailureKind>;

/** A field that an executor's report of a failure may lack. */
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
  /** The error that the executor reports, if it differs from the error of a red Verify. */
  readonly reported?: string;
  readonly rawOutput: string;
  /** Fields that the output lacks. These fields contain fallback texts of the source system. */
  readonly unstated: readonly FailureField[];
  /** Set if no check fails and the executor reports no failure. If set, no fix task is written. */
  readonly unreported?: boolean;
  /** End of a rate limit in milliseconds since 1970, as reported by the executor. */
  readonly until?: number;
  readonly failing?: FailureSet;
  readonly evidence?: FailureEvidence;
}

/** Signs in a failed attempt that it is stuck or makes progress. Texts have at most 200 characters. */
export const Signs = z.object({
  /** Approach in the executor's words; null if the executor named none. */
  strategy: z.string().nullable(),
  findings: z.array(z.string()),
  /** Phrase in which the executor admits being stuck; null if it does not. */
  admission: z.string().nullable(),
  /** Fingerprint of the files and commits; null if unknown. */
  fileState: z.string().nullable(),
  /** Whether the attempt changed `fileState`; null if unknown. */
  changed: z.boolean().nullable(),
});
export type Signs = z.infer<typeof Signs>;

/** Facts about a failed attempt for the next attempt. Limited in size; all texts are untrusted. */
export const FailureEvidence = z.object({
  /** Command that failed; null if no command ran. */
  command: z
    .object({
      line: z.string(),
      /** Null if a signal or a limit ended the command. */
      exitCode: z.int().nullable(),
      timedOut: z.boolean(),
      /** Output limit in bytes, if it ended the command. */
      limitBytes: z.number().optional(),
      /** How the failures were found in the output. */
      source: DigestSource,
      /** In the order of the output; a long list is cut. */
      failures: z.array(FailedCheck),
      /** First and last part of the output. */
      head: z.string(),
      tail: z.string(),
    })
    .nullable(),
  claim: z.string(),
  /** Findings of a reviewer or verifier, in their own words; empty without findings. */
  findings: z.string(),
});
export type FailureEvidence = z.infer<typeof FailureEvidence>;

/** The part of a failure that is recorded. */
export const FailureDigest = z.object({
  kind: FailureKind,
  error: z.string(),
  attemptedFix: z.string(),
  status: z.string(),
  /** The error that the executor reports, if it differs from the error of a red Verify. */
  reported: z.string().optional(),
  /** Fingerprint of the failure set, or of the error if no set is known. */
  fingerprint: z.string(),
  /** Fields that the output lacked; not given if the output had all fields. */
  unstated: z.array(z.enum(["error", "attemptedFix", "status"])).optional(),
  failing: FailureSet.optional(),
  evidence: FailureEvidence.optional(),
  /** Probable problem of the environment. */
  environment: z.string().optional(),
  /** Set if three consecutive tasks had the problem in `environment`. If set, a person is asked. */
  repeated: z.boolean().optional(),
  /** Time at which the executor is available again, in milliseconds since 1970; null if waiting does not help. */
  until: z.number().nullable().optional(),
  /**
   * Start of the time in which executors have been unavailable for this reason, in milliseconds since 1970. Not given
   * if an executor named a duration or worked during this time.
   */
  since: z.number().optional(),
  /** Act that the executor's tool denied; a person is asked about the act. */
  denied: DeniedAct.optional(),
  /**
   * Time at which this executor is available again, as in `until`. Given if another executor of the chain is available
   * earlier.
   */
  blocked: z.number().nullable().optional(),
  fallback: z.boolean().optional(),
  /** Set if no check fails and the executor reports no failure. If set, no fix task is written. */
  unreported: z.boolean().optional(),
  /** Not given if the policy has no rung for stuck trees. */
  signs: Signs.optional(),
});
export type FailureDigest = z.infer<typeof FailureDigest>;

export const FailureLeft = z.object({ failing: FailureSet, evidence: FailureEvidence });
export type FailureLeft = z.infer<typeof FailureLeft>;

interface FixedFailure {
  readonly fingerprint: string;
  readonly failing?: FailureSet | undefined;
  readonly evidence?: FailureEvidence | undefined;
}

/** Select the facts about a failure that its fix task stores. */
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
