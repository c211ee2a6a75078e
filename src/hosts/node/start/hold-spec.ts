import { type JournalMark, markOf } from "../../../adapters/journal/read-journal.ts";
import type { Lease } from "../../../adapters/lease/lease.ts";
import type { LeaseHolder } from "../../../adapters/lease/lease-folder.ts";
import { isElsewhere, isOfEarlierBoot, takeSpecLease } from "../../../adapters/lease/spec-lease.ts";
import { EnvironmentError } from "../../../model/errors.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * Take the lease of a spec whose journal was read. A run number chosen from that reading is right only while no other
 * process has written since.
 *
 * @param mark End of the journal before it was read.
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`
 */
export function holdSpec(
  { dataFolder }: Pick<SpecFolder, "dataFolder">,
  mark: JournalMark,
  { takeOver = false }: { readonly takeOver?: boolean | undefined } = {},
): Lease {
  const lease = takeSpecLease(dataFolder, { takeOver });
  try {
    const now = markOf(dataFolder);
    if (now.run === mark.run && now.segment === mark.segment && now.size === mark.size) return lease;
    throw new EnvironmentError("Cannot take the spec, another process has worked on it at this moment", {
      code: "spec-locked",
      hint: "Run again",
    });
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** A notice about a holder that ended without a release. */
export function describeEnded(holder: LeaseHolder): string {
  const who = `process ${holder.pid}, which held it since ${new Date(holder.at).toISOString()}`;
  if (isElsewhere(holder)) return `Took the spec over from ${who} on \`${holder.host}\``;
  return `Took the spec from ${who}: ${isOfEarlierBoot(holder) ? "the machine was booted since" : "it was killed"}`;
}
