import * as fc from "fast-check";

/** How a run of a property goes. */
interface PropertyRun {
  readonly numRuns: number;
  readonly seed?: number;
  /** Of a counterexample that was found before. */
  readonly path?: string;
}

/** A property that the tests try a few hundred times, and the campaign as often as there is time for. */
export interface Property {
  readonly name: string;
  /** How often the campaign tries it. */
  readonly runs: number;
  /** The message of fast-check when it does not hold, else null. */
  readonly run: (run: PropertyRun) => string | null;
  /** How often it held in which way: `held`, or why there was nothing to hold. */
  readonly tally: ReadonlyMap<string, number>;
}

/**
 * @param runs
 *   How often the campaign tries it; the tests a thousandth of that, within bounds.
 * @param predicate
 *   Throws where the property does not hold. Answers why when there was nothing to look at.
 * @param examples
 *   What once was a counterexample.
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
