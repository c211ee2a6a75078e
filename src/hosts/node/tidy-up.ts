import { type RemovedRuns, removeOldRuns } from "../../adapters/old-runs.ts";
import { FixpointError } from "../../model/errors.ts";
import type { RunEvent } from "../../model/event.ts";
import { tellRemoved } from "./tell-removed.ts";

/** Remove what is older than the runs that are kept, when one begins; answers what is to be told of it. */
export function tidyUp(dataFolder: string, run: number, keep: number): RunEvent[] {
  let removed: RemovedRuns;
  try {
    removed = removeOldRuns(dataFolder, run, keep);
  } catch (error) {
    // They are only in the way: no reason to do without the run.
    if (!(error instanceof FixpointError)) throw error;
    return [{ type: "notice", message: `Old runs were not removed: ${error.message}` }];
  }
  return removed.runs.length === 0 ? [] : [{ type: "notice", message: tellRemoved(removed) }];
}
