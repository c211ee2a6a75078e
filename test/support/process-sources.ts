import { openProc } from "../../src/adapters/processes/list-by-proc.ts";
import { listByPs } from "../../src/adapters/processes/list-by-ps.ts";
import type { ProcessTable } from "../../src/adapters/processes/process-table.ts";

/** Sources of the process list, by name. */
export const processSources: readonly (readonly [string, () => ProcessTable | null])[] = [
  ["/proc", openProc],
  ["ps", () => listByPs()],
];
