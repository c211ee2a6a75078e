import type { TracedCall } from "./traced-call.ts";

export type Fault =
  | { readonly kind: "kill"; readonly call: TracedCall }
  /** `lasts`: all later calls fail too, whatever their name and path. */
  | { readonly kind: "errno"; readonly call: TracedCall; readonly errno: string; readonly lasts: boolean };

const errnos = ["ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE", "EDQUOT", "EFBIG"] as const;
const readErrnos = ["EIO", "EACCES", "EMFILE"] as const;

export const faultsAt = (calls: readonly TracedCall[]): Fault[] =>
  calls.flatMap((call): Fault[] => [
    ...(call.changes ? [{ kind: "kill", call } as const] : []),
    ...(call.changes ? errnos : readErrnos).flatMap((errno) =>
      (mayStay(call) ? [true] : [false, true]).map((lasts) => ({ kind: "errno", call, errno, lasts }) as const),
    ),
  ]);

/** A report that cannot be moved may stay in place, but the first read of the report must succeed. */
const mayStay = ({ name, path, ordinal }: TracedCall): boolean =>
  path.endsWith("stuck-report.md") && (name.startsWith("rename") || (name.startsWith("open") && ordinal > 1));

export function tellFault(fault: Fault): string {
  const { name, path, ordinal } = fault.call;
  const where = `${name} ${ordinal} of \`${path}\``;
  return fault.kind === "kill" ? `kill at ${where}` : `${fault.errno} ${fault.lasts ? "from" : "at"} ${where}`;
}
