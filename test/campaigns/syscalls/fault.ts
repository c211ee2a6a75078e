import type { TracedCall } from "./traced-call.ts";

/** A fault in one of a coordinator's system calls. */
export type Fault =
  | { readonly kind: "kill"; readonly call: TracedCall }
  /** With `lasts` all later calls, of any name and on any path, fail as well. */
  | { readonly kind: "errno"; readonly call: TracedCall; readonly errno: string; readonly lasts: boolean };

/** Errors of a system whose disk is full, broken or read-only, or whose limits are reached. */
const errnos = ["ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE", "EDQUOT", "EFBIG"] as const;
/** Possible errors when an existing file is opened. */
const readErrnos = ["EIO", "EACCES", "EMFILE"] as const;

/** All faults of all calls. */
export const faultsAt = (calls: readonly TracedCall[]): Fault[] =>
  calls.flatMap((call): Fault[] => [
    ...(call.changes ? [{ kind: "kill", call } as const] : []),
    ...(call.changes ? errnos : readErrnos).flatMap((errno) =>
      (mayStay(call) ? [true] : [false, true]).map((lasts) => ({ kind: "errno", call, errno, lasts }) as const),
    ),
  ]);

/**
 * Whether a call may fail once without effect: a report that cannot be moved stays in place, and the run completes. The
 * first read of the report, at the beginning of a start, may not fail.
 */
const mayStay = ({ name, path, ordinal }: TracedCall): boolean =>
  path.endsWith("stuck-report.md") && (name.startsWith("rename") || (name.startsWith("open") && ordinal > 1));

/** The description of a fault. */
export function tellFault(fault: Fault): string {
  const { name, path, ordinal } = fault.call;
  const where = `${name} ${ordinal} of \`${path}\``;
  return fault.kind === "kill" ? `kill at ${where}` : `${fault.errno} ${fault.lasts ? "from" : "at"} ${where}`;
}
