import { digestOutput } from "../../digest/digest-output.ts";
import { readCheckLog } from "../../digest/read-check-log.ts";
import { fingerprint } from "../../model/fingerprint.ts";
import type { Check } from "../../model/pull-request.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { readCheckFailure } from "../../recover/read-check-failure.ts";

/** What a red check has failed with. */
export interface RedCheck {
  readonly kind: "read";
  readonly error: string;
  readonly fingerprint: string;
  /** What its failed step has printed. */
  readonly output: string;
}

/** Read what a red check has failed with: out of its log where it has one, else as it says itself. */
export async function readRedCheck(
  forge: Forge,
  { id, job, summary }: Check,
  signal: AbortSignal,
): Promise<RedCheck | Hindered> {
  const log = job === null ? nothing : await forge.log(job, signal);
  if (log.kind === "hindered") return log;
  const { log: text, step, annotations } = log.kind === "refused" ? nothing : log;
  const failed = text === null ? null : readCheckLog(text, step);
  const digest = failed === null ? null : digestOutput(failed.output, { command: "", folder: failed.folder });
  const error = readCheckFailure(id, { digest, annotations, summary });
  return { kind: "read", error, fingerprint: fingerprint(error), output: failed?.output ?? "" };
}

const nothing = { kind: "log" as const, log: null, step: null, annotations: [] as readonly string[] };

/** Whether there is a log to be had is for the forge to say: a refusal to show one is no reason to stop. */
export const isSame = (one: RedCheck, other: RedCheck | Hindered | Refused): boolean =>
  other.kind === "read" && one.fingerprint === other.fingerprint;
