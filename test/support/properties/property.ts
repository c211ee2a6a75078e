import * as fc from "fast-check";

/** Options of a run of a property. */
interface PropertyRun {
  readonly numRuns: number;
  readonly seed?: number;
  /** fast-check's path to an earlier counterexample. */
  readonly path?: string;
}

/** A property that the tests try a few hundred times, and a campaign far more often. */
export interface Property {
  readonly name: string;
  /** Number of cases in the campaign. */
  readonly runs: number;
  /** The message of fast-check if it fails, otherwise null. */
  readonly run: (run: PropertyRun) => string | null;
  /** Number of cases by outcome: `held`, or why there was nothing to check. */
  readonly tally: ReadonlyMap<string, number>;
}

/**
 * @param runs Number of cases in the campaign; the tests try a thousandth of them, within bounds.
 * @param predicate Throws if the property does not hold. Returns the reason if there was nothing to check.
 * @param examples Earlier counterexamples.
 */
export function property<Value>(
  name: string,
  runs: number,
  arbitrary: fc.Arbitrary<Value>,
  predicate: (value: Value) => string | undefined,
  examples: readonly NoInfer<Value>[] = [],
): Property {
  const tally = new Map<string, number>();
  const counted = fc.property(arbitrary, (value) => {
    const outcome = predicate(value) ?? "held";
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  });
  const pinned = examples.map((example): [Value] => [example]);
  return {
    name,
    runs,
    tally,
    run: (run) => {
      const details = fc.check(counted, { ...run, examples: pinned });
      if (!details.failed) return null;
      const { errorInstance: error } = details;
      return `${fc.defaultReportMessage(details)}\n${error instanceof Error ? error.stack : error}`;
    },
  };
}
