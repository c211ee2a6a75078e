import type { RemovedRuns } from "../../adapters/old-runs.ts";
import { countOf } from "../../model/count-of.ts";

/** What was removed of old runs, for people: `Removed 3 old runs, 1.2 MiB`. */
export function tellRemoved({ runs, bytes }: RemovedRuns): string {
  return `Removed ${countOf(runs.length, "old run")}, ${sizeOf(bytes)}`;
}

const units = ["KiB", "MiB", "GiB"] as const;

/** Bytes as a person reads them. */
function sizeOf(bytes: number): string {
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return bytes < 1024 ? `${bytes} bytes` : `${size.toFixed(1)} ${units[unit]}`;
}
