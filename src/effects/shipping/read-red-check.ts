import { digestOutput } from "../../digest/digest-output.ts";
import { readCheckLog } from "../../digest/read-check-log.ts";
import type { OutputDigest } from "../../model/failure-set.ts";
import type { Check } from "../../model/pull-request.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { failsWithin, namesOf, type RedNames, readCheckFailure } from "../../recover/red-check.ts";

/** The failure of a red check. */
export interface RedCheck extends RedNames {
  readonly kind: "read";
  readonly error: string;
  /** Output of the failed step; empty without a log. */
  readonly output: string;
  /** Digest of the output; null without a log. */
  readonly digest: OutputDigest | null;
  /** Annotations of the check itself. */
  readonly annotations: readonly string[];
}

/** Read the failure of a red check from its log, else from its own summary. */
export async function readRedCheck(
  forge: Forge,
  { id, job, summary }: Check,
  signal: AbortSignal,
): Promise<RedCheck | Hindered> {
  const log = job === null ? nothing : await forge.log(job, signal);
  if (log.kind === "hindered") return log;
  const { log: text, step, annotations } = log.kind === "refused" ? nothing : log;
  const failed = text === null ? null : readCheckLog(text, step);
  const digest = failed === null ? null : digestOutput(failed.output, { folder: failed.folder });
  const error = readCheckFailure(id, { digest, annotations, summary });
  return { kind: "read", error, output: failed?.output ?? "", digest, annotations, ...namesOf(error, digest) };
}

const nothing = { kind: "log" as const, log: null, step: null, annotations: [] as readonly string[] };

/**
 * Whether the failures of one check are all among another's; false if the forge gave no log, which must not stop the
 * run.
 */
export const isWithin = (one: RedCheck | Hindered | Refused, other: RedCheck | Hindered | Refused): boolean =>
  one.kind === "read" && other.kind === "read" && failsWithin(one, other);
