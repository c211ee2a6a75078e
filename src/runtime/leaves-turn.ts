import type { RunRecord } from "../model/record.ts";

/** What a start records only of a turn that it leaves behind. */
const marks: ReadonlySet<RunRecord["type"]> = new Set([
  ...(["left", "reset", "spared", "passed", "mended", "dropped", "withdrawn"] as const),
]);

/** Whether a record says that a later start has left the turn behind. */
export const leavesTurn = ({ type }: RunRecord): boolean => marks.has(type);
