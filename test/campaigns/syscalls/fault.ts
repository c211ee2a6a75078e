import type { TracedCall } from "./traced-call.ts";

/** The fault in one of a coordinator's system calls. */
export type Fault =
  | { readonly kind: "kill"; readonly call: TracedCall }
  /** `lasts`: every later call, with any name on any path, fails as well. */
  | { readonly kind: "errno"; readonly call: TracedCall; readonly errno: string; readonly lasts: boolean };

/** Errors of a system whose disk is full, broken or read-only, or whose limits are reached. */
const errnos = ["ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE", "EDQUOT", "EFBIG"] as const;
/** Possible errors when an existing file is opened. */
const readErrnos = ["EIO", "EACCES", "EMFILE"] as const;

/** Every fault of every call. */
export const faultsAt = (calls: readonly TracedCall[]): Fault[] =>
  calls.flatMap((call): Fault[] => [
    ...(call.changes ? [{ kind: "kill", call } as const] : []),
    ...(call.changes ? errnos : readErrnos).flatMap((errno) =>
      (mayStay(call) ? [true] : [false, true]).map((lasts) => ({ kind: "errno", call, errno, lasts }) as const),
    ),
  ]);

/** A report that cannot be moved once stays in place, and the run is complete. The first read begins a start. */
const mayStay = ({ name, path, ordinal }: TracedCall): boolean =>
  path.endsWith("stuck-report.md") && (name.startsWith("rename") || (name.startsWith("open") && ordinal > 1));

/** The description of a fault. */
export function tellFault(fault: Fault): string {
  const { name, path, ordinal } = fault.call;
  const where = `${name} ${ordinal} of \`${path}\``;
  return fault.kind === "kill" ? `kill at ${where}` : `${fault.errno} ${fault.lasts ? "from" : "at"} ${where}`;
}
