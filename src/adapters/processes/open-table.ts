import { openProc } from "./list-by-proc.ts";
import { listByPs } from "./list-by-ps.ts";
import type { ProcessTable } from "./process-table.ts";

/** The processes of this machine: by `/proc`, else a snapshot by `ps`; null if neither works. */
export const openTable = (): ProcessTable | null => openProc() ?? listByPs();

/** Whether a process group exists. True also while only zombies are left in it. */
export function hasGroup(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
