import type { ProcessTable } from "../../src/adapters/processes/process-table.ts";
import { listByPs, openProc } from "../../src/adapters/processes/process-table.ts";

export const processSources: readonly (readonly [string, () => ProcessTable | null])[] = [
  ["/proc", openProc],
  ["ps", () => listByPs()],
];
