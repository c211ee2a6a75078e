import type { RunState } from "../model/run-state.ts";
import type { RunReading } from "../ports/journal.ts";
import { apply } from "./apply.ts";
import { newRun } from "./new-run.ts";

/** Header of the last start; null if there is no start, or if the start recorded an end or released the run. */
export function unendedStart<Start extends RunReading["segments"][number]>({
  segments,
}: {
  readonly segments: readonly Start[];
}): Start["header"] | null {
  const last = segments.at(-1);
  const end = last?.records.at(-1)?.type;
  return last === undefined || end === "ended" || end === "released" ? null : last.header;
}

export function replayRecords({
  segments,
  records,
  snapshot,
}: Pick<RunReading, "segments" | "records" | "snapshot">): RunState | null {
  const first = segments[0]?.header;
  if (first === undefined) return null;
  const state = snapshot === undefined ? newRun(first.open, first.seed) : snapshot.state();
  for (const record of records) apply(state, record);
  return state;
}
