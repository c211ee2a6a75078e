import type { Fact } from "../model/explanation.ts";
import { spokenBy } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { timeOf } from "./time-of.ts";

/** How a start began, and how it ended if it is over. @param index From 0. */
export function tellStart(
  { at, policy, records }: RecordedStart,
  index: number,
  before: RecordedStart | null,
): { readonly begin: Fact; readonly end: Fact } {
  const start = index + 1;
  const changed = before === null ? [] : differences(before.policy, policy);
  // A start without records reports nothing.
  const last = records.at(-1) as TimedRunRecord;
  const ended = { kind: "ended", at: timeOf(last.at), start } as const;
  return {
    begin: { kind: "started", at: timeOf(at), start, recovery: policy.recovery, changed },
    end:
      last.type === "ended"
        ? {
            ...ended,
            outcome: last.ending.outcome,
            error: last.ending.error ?? null,
            denial: last.denial,
            ...spokenBy(last.by),
          }
        : { ...ended, outcome: last.type === "released" ? "released" : "killed", error: null, denial: null },
  };
}

const differences = (from: Policy, to: Policy) =>
  (Object.keys(to) as (keyof Policy)[])
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => ({ name, from: from[name], to: to[name] }));
