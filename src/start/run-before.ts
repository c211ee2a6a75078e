import type { RunReading } from "../ports/journal.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import type { RunState } from "../run/run-state.ts";

/** The header of the last start when that has neither told its end nor let go of the run; null otherwise. */
export function unendedStart<Start extends RunReading["segments"][number]>({
  segments,
}: {
  readonly segments: readonly Start[];
}): Start["header"] | null {
  const last = segments.at(-1);
  const end = last?.records.at(-1)?.type;
  return last === undefined || end === "ended" || end === "released" ? null : last.header;
}

/** What a run has done so far; null when there is none. */
export function stateIn({ segments, records, sum }: Pick<RunReading, "segments" | "records" | "sum">): RunState | null {
  const first = segments[0]?.header;
  if (first === undefined) return null;
  const state = sum === undefined ? newRun(first.open, first.seed) : structuredClone(sum.state as RunState);
  for (const record of records) apply(state, record);
  return state;
}
