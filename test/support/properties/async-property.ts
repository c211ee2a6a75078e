import * as fc from "fast-check";
import type { Property } from "./property.ts";

export interface AsyncProperty extends Omit<Property, "run"> {
  readonly run: (...run: Parameters<Property["run"]>) => Promise<string | null>;
}

/**
 * @param runs Number of cases in the campaign.
 * @param predicate Rejects on failure. Resolves with a label under which the case is counted.
 */
export function asyncProperty<Value>(
  name: string,
  runs: number,
  arbitrary: fc.Arbitrary<Value>,
  predicate: (value: Value) => Promise<string>,
): AsyncProperty {
  const tally = new Map<string, number>();
  const counted = fc.asyncProperty(arbitrary, async (value) => {
    const outcome = await predicate(value);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  });
  return {
    name,
    runs,
    tally,
    run: async (run) => {
      const details = await fc.check(counted, run);
      if (!details.failed) return null;
      const { errorInstance: error } = details;
      return `${fc.defaultReportMessage(details)}\n${error instanceof Error ? error.stack : error}`;
    },
  };
}
